"""hint and reset: what a learner asks for between two practice runs. They start fast, so they load little."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from askless.learn.glance import Glance
    from askless.learn.hints import Hint, Step

DEFAULT = "3"  # the rung that practice aims at where none is named: the highest with a worked version


def add(commands: Any) -> None:
    """Add the commands to the parser."""
    told = {
        "hint": ("one more hint; after success all of them and the worked rung", run_hint),
        "reset": ("give your agent its first text back; a dated copy of yours is kept", run_reset),
    }
    for name, (words, run) in told.items():
        command = commands.add_parser(name, help=words)
        command.add_argument("task", nargs="?", help="a task's name, or its beginning (else the first)")
        command.set_defaults(run=run)


def run_hint(args: argparse.Namespace) -> int:
    """One more hint for what the last practice run showed."""
    from askless import folders
    from askless.learn import glance, hints

    folder = folders.find(args.task or folders.names()[0])
    steps = hints.read(folder / "hints.json")
    seen = glance.read(folder / "learner") or _longer_look(folder)
    if seen.verdict == "reached":
        print("\n".join(_all(folder, steps, seen.rung)))
        return 0
    step = hints.step_for(steps, seen.findings, seen.highest)
    hint = hints.next_hint(step, seen.hints.get(step.name, 0))
    print(f"Hint {hint.number} of {hint.of} ({hint.step}): {hint.text}\n")
    print(f"Next: change your agent and run askless practice {folder.name}{_rung(seen)}{_more(hint, folder)}.")
    try:
        if not glance.count(folder / "learner", hint.step, hint.number):
            _count(folder, hint.step, hint.number)
    except Problem as problem:
        print(f"The next call gives the same hint: {problem.seen}", file=sys.stderr)
    return 0


def _more(hint: Hint, folder: Path) -> str:
    return f"; askless hint {folder.name} says more" if hint.number < hint.of else ""


def _rung(seen: Glance) -> str:
    """The rung that was last aimed at, where it has to be said."""
    return f" --rung {seen.rung}" if seen.rung and seen.rung != f"v{DEFAULT}" else ""


def _longer_look(folder: Path) -> Glance:
    """The same from a record that is not there yet, is of another version, or damaged, which the learner is told."""
    from askless import task
    from askless.cli import record
    from askless.learn import progress
    from askless.learn.glance import Glance

    kept = record.load(task.load(folder))
    last = kept.last or progress.Last("", "", None, ())
    return Glance(last.rung, last.verdict, last.highest, last.findings, dict(kept.hints))


def _count(folder: Path, step: str, number: int) -> None:
    from dataclasses import replace

    from askless import task
    from askless.cli import record

    record.change(task.load(folder), lambda progress: replace(progress, hints={**progress.hints, step: number}))


def _all(folder: Path, steps: tuple[Step, ...], rung: str) -> Iterator[str]:
    """Every hint, and the worked rung that was reached."""
    from askless import folders

    for step in steps:
        yield f"{step.name}:"
        yield from (f"  {number} of {len(step.hints)}: {hint}" for number, hint in enumerate(step.hints, 1))
    worked = folders.worked(folder, rung)
    if worked.is_file():
        yield f"\nRung {rung}, worked: {worked}\n"
        yield worked.read_text("utf-8")
    yield f"Next: compare it with yours, or try another rung: askless practice {folder.name} --rung N"


def run_reset(args: argparse.Namespace) -> int:
    """The learner's file as it was at first: the first worked rung."""
    from askless import folders
    from askless.cli.record import near
    from askless.learn.restore import restore

    folder = folders.find(args.task or folders.names()[0])
    first = folders.worked(folder, _first_rung(folder))
    if not first.is_file():
        raise Problem(f"{first} is not there to restore from.", f"git checkout -- {first}")
    agent = near(folder / "learner" / "agent.py")
    kept = restore(agent, first, time.strftime("%Y-%m-%d"))
    print(f"{agent} is as it was at first." + (f" Yours is kept: {kept}" if kept else ""))
    print(f"Next: askless practice {folder.name}")
    return 0


def _first_rung(folder: Path) -> str:
    try:
        return str(json.loads((folder / "rungs.json").read_text("utf-8"))["rungs"][0]["name"])
    except (OSError, ValueError, LookupError, TypeError):
        from askless import task

        return task.load(folder).rungs[0].name  # says what is wrong with the file
