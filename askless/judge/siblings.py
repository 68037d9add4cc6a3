"""Which calls of a reply an agent ran at the same time, as its look-ups show.

A look-up is held until as many are under way as the reply has calls. Nobody waits
for an agent with one thread, which cannot have a second look-up on its way, and
nobody for long. What is seen here goes into a run's simulated seconds, and into
no verdict.
"""

from math import ceil

from askless.check.waiting import Overlaps

PATIENCE = 25  # times that a look-up is held


class Siblings:
    """The look-ups of one run, reply by reply."""

    def __init__(self) -> None:
        self._widest: dict[int, int] = {}  # by round trip: the most look-ups under way at once
        self._calls: dict[int, int] = {}  # by round trip, of replies with several calls
        self._reply = -1
        self._held: dict[object, int] = {}  # look-ups under way, and how often each was held
        self._settled = True
        self._serial = False  # it has shown that its threads are for something else

    def replied(self, reply: int, calls: int) -> None:
        """A round trip ended with a reply of so many calls: the look-ups from now on are theirs."""
        self._reply, self._held = reply, {}
        self._settled = calls < 2 or self._serial
        if calls > 1:
            self._calls[reply], self._widest[reply] = calls, 1

    def holds(self, look_up: object, threads: int) -> bool:
        """Whether to hold a look-up, as others of its reply may be on their way; `threads` are the agent's."""
        if self._settled or threads < 2:
            return False
        self._held[look_up] = self._held.get(look_up, 0) + 1
        self._widest[self._reply] = max(self._widest[self._reply], len(self._held))
        if len(self._held) >= self._calls[self._reply]:
            self._settled = True
        elif self._held[look_up] > PATIENCE:
            self._settled = True
            self._serial = len(self._held) == 1
        return not self._settled

    def overlaps(self) -> Overlaps:
        """How many steps the calls of each reply took, one after the other."""
        return Overlaps(call_steps={reply: ceil(calls / self._widest[reply]) for reply, calls in self._calls.items()})
