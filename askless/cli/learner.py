"""hint and reset: what a learner asks for between two practice runs. No SDK, no server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from askless.learn.hints import Step
    from askless.learn.progress import Last
    from askless.task import Task


def add(commands: Any) -> None:
    """Add the commands to the parser."""
    told = {
        "hint": ("one more hint; after success all of them and the worked rung", run_hint),
        "reset": ("give your agent its first text back; a dated copy of yours is kept", run_reset),
    }
    for name, (words, run) in told.items():
        command = commands.add_parser(name, help=words)
        command.add_argument("task", help="a task's name, or its beginning")
        command.set_defaults(run=run)


def run_hint(args: argparse.Namespace) -> int:
    """One more hint for what the last practice run showed."""
    from dataclasses import replace

    from askless import task as tasks
    from askless.cli import record
    from askless.learn import hints

    task = tasks.load(args.task)
    steps = hints.read(task.folder / "hints.json")
    kept = record.load(task)
    if kept.last and kept.last.verdict == "reached":
        print("\n".join(_all(task, steps, kept.last)))
        return 0
    hint, after = hints.next_hint(steps, kept)
    print(f"Hint {hint.number} of {hint.of} ({hint.step}): {hint.text}\n")
    print(f"Next: change your agent and run askless practice {args.task}; askless hint {args.task} says more.")
    record.change(task, lambda progress: replace(progress, hints=after.hints))
    return 0


def _all(task: Task, steps: tuple[Step, ...], last: Last) -> Iterator[str]:
    """Every hint, and the worked rung that was reached."""
    for step in steps:
        yield f"{step.name}:"
        yield from (f"  {number} of {len(step.hints)}: {hint}" for number, hint in enumerate(step.hints, 1))
    worked = task.rung(last.rung).worked
    if worked:
        yield f"\nRung {last.rung}, worked: {worked}\n"
        yield worked.read_text("utf-8")
    yield f"Next: compare it with yours, or try another rung: askless practice {task.name} --rung N"


def run_reset(args: argparse.Namespace) -> int:
    """The learner's file as it was at first."""
    from askless import task as tasks
    from askless.cli.record import near
    from askless.learn.restore import restore

    task = tasks.load(args.task)
    first = task.rungs[0].worked
    if first is None:
        raise Problem(f"{task.name} has no worked {task.rungs[0].name} to restore from.", "git checkout -- worked")
    kept = restore(near(task.learner), first, time.strftime("%Y-%m-%d"))
    print(f"{near(task.learner)} is as it was at first." + (f" Yours is kept: {kept}" if kept else ""))
    print(f"Next: askless practice {args.task}")
    return 0
