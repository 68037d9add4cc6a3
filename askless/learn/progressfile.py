"""The progress record's file beside the learner's: read, changed under a lock, set aside when it is damaged."""

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import count
from pathlib import Path

from askless.errors import Problem
from askless.files import save
from askless.learn.intake import faults
from askless.learn.progress import Progress
from askless.learn.progressjson import Damaged, TooNew, read, write
from askless.lock import alone

FILE = ".progress.json"
LOCK = ".progress.lock"

Change = Callable[[Progress], Progress]


def load(folder: Path) -> Progress:
    """The record in a task's learner folder, or an empty one. A damaged file is set aside, and `aside` says where."""
    try:
        return _read(folder)
    except Damaged:
        return change(folder, lambda progress: progress)


def change(folder: Path, step: Change) -> Progress:
    """The record after one step, stored; writers go one after the other. A Problem leaves the record as it was."""
    lock = folder / LOCK
    try:
        with alone(lock):
            return _change(folder, step)
    except OSError as error:
        raise _unwritable(f"{lock} could not be written: {error.strerror}.") from None


def export(folder: Path, target: Path) -> None:
    """Copy the record to a file, which may be an older copy but hold nothing else."""
    ours = load(folder)
    if target.is_dir() or (target.exists() and target.stat().st_size):
        held, task = _other(target, "name another file to export to")
        if task != _task(folder) or ours.merge(held) != ours:
            raise Problem(f"{target} holds what your record does not.", "import it first, or name another file.")
    save(target, write(ours, _task(folder)))


def take_in(folder: Path, source: Path, rungs: Collection[str]) -> Progress:
    """Add an exported record of these rungs to this one; nothing of either is lost. One with a fault is not added."""
    other, task = _other(source, "name a file that was exported with --export")
    if task != _task(folder):
        raise Problem(f"{source} is a record of {task}, not of {_task(folder)}.", f"import it there: {task}.")
    if wrong := list(faults(other, rungs)):
        seen = "\n".join([f"{source} was not taken in:", *(f"- {each}" for each in wrong)])
        raise Problem(seen, "export it afresh where it was made, or take what is named out of the file.")
    return change(folder, lambda progress: progress.merge(other))


def _task(folder: Path) -> str:
    return folder.resolve().parent.name


def _change(folder: Path, step: Change) -> Progress:
    try:
        before = _read(folder)
    except Damaged:
        before = Progress(aside=_set_aside(folder / FILE))
    after = step(before)
    if after != before:
        _store(folder, after)
    return replace(after, aside=before.aside)


def _read(folder: Path) -> Progress:
    try:
        return _record(folder / FILE)[0]
    except FileNotFoundError:
        return Progress()


def _other(path: Path, next_act: str) -> tuple[Progress, str]:
    try:
        return _record(path)
    except FileNotFoundError:
        raise Problem(f"{path} does not exist.", f"{next_act}.") from None
    except Damaged:
        raise Problem(f"{path} is no progress record.", f"{next_act}.") from None


def _record(path: Path) -> tuple[Progress, str]:
    try:
        return read(path.read_text("utf-8-sig"))
    except TooNew as found:
        raise Problem(f"{path} was written by a later askless ({found}).", "update this copy: make update.") from None
    except UnicodeDecodeError:
        raise Damaged("not UTF-8") from None
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror}.", "make it readable, or move it away.") from None


def _set_aside(path: Path) -> Path:
    """A name that is free; the damaged record moves there."""
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    return path.rename(next(name for name in names if not name.exists()))


def _store(folder: Path, progress: Progress) -> None:
    try:
        save(folder / FILE, write(progress, _task(folder)))
    except Problem as problem:
        raise _unwritable(problem.seen) from None


def _unwritable(seen: str) -> Problem:
    return Problem(f"{seen} What was stored before is not lost.", "make room or make the folder writable, and repeat.")
