"""What each process of a run may use at most. The kernel refuses it more, and ends what has computed for too long."""

import os
import resource
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEMORY_BYTES = 1 << 30  # of addresses
FILE_BYTES = 64 << 20  # of one file
OPEN_FILES = 256
PROCESSES = 64  # threads among them, of a run with all that it started


@dataclass(frozen=True)
class Limit:
    """A resource by its name in the module `resource`, and the most of it."""

    name: str
    most: int


def of_a_run(cpu_s: int, *, alone: bool) -> list[Limit]:
    """All limits; `alone` where the run's user has no other processes."""
    return [
        Limit("RLIMIT_CPU", cpu_s),
        Limit("RLIMIT_AS", MEMORY_BYTES),
        Limit("RLIMIT_FSIZE", FILE_BYTES),
        Limit("RLIMIT_NOFILE", OPEN_FILES),
        Limit("RLIMIT_NPROC", PROCESSES + (0 if alone else _tasks())),
        Limit("RLIMIT_CORE", 0),
    ]


def keep(limits: list[Limit]) -> None:
    """Hold this process, and all that it starts, to them; a system without one of them goes without it."""
    for limit in limits:
        with suppress(AttributeError, ValueError, OSError):
            kind = getattr(resource, limit.name)
            _, hardest = resource.getrlimit(kind)
            most = limit.most if hardest == resource.RLIM_INFINITY else min(limit.most, hardest)
            last = most + (limit.name == "RLIMIT_CPU")  # a second to hear the signal that says so
            resource.setrlimit(kind, (most, last if hardest == resource.RLIM_INFINITY else min(last, hardest)))


def _tasks() -> int:
    """The processes and threads of this user, among which a run's are counted."""
    if sys.platform != "linux":
        return 1 << 12
    return sum(_threads(path) for path in Path("/proc").iterdir() if path.name.isdigit())


def _threads(process: Path) -> int:
    with suppress(OSError):  # it ended
        if process.stat().st_uid == os.getuid():
            return len(os.listdir(process / "task"))
    return 0
