"""A reveal as static HTML: yours beside what was measured, why they differ, the figure, the code, the rule's source."""

from collections.abc import Iterator

from askless.catalog import Source
from askless.check.target import WORDS
from askless.errors import Problem
from askless.learn.progress import Committed, Step
from askless.show import html, lesson
from askless.show.cells import requests, worked
from askless.show.reveal import Reveal, history, off, place, reasons, reveal
from askless.show.segments import Panel, Table
from askless.show.tables import code_difference
from askless.show.text import NOTE
from askless.task import Rung, Task
from askless.trace import Trace

WITHOUT = "You chose to see this without predicting it. The record says so."


def shown(task: Task, rung: Rung, step: Step) -> str:
    """The reveal of a rung, its run measured just now."""
    measured = lesson.measured(task)
    found = reveal(task, rung, measured(rung.name), step)
    beside = neighbour(task, rung)
    return html.frame(
        html.heading(f"{rung.name}: {rung.idea}"),
        html.table(_numbers(found)),
        *map(html.paragraph, history(step) if step.predictions else [WITHOUT]),
        *_explained(found),
        requests(_panels(found, measured(beside.name))),
        html.prose(lesson.fill(lesson.told_by_reveals(task.page.read_text("utf-8")).get(rung.name, ""), measured)),
        _code(*sorted((rung, beside), key=lambda each: each.number)),
        _sources(found.sources),
        html.paragraph(NOTE, "note"),
    )


def neighbour(task: Task, rung: Rung) -> Rung:
    """The rung to compare with: the one below, and for the first the one above."""
    rungs = worked(task)
    at = rungs.index(rung)
    return rungs[at - 1] if at else rungs[1]


def _numbers(found: Reveal) -> Table:
    if found.explanation is None:
        totals = found.trace.totals
        measured = tuple((words, f"{getattr(totals, name):,}") for name, words in WORDS.items())
        return Table("The measured run", ("", "measured"), measured)
    rows = tuple(
        (
            WORDS[one.measure],
            f"{one.predicted:,}",
            f"{one.measured:,}",
            off(one),
            "" if one.sure is None else f"{one.sure} %",
        )
        for one in found.explanation.compared
    )
    return Table("Your prediction and the measured run", ("", "predicted", "measured", "difference", "how sure"), rows)


def _explained(found: Reveal) -> Iterator[str]:
    """The wrong ideas that give the numbers, and, folded, the request where count and run part."""
    if found.explanation is None:
        return
    lines = iter(reasons(found.explanation))
    for line in lines:
        if line.indent:  # an idea; what holds instead is the next line
            yield html.quotation(f"{line.text.removeprefix('- ')} {next(lines).text}")
        elif line.text:
            yield html.paragraph(line.text, "strong" if line.style else "")
    where = [line for line in place(found) if line.text]
    if where:
        yield html.fold(where[0].text, html.outline(where[1:]))


def _panels(found: Reveal, beside: Trace) -> list[Panel]:
    """The run and its neighbour in the order of the ladder, and how the reader imagined it."""
    explanation = found.explanation
    predicted = found.step.predictions[-1].prediction if found.step.predictions else None
    parting = explanation.parting if explanation else None
    bar = parting.index + 1 if parting and parting.index < len(found.trace.round_trips) else None
    panels = [Panel(found.trace, predicted, parts_at=bar), Panel(beside)]
    return panels if found.rung.number == 0 else panels[::-1]


def _code(left: Rung, right: Rung) -> str:
    before, after = (rung.worked.read_text("utf-8") for rung in (left, right) if rung.worked)
    lines = code_difference(before, after, (left.name, right.name))
    return html.fold(f"What changes in the code from {left.name} to {right.name}", html.difference(lines))


def _sources(sources: tuple[Source, ...]) -> str:
    return html.heading("Where the rule stands") + "".join(map(html.source, sources)) if sources else ""


def committed(rung: Rung, step: Step) -> str:
    """The state of a rung's prediction, as its cell keeps it."""
    if not step.predictions:
        seen = f" {WITHOUT}" if step.shown_without_predicting else ""
        return html.frame(html.paragraph(f"No prediction of {rung.name} is committed.{seen}"))
    return html.frame(html.table(_prediction(step.predictions[-1])), *map(html.paragraph, history(step)))


def waiting(rung: Rung) -> str:
    """What stands in place of a reveal until there is something to compare with."""
    text = f"{rung.name} is not revealed, because no prediction of it is committed."
    act = "fill in the form above and choose Reveal, or commit there and run this cell again."
    return html.frame(html.problem(Problem(text, act)))


def _prediction(last: Committed) -> Table:
    sure = last.prediction.sure or {}
    rows = tuple(
        (WORDS[measure], f"{number:,}", f"{sure[measure]} %" if measure in sure else "")
        for measure, number in last.prediction.numbers.items()
    )
    return Table("The prediction that counts", ("", "predicted", "how sure"), rows)
