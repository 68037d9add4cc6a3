"""One process, or thread, at a time."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from askless.errors import Problem

WAIT_S = 10.0  # for others, who need a few milliseconds
PAUSE_S = 0.01


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the lock on a file, which is made where there is none; OSError when it cannot be made.

    The system lets go of the lock when its holder dies. The file stays, since another may be waiting on it.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _wait(file, path)
        yield
    finally:
        os.close(file)


def _wait(file: int, path: Path) -> None:
    until = time.monotonic() + WAIT_S
    while not _locked(file):
        if time.monotonic() > until:
            raise Problem(f"another program has held {path} for {WAIT_S:.0f} s.", "end that program, and repeat.")
        time.sleep(PAUSE_S)


if sys.platform == "win32":
    import msvcrt

    def _locked(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
