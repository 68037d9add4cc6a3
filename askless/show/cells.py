"""What each cell of a lesson's notebook shows, as static HTML computed from the task, its traces and the record."""

import ast

from askless import ladder
from askless.learn.prediction import Prediction
from askless.learn.progress import Progress
from askless.show import budgets, described, figure, html, lesson
from askless.show import shapes as raw
from askless.show.progress import lines as progress_lines
from askless.show.segments import Panel, Table, guesses
from askless.show.text import NOTE, trace_lines
from askless.task import Rung, Task

HIDDEN = "not revealed"


def question(task: Task) -> str:
    """What the agent is asked."""
    return html.frame(html.quotation(task.desk().question))


def desk(task: Task) -> str:
    """The shown desk, as the task's store has it."""
    text = (task.folder / "store.py").read_text("utf-8")
    shown = next(node for node in ast.parse(text).body if isinstance(node, ast.Assign) and _names(node) == ["SHOWN"])
    return html.frame(html.code(ast.get_source_segment(text, shown) or ""))


def _names(node: ast.Assign) -> list[str]:
    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def walk(task: Task, rung: str) -> str:
    """One run drawn, then request by request in the words of `askless trace`."""
    trace = ladder.run(task, rung)
    return html.frame(requests([Panel(trace)]), html.outline(trace_lines(trace)))


def requests(panels: list[Panel]) -> str:
    """Figure 1 with its table."""
    return html.figure(figure.requests(panels), described.requests_text(panels), described.requests_table(panels))


def shapes(task: Task, rung: str) -> str:
    """A reply with calls and the message that answers it, as they went over the wire, cut to their first blocks."""
    shown = raw.shapes(ladder.run(task, rung))
    return html.frame(*(html.paragraph(said) + html.code(text) for said, text in shown))


def panels(task: Task, progress: Progress) -> list[Panel]:
    """Every rung whose run was shown before, with the prediction of it that counts."""
    seen = [rung.name for rung in task.rungs if rung.worked and progress.rung(rung.name).seen]
    return [Panel(ladder.run(task, name), _counting(progress, name)) for name in seen]


def _counting(progress: Progress, rung: str) -> Prediction | None:
    committed = progress.counts(rung)
    return committed.prediction if committed else None


def rungs(task: Task, progress: Progress) -> str:
    """The ladder as a table, and its runs on one scale."""
    drawn = panels(task, progress)
    seen = {panel.trace.rung: panel for panel in drawn}
    table = html.table(
        Table(
            "The ladder",
            ("rung", "idea", "round trips", "tool calls", "input tokens"),
            tuple(_row(rung, seen.get(rung.name)) for rung in task.rungs),
        )
    )
    return html.frame(table, requests(drawn) if drawn else "", html.paragraph(NOTE, "note"))


def _row(rung: Rung, panel: Panel | None) -> tuple[str, ...]:
    if rung.worked is None:
        return (rung.name, rung.idea, "", "", "")
    if panel is None:
        return (rung.name, rung.idea, *[HIDDEN] * 3)
    totals = panel.trace.totals
    return (rung.name, rung.idea, *(f"{n:,}" for n in (totals.round_trips, totals.tool_calls, totals.input_tokens)))


def scenarios(task: Task) -> str:
    """The scenarios of the production rung, and what each may cost at most."""
    return html.frame(html.table(Table(budgets.TITLE, budgets.HEADS, budgets.rows(task))))


def compare(task: Task, progress: Progress) -> str:
    """What each kind of part costs, rung by rung."""
    seen = panels(task, progress)
    if not seen:
        return html.frame(html.paragraph("No run was shown yet, so there is nothing to compare."))
    drawn = html.figure(figure.parts(seen), described.parts_text(seen), described.parts_table(seen))
    return html.frame(drawn, html.paragraph(NOTE, "note"))


def progress(task: Task, kept: Progress) -> str:
    """The ladder in the words of `askless progress`, and how far off each prediction was."""
    said = html.code("\n".join(line.text for line in progress_lines(task, kept)))
    return html.frame(said, _calibration(task, kept))


def _calibration(task: Task, kept: Progress) -> str:
    off = guesses(panels(task, kept))
    if not off:
        return ""
    return html.figure(figure.calibration(off), described.calibration_text(off), described.calibration_table(off))


def interview(task: Task, kept: Progress) -> str:
    """Each question, its model answer folded below it; numbers of a run that was not shown yet are held back."""
    numbers = lesson.measured(task)
    asked = lesson.questions(task.interview.read_text("utf-8"))
    folds = (
        html.fold(said.replace("`", ""), html.prose(lesson.fill(_told(answer, kept), numbers)))
        for said, answer in asked
    )
    return html.frame(*folds)


def _told(answer: str, kept: Progress) -> str:
    hidden = [name for name in lesson.rungs_named(answer) if not kept.rung(name).seen]
    if not hidden:
        return answer
    return f"This answer holds measured numbers of {' and '.join(hidden)}. Reveal that first, then run this cell again."
