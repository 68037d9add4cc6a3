"""The notebook command: write a task's notebook from its page, or say whether it is stale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    from argparse import Namespace

    from askless.task import Task


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "write a task's notebook from its page.md"
    notebook = commands.add_parser("notebook", help=what, description=f"{what[0].upper()}{what[1:]}.")
    notebook.add_argument("task", nargs="?", help="a task's name, or its beginning (default: every task)")
    notebook.add_argument("--check", action="store_true", help="write nothing; leave with 1 when a notebook is stale")
    notebook.set_defaults(run=_run)


def _run(words: Namespace) -> int:
    from askless import task as tasks

    chosen = [tasks.load(name) for name in ([words.task] if words.task else tasks.names())]
    stale = [task for task in chosen if not _up_to_date(task)]
    for task in stale:
        if not words.check:
            _write(task)
    _tell(chosen, stale, check=words.check)
    return 1 if words.check and stale else 0


def _up_to_date(task: Task) -> bool:
    return task.notebook.is_file() and task.notebook.read_text("utf-8") == _text(task)


def _write(task: Task) -> None:
    from askless.files import save

    task.notebook.parent.mkdir(exist_ok=True)
    save(task.notebook, _text(task))


def _text(task: Task) -> str:
    from askless.show import notebookfile

    if not task.page.is_file():
        raise Problem(f"{task.folder} has no {task.page.name}.", "write the lesson there first.")
    try:
        return notebookfile.text(task)
    except ModuleNotFoundError as missing:
        raise Problem(f"{missing.name} is not installed.", "run make install.") from None


def _tell(chosen: list[Task], stale: list[Task], *, check: bool) -> None:
    for task in chosen:
        if task not in stale:
            print(f"{task.notebook.name} is up to date.")
        elif check:
            print(f"{task.notebook.name} is stale, or holds outputs.\nNext: askless notebook {task.name}")
        else:
            print(f"{task.notebook.name} written.")
