"""What a run is and leaves behind, to the zygote that forked it: processes, and a home."""

import contextlib
import os
import shutil
import signal
from collections.abc import Container
from dataclasses import dataclass

NOWHERE = "/"


@dataclass(frozen=True)
class Process:
    """A run by its own process; where there is a `first`, all that the run started ends with that one."""

    pid: int
    first: int | None
    home: str

    def kill(self) -> None:
        """End it; without a first process, what left its group is not reached."""
        if self.first:
            os.kill(self.first, signal.SIGKILL)
            return
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)

    def clear(self, others: Container[int]) -> None:
        """Leave nothing of it, once its own process has ended; `others` are the runs that are still on."""
        self.kill()
        if self.first:
            os.waitpid(self.first, 0)  # its home was in memory and went with it
            return
        kill_others(others)
        if self.home != NOWHERE:
            shutil.rmtree(self.home, ignore_errors=True)


def kill_others(runs: Container[int]) -> None:
    """End and reap what runs left behind in sessions of its own; Linux alone brings these here."""
    while others := [pid for pid in _children() if pid not in runs]:
        for pid in others:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in others:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children() -> list[int]:
    try:
        with open("/proc/thread-self/children") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []
