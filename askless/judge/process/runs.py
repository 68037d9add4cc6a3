"""A run of an agent in a process of its own, as whoever watches it sees it; and what such a process may know."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

ROOT = Path(__file__).parents[3]

NEEDED = ("SYSTEMROOT", "PYTHONPYCACHEPREFIX")  # Windows' sockets; where compiled files are


class BrokenError(Exception):
    """The child process cannot run agents: the lab's own fault."""

    def __init__(self, why: str = "the judge's child process is gone") -> None:
        super().__init__(why)


@dataclass(frozen=True)
class Start:
    """What a run is started with: where its job is, where its file stands, the most of the processor it may use."""

    address: str
    file: str
    cpu_s: int


class Run(Protocol):
    """One run of an agent."""

    @property
    def output(self) -> IO[bytes]:
        """What it prints, standard error included."""

    def wait(self) -> int:
        """Wait for its end: the exit status, a signal as its negative number. Raises BrokenError."""

    def kill(self) -> None:
        """End it, if it has not ended."""


class Launcher(Protocol):
    """Starts runs; several may be on, each with a thread of its own that waits for it."""

    def ready(self) -> None:
        """Wait until a run can start at once. Raises BrokenError."""

    @property
    def exposed(self) -> str | None:
        """Why the machine is exposed to runs, None where they are isolated; known once `ready` has returned."""

    def start(self, start: Start) -> Run:
        """Start a run. Raises BrokenError."""

    def use(self, folder: str) -> None:
        """Where the next runs stand."""

    def close(self) -> None:
        """End every process."""


def environment() -> dict[str, str]:
    """What its process begins with: of the parent's environment no key, no proxy, no home.

    One arena, as the C library else sets 64 MB of a run's addresses aside for each of its threads.
    """
    kept = {name: os.environ[name] for name in NEEDED if name in os.environ}
    own = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "MALLOC_ARENA_MAX": "1"}
    return {**kept, **own}
