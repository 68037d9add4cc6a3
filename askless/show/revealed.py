"""A reveal as static HTML: yours beside what was measured, why they differ, the figure, the code, the rule's source."""

from collections.abc import Iterator
from itertools import groupby, pairwise

from askless.catalog import Source
from askless.check.target import WORDS
from askless.errors import Problem
from askless.learn.progress import Committed, Progress, Step
from askless.show import html, lesson
from askless.show.cells import requests
from askless.show.reasons import reasons
from askless.show.reveal import WITHOUT, Reveal, changes, history, off, place, reveal
from askless.show.segments import Table
from askless.show.text import NOTE, Line
from askless.task import Rung, Task

IDEA = 2  # columns by which the terminal indents an idea; what holds instead stands farther in


def shown(task: Task, rung: Rung, kept: Progress) -> str:
    """The reveal of a rung, its run measured just now."""
    measured = lesson.measured(task)
    found = reveal(task, rung, measured, kept)
    return html.frame(
        html.heading(f"{rung.name}: {rung.idea}"),
        html.table(_numbers(found)),
        *map(html.paragraph, history(found.step)),
        *_explained(found),
        requests(found.panels),
        html.prose(lesson.fill(lesson.told(task, rung.name), measured)),
        html.fold(changes(found), html.difference(found.code)),
        _sources(found.sources),
        html.paragraph(NOTE, "note"),
    )


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


def _said(line: Line) -> str:
    return html.paragraph(line.text, "strong" if line.style else "") if line.text else ""


def _ideas(lines: list[Line]) -> Iterator[str]:
    """Each idea, and what stands below it."""
    starts = [at for at, line in enumerate(lines) if line.indent == IDEA]
    for start, end in pairwise([*starts, len(lines)]):
        yield html.quotation(" ".join(line.text for line in lines[start:end]).removeprefix("- "))


def _explained(found: Reveal) -> Iterator[str]:
    """The wrong ideas that give the numbers, and, folded, the request where count and run part."""
    if found.explanation is None:
        return
    for indented, group in groupby(reasons(found.explanation), key=lambda line: line.indent > 0):
        lines = list(group)
        yield from _ideas(lines) if indented else map(_said, lines)
    where = [line for line in place(found) if line.text]
    if where:
        yield html.fold(where[0].text, html.outline(where[1:]))


def _sources(sources: tuple[Source, ...]) -> str:
    return html.heading("Where the rule stands") + "".join(map(html.source, sources)) if sources else ""


def committed(rung: Rung, step: Step) -> str:
    """The state of a rung's prediction, as its cell keeps it."""
    if not step.predictions:
        seen = f" {WITHOUT}" if step.seen else ""
        return html.frame(html.paragraph(f"No prediction of {rung.name} is committed.{seen}"))
    table = html.table(_prediction(step.counting)) if step.counting else ""
    return html.frame(table, *map(html.paragraph, history(step)))


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
