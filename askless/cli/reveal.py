"""reveal: a rung's measured run beside what was predicted of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    from argparse import Namespace

    from askless.learn.progress import Progress
    from askless.task import Rung, Task


def add(commands: Any) -> None:
    """Add the command to the parser."""
    from askless.cli.predict import name_rung

    what = "a rung's measured run beside your prediction, and why they differ"
    reveal = commands.add_parser("reveal", help=what, description=f"{what[0].upper()}{what[1:]}.")
    name_rung(reveal)
    reveal.add_argument("--without-predicting", action="store_true", help="show it all the same; this is recorded")
    reveal.add_argument("--plain", action="store_true", help="no colours (as NO_COLOR=1)")
    reveal.set_defaults(run=_reveal)


def _reveal(words: Namespace) -> int:
    from askless.cli import record
    from askless.cli.predict import worked_rung

    task, rung = worked_rung(words)
    step = record.load(task).rung(rung.name)
    if not step.predictions and not step.seen and not words.without_predicting:
        raise Problem(
            f"you have not predicted {rung.name} yet.",
            f"askless predict {words.task} {rung.name}, or see it without: add --without-predicting (it is recorded).",
        )
    _show(task, rung, words)
    return 0


def _show(task: Task, rung: Rung, words: Namespace) -> None:
    from askless.cli import record
    from askless.show import lesson, reveal, text

    measured = lesson.measured(task)
    measured(rung.name)  # a run that fails was not shown
    progress = record.change(task, lambda before: before.show(rung.name))
    shown = reveal.reveal(task, rung, measured, progress)
    text.show(text.console(plain=words.plain), reveal.lines(shown))
    page = f"askless trace {words.task} {rung.name} --html {rung.name}.html"
    print(f"Drawn: {page}; beside your prediction in the notebook, make lab.")
    print(f"Next: {_next(task, rung, progress, words)}")


def _next(task: Task, rung: Rung, progress: Progress, words: Namespace) -> str:
    """The next rung that was not shown yet, else practice."""
    later = [each.name for each in task.rungs[rung.number + 1 :] if each.worked and not progress.rung(each.name).seen]
    return f"askless predict {words.task} {later[0]}" if later else f"askless practice {words.task}"
