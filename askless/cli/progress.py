"""progress: how far a learner is; their record out to a file, and another one in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    from argparse import Namespace

    from askless.task import Task


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "the ladder: what you predicted, what was measured, how far off"
    progress = commands.add_parser("progress", help=what, description=f"{what[0].upper()}{what[1:]}.")
    progress.add_argument("task", nargs="?", help="a task's name, or its beginning (else all tasks)")
    progress.add_argument("--plain", action="store_true", help="no colours (as NO_COLOR=1)")
    way = progress.add_mutually_exclusive_group()
    way.add_argument("--json", action="store_true", help="as a JSON list, one object for each task")
    way.add_argument("--export", metavar="FILE", help="copy your record to a file")
    adds = "add an exported record; what counts is the prediction that stood when a run was shown, yours first"
    way.add_argument("--import", metavar="FILE", dest="take", help=adds)
    progress.set_defaults(run=_progress)


def _progress(words: Namespace) -> int:
    if words.export is not None or words.take is not None:
        return _carry(_only(words), words)
    tasks = _tasks(words.task)
    if words.json:
        return _print_json(tasks)
    for number, task in enumerate(tasks):
        print("\n" if number else "", end="")
        _show(task, words)
    return 0


def _tasks(name: str | None) -> list[Task]:
    from askless import task as tasks

    return [tasks.load(each) for each in ([name] if name else tasks.names())]


def _only(words: Namespace) -> Task:
    """The task that was named, or the only one there is."""
    tasks = _tasks(words.task)
    if len(tasks) != 1:
        raise Problem("a record is of one task.", f"name one of: {', '.join(task.name for task in tasks)}.")
    return tasks[0]


def _carry(task: Task, words: Namespace) -> int:
    from pathlib import Path
    from shlex import quote

    from askless.learn import progressfile

    folder = task.learner.parent
    if words.export is not None:
        progressfile.export(folder, Path(words.export))
        print(f"Your record of {task.name} is in {words.export}.")
        print(f"Next: on the other machine, askless progress {task.name} --import {quote(Path(words.export).name)}")
        return 0
    progressfile.take_in(folder, Path(words.take), [rung.name for rung in task.rungs])
    print(f"The record in {words.take} was added to yours; nothing of yours was lost.\n")
    _show(task, words)
    return 0


def _show(task: Task, words: Namespace) -> None:
    from askless.cli import record
    from askless.show import progress, text

    text.show(text.console(plain=words.plain), progress.lines(task, record.load(task)))


def _print_json(tasks: list[Task]) -> int:
    import json

    from askless.cli import record
    from askless.show.progress import document

    shown = [document(task, record.load(task)) for task in tasks]
    print(json.dumps(shown, indent=2, ensure_ascii=False))
    return 0
