"""What stands on a page in place of each directive: the values that its template shows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from askless import catalog
from askless.check.target import WORDS
from askless.show import budgets, lesson, markup, numbers, segments, walked
from askless.show.markup import Notes
from askless.show.reveal import neighbour
from askless.show.shapes import shapes
from askless.show.tables import code_difference
from askless.show.variants import source, variants
from askless.task import Task
from askless.trace import Trace

Context = dict[str, Any]


@dataclass(frozen=True)
class Sheet:
    """What every directive may need of the page it stands on."""

    task: Task
    runs: lesson.Measured
    notes: Notes

    def prose(self, markdown: str) -> Markup:
        """A text with its numbers measured and its sources numbered."""
        return markup.prose(self.filled(markdown))

    def filled(self, markdown: str) -> str:
        """The same as Markdown."""
        return lesson.fill(numbers.fill(self.notes.links(markdown), self.runs), self.runs)


@dataclass(frozen=True)
class Figure:
    """Runs drawn on one scale, each with its requests."""

    runs: tuple[tuple[Trace, tuple[walked.Request, ...]], ...]
    widest: int


def _question(sheet: Sheet) -> Context:
    return {"question": sheet.task.desk().question}


def _desk(sheet: Sheet) -> Context:
    head, *rows = sheet.task.desk().table
    return {"head": head, "rows": rows}


def _walk(sheet: Sheet, rung: str) -> Context:
    trace = sheet.runs(rung)
    return {"figure": figure(trace), "requests": walked.requests(trace), "trace": trace, "rung": rung}


def _shapes(sheet: Sheet, rung: str) -> Context:
    return {"shapes": [(said, markup.code(text, "json")) for said, text in shapes(sheet.runs(rung))]}


def _predict(sheet: Sheet, rung: str) -> Context:
    return {"rung": sheet.task.rung(rung), "words": WORDS}


def _reveal(sheet: Sheet, name: str) -> Context:
    """All of a rung that may be seen once it is predicted; what depends on the prediction is the script's."""
    rung = sheet.task.rung(name)
    beside = neighbour(sheet.task, rung)
    left, right = sorted((rung, beside), key=lambda each: each.number)
    told = lesson.told_by_reveals(sheet.task.page.read_text("utf-8"))
    known = catalog.sources()
    return {
        "rung": rung,
        "words": WORDS,
        "trace": sheet.runs(name),
        "told": sheet.prose(told.get(name, "")),
        "veiled": {beside.name} & set(told),
        "figure": figure(sheet.runs(left.name), sheet.runs(right.name)),
        "requests": walked.requests(sheet.runs(name)),
        "left": left,
        "right": right,
        "code": _difference(sheet.task, left.name, right.name),
        "sources": [known[each] for each in rung.sources if each in known],
    }


def _difference(task: Task, left: str, right: str) -> Markup:
    _, _, *lines = code_difference(source(task, left), source(task, right), (left, right))
    return markup.code("\n".join(lines) + "\n", "diff")


def figure(*traces: Trace) -> Figure:
    """Runs on one scale."""
    widest = walked.widest_of(*traces)
    return Figure(tuple((trace, walked.requests(trace, widest)) for trace in traces), widest)


def _ladder(sheet: Sheet) -> Context:
    """The ladder; what a reveal tells is not shown before it."""
    hidden = lesson.told_by_reveals(sheet.task.page.read_text("utf-8"))
    rows = [(rung, sheet.runs(rung.name) if rung.worked else None, rung.name in hidden) for rung in sheet.task.rungs]
    return {"rows": rows}


def _compare(sheet: Sheet) -> Context:
    hidden = lesson.told_by_reveals(sheet.task.page.read_text("utf-8"))
    worked = [rung.name for rung in sheet.task.rungs if rung.worked]
    return _costs(sheet, *worked) | {"hidden": set(hidden)}


def _costs(sheet: Sheet, *names: str) -> Context:
    runs = [(sheet.runs(name), segments.costs(sheet.runs(name))) for name in names]
    widest = max(cost.tokens for _, costs in runs for cost in costs)
    return {"runs": runs, "widest": widest, "names": segments.NAMES, "hidden": set()}


def _scenarios(sheet: Sheet) -> Context:
    return {"title": budgets.TITLE, "heads": budgets.HEADS, "rows": budgets.rows(sheet.task)}


def _interview(sheet: Sheet) -> Context:
    asked = lesson.questions(sheet.task.interview.read_text("utf-8"))
    hidden = lesson.told_by_reveals(sheet.task.page.read_text("utf-8"))
    return {
        "asked": [
            (markup.inline(said), sheet.prose(answer), [name for name in lesson.rungs_named(answer) if name in hidden])
            for said, answer in asked
        ]
    }


def _bars(sheet: Sheet, *names: str) -> Context:
    return {"figure": figure(*map(sheet.runs, names)), "ideas": _ideas(sheet, names)}


def _numbers(sheet: Sheet, *names: str) -> Context:
    return {"rows": [(name, sheet.runs(name)) for name in names], "ideas": _ideas(sheet, names)}


def _ideas(sheet: Sheet, names: tuple[str, ...]) -> dict[str, str]:
    """What each run is: a rung's idea, or a variant's."""
    own = variants(sheet.task)
    return {name: own[name].idea if name in own else sheet.task.rung(name).idea for name in names}


def _request(sheet: Sheet, name: str, number: str) -> Context:
    trace = sheet.runs(name)
    return {"request": walked.requests(trace)[int(number) - 1], "trace": trace, "name": name}


def _code(sheet: Sheet, left: str, right: str) -> Context:
    return {"left": left, "right": right, "code": _difference(sheet.task, left, right)}


def _cached(sheet: Sheet, *names: str) -> Context:
    runs = [
        (name, list(zip(sheet.runs(name).round_trips, numbers.charges(sheet.runs(name)), strict=True)))
        for name in names
    ]
    return {"runs": runs}


def _nothing(_: Sheet) -> Context:
    return {}


CELLS: dict[str, Callable[..., Context]] = {
    "question": _question,
    "desk": _desk,
    "walk": _walk,
    "shapes": _shapes,
    "predict": _predict,
    "reveal": _reveal,
    "ladder": _ladder,
    "compare": _compare,
    "practice": _nothing,
    "scenarios": _scenarios,
    "progress": _nothing,
    "interview": _interview,
    "bars": _bars,
    "numbers": _numbers,
    "costs": _costs,
    "request": _request,
    "code": _code,
    "cached": _cached,
}
