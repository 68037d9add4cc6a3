"""Which processes there are, as Linux tells it."""

import time
from collections.abc import Callable
from pathlib import Path


def until(holds: Callable[[], bool]) -> None:
    """Wait for what must come about; a minute is far more than it takes."""
    for _ in range(6_000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never came about")


def alive(pid: int) -> bool:
    """Whether a process is there and not merely waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def sleeping(seconds: str) -> list[str]:
    """The processes that sleep for so many seconds; a run may know them by other numbers."""
    lines = {path: _bytes(path) for path in Path("/proc").glob("[0-9]*/cmdline")}
    return [path.parent.name for path, line in lines.items() if line == f"sleep\0{seconds}\0".encode()]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def children(pid: int) -> list[int]:
    """The processes that one has started, by any of its threads."""
    lines = [_bytes(path) for path in Path("/proc").glob(f"{pid}/task/*/children")]
    return [int(child) for line in lines for child in line.split()]
