"""What a cell of a lesson's notebook calls: one function for each thing to see or to do.

What a cell shows is static HTML in the cell's own output. It is there after a restart, in a copy, in print.
Only the form lives in the kernel; what was committed with it is in the progress record.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, ParamSpec, cast

from IPython.display import DisplayHandle

from askless import task as tasks
from askless.errors import Problem
from askless.learn import progressfile
from askless.learn.progress import Progress
from askless.show import cells, html, revealed
from askless.show.form import Form, reveals, shown
from askless.show.output import put, put_widget, replace
from askless.show.practised import practised
from askless.task import Task

P = ParamSpec("P")


def _cell(show: Callable[Concatenate[Task, P], None]) -> Callable[Concatenate[str, P], None]:
    """A function of a task as one of the task's name; a Problem is shown in words."""

    def run(task: str, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            show(tasks.load(task), *args, **kwargs)
        except Problem as problem:
            put(html.frame(html.problem(problem)))

    return cast("Callable[Concatenate[str, P], None]", update_wrapper(run, show))


def _progress(task: Task) -> Progress:
    """The learner's record; where a damaged one was set aside, the cell says so."""
    progress = progressfile.load(task.learner.parent)
    if progress.aside:
        text = f"Your progress record was damaged. It is kept as {progress.aside.name}, and a new one begins."
        put(html.frame(html.paragraph(text, "strong")))
    return progress


def _record_shown(task: Task, rung: str) -> None:
    """Where the record cannot be written, the cell says so and shows the run all the same."""
    try:
        progressfile.change(task.learner.parent, lambda before: before.show(rung))
    except Problem as problem:
        put(html.frame(html.problem(problem)))


@_cell
def question(task: Task) -> None:
    """The question that the agent is asked."""
    put(cells.question(task))


@_cell
def desk(task: Task) -> None:
    """The data behind the question."""
    put(cells.desk(task))


@_cell
def walk(task: Task, rung: str) -> None:
    """One run, request by request; the record says that it was shown."""
    _record_shown(task, rung)
    put(cells.walk(task, rung))


@_cell
def shapes(task: Task, rung: str) -> None:
    """A reply with calls and the message that answers it, raw."""
    put(cells.shapes(task, rung))


@_cell
def predict(task: Task, rung: str) -> None:
    """A form for what you expect of a rung; below it, the prediction that counts."""
    named = task.rung(rung)
    step = _progress(task).rung(named.name)
    below = DisplayHandle()
    put_widget(Form(task, named, below).box)
    put(revealed.committed(named, step), below)


@_cell
def reveal(task: Task, rung: str) -> None:
    """A rung's measured run beside your prediction; where there is none, the cell waits for it."""
    named = task.rung(rung)
    step = _progress(task).rung(named.name)
    page = shown(task, named) if step.predictions or step.seen else revealed.waiting(named)
    reveals[task.name, named.name].append(put(page))


@_cell
def ladder(task: Task) -> None:
    """The rungs that you have seen, as a table and on one scale."""
    put(cells.rungs(task, _progress(task)))


@_cell
def compare(task: Task) -> None:
    """What each part of the requests cost, rung by rung."""
    put(cells.compare(task, _progress(task)))


@_cell
def scenarios(task: Task) -> None:
    """The scenarios of the production rung."""
    put(cells.scenarios(task))


@_cell
def practice(task: Task, rung: str = "v3") -> None:
    """Your agent against a rung's target, in a process of its own."""
    place = put(html.frame(html.paragraph("Your agent is running …")))
    replace(place, practised(task, rung))


@_cell
def progress(task: Task) -> None:
    """What you predicted, what was measured, and how far off it was, over the ladder."""
    put(cells.progress(task, _progress(task)))


@_cell
def interview(task: Task) -> None:
    """Questions from interviews; the answers open on demand."""
    put(cells.interview(task, _progress(task)))
