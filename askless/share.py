"""What one run may take of a server that others use, too."""

from asyncio import Lock, to_thread
from collections.abc import Callable
from typing import TypeVar

from askless.api.conversation import Conversation, Request

RUN_BYTES = 64 * 1024 * 1024  # that a run may send and be sent: in memory they are several times as long
MESSAGE_BYTES = 1000  # that is kept of a message beside what it says, however short it is

Done = TypeVar("Done")


class SpentError(Exception):
    """A run has had its share of bytes."""


class Share:
    """One run's share: so many bytes, and one answer at a time."""

    def __init__(self) -> None:
        self._left_bytes = RUN_BYTES
        self._kept: dict[Conversation, int] = {}  # messages
        self._turn = Lock()

    @property
    def taken_bytes(self) -> int:
        """What was counted so far."""
        return RUN_BYTES - self._left_bytes

    @property
    def is_spent(self) -> bool:
        """Whether more was counted than there is."""
        return self._left_bytes < 0

    def count(self, size: int) -> None:
        """Count bytes."""
        self._left_bytes -= size

    def take(self, size: int) -> None:
        """Count bytes. SpentError where there are none left."""
        self.count(size)
        self.check()

    def check(self) -> None:
        """SpentError where more was counted than there is."""
        if self.is_spent:
            raise SpentError

    def keep(self, request: Request) -> None:
        """Count the messages that a request adds to its conversation. SpentError where there are no bytes left."""
        known = self._kept.get(request.conversation, 0)
        self._kept[request.conversation] = max(known, request.length)
        self.take(MESSAGE_BYTES * max(0, request.length - known))

    async def work(self, is_long: Callable[[], bool], act: Callable[[], Done]) -> Done:
        """Do what a request asks for, in the order in which they came; what is long is done beside other runs' work."""
        async with self._turn:
            return await to_thread(act) if is_long() else act()
