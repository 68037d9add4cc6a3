"""The learner's own files, as the commands find them: the record of what was done, and the agent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from askless.learn.progress import Progress
    from askless.task import Task
    from askless.trace import Trace


def load(task: Task) -> Progress:
    """What the learner of a task has done so far; it is told when the record was damaged."""
    from askless.learn import progressfile

    return _told(progressfile.load(task.learner.parent))


def change(task: Task, step: Callable[[Progress], Progress]) -> Progress:
    """The same after one step, stored."""
    from askless.learn import progressfile

    return _told(progressfile.change(task.learner.parent, step))


def shown(task: Task, *rungs: str) -> None:
    """Record that measured runs are shown, and say what that means. A record that cannot be written stops nothing."""
    from askless.errors import Problem

    try:
        before = load(task)
        if new := [name for name in rungs if not before.rung(name).seen]:
            change(task, lambda progress: progress.show(*new))
            again = f"On record as shown now: {', '.join(new)}. A prediction counts only if it was made before."
            print(again, file=sys.stderr)
    except Problem as problem:
        print(f"Not on record as shown: {problem.seen}", file=sys.stderr)


def keep(task: Task, trace: Trace) -> None:
    """Keep the run of the last practice, for `last` to give back. A Problem where it cannot be written."""
    from dataclasses import replace

    from askless import tracefile

    tracefile.write(replace(trace, rung=_kept(task).parent.name), _kept(task))


def has_run(task: Task) -> bool:
    """Whether there is a run of the last practice."""
    return _kept(task).is_file()


def last(task: Task) -> Trace:
    """The run of the last practice. A Problem where there is none."""
    from askless import tracefile
    from askless.errors import Problem

    if not has_run(task):
        raise Problem("your agent has not run yet.", f"askless practice {task.name}; it keeps its trace.")
    return tracefile.read(_kept(task))


def _kept(task: Task) -> Path:
    return task.learner.with_name(".practice.jsonl")


def _told(progress: Progress) -> Progress:
    if progress.aside:
        print(
            f"The progress record was damaged. It is kept as {progress.aside}, and a new one begins.", file=sys.stderr
        )
    return progress


def near(path: Path) -> Path:
    """A path as seen from here, where it lies below."""
    from pathlib import Path

    here = Path.cwd()
    return path.resolve().relative_to(here) if path.resolve().is_relative_to(here) else path
