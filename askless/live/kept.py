"""Where live runs are kept: learner/live/ of a task, which git passes over."""

from pathlib import Path

from askless import tracefile
from askless.errors import Problem
from askless.task import Task
from askless.trace import Trace


def folder(task: Task) -> Path:
    """The folder, made if need be: a run that costs money is not to find that it cannot be kept."""
    path = task.learner.parent / "live"
    try:
        path.mkdir(exist_ok=True)
        (path / ".try").touch()
        (path / ".try").unlink()
    except OSError as error:
        raise Problem(f"{path} cannot be written in: {error.strerror}.", "make it writable, or make room.") from None
    return path


def keep(trace: Trace, folder: Path, name: str) -> Path:
    """Write a run under the next free number of its agent: v1-1.jsonl, v1-2.jsonl; nothing is ever replaced."""
    numbers = [int(path.stem.rpartition("-")[2]) for path in folder.glob(f"{name}-*.jsonl") if _numbered(path)]
    path = folder / f"{name}-{max(numbers, default=0) + 1}.jsonl"
    tracefile.write(trace, path)
    return path


def _numbered(path: Path) -> bool:
    return path.stem.rpartition("-")[2].isdecimal()
