"""What one run may take of a server that others use, too."""

from asyncio import Lock, to_thread
from collections.abc import Callable
from typing import TypeVar

RUN_BYTES = 64 * 1024 * 1024  # that a run may send and be sent: in memory they are several times as long

Done = TypeVar("Done")


class SpentError(Exception):
    """A run has had its share of bytes."""


class Share:
    """One run's share: so many bytes, and one answer at a time."""

    def __init__(self) -> None:
        self._left_bytes = RUN_BYTES
        self._turn = Lock()

    @property
    def taken_bytes(self) -> int:
        """What was counted so far."""
        return RUN_BYTES - self._left_bytes

    def take(self, size: int) -> None:
        """Count bytes. SpentError where there are none left."""
        self._left_bytes -= size
        if self._left_bytes < 0:
            raise SpentError

    async def work(self, is_long: Callable[[], bool], act: Callable[[], Done]) -> Done:
        """Do what a request asks for, in the order in which they came; what is long is done beside other runs' work."""
        async with self._turn:
            return await to_thread(act) if is_long() else act()
