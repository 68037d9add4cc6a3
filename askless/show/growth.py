"""Curves of growth for those who read: a table, each exponent in words, and where a curve stops short."""

from collections.abc import Iterator, Sequence
from math import floor

from askless.growth import TOO_LARGE, Curve
from askless.show.segments import Table, aligned
from askless.show.text import NOTE, Line
from askless.task import Task

HEADS = {
    "round_trips": "round trips",
    "tool_calls": "tool calls",
    "input_tokens": "input tokens",
    "simulated_s": "simulated seconds",
}
GROWING = ("input_tokens", "round_trips", "simulated_s")  # what is drawn
POWERS = ("not at all", "in proportion", "as the square", "as the cube")
BETWEEN = ("less than in proportion", "more than in proportion", "more than as the square")
NEAR = 0.2  # an exponent this close to a whole number has its name
WAITS = "Seconds are simulated, each tool call after the one before."
UNCUT = "No reply was cut at max_tokens and no context window was full: a real run this large breaks earlier."


def grows(exponent: float | None) -> str:
    """How a measure grows, in words and with its exponent."""
    return in_words(exponent) + ("" if exponent is None else f" ({round(exponent, 2) + 0.0:.2f})")


def in_words(exponent: float | None) -> str:
    """How a measure grows."""
    if exponent is None:
        return "unknown after one run"
    nearest = round(exponent)
    if abs(exponent - nearest) <= NEAR and 0 <= nearest < len(POWERS):
        return POWERS[nearest]
    return BETWEEN[min(max(floor(exponent), 0), len(BETWEEN) - 1)]


def table(curves: Sequence[Curve], task: Task) -> Table:
    """A row for each run."""
    rows = [
        (curve.agent, f"{point.size:,}", *(f"{getattr(point, name):,}" for name in HEADS))
        for curve in curves
        for point in curve.points
    ]
    return Table(f"What a run costs, by the number of {task.unit}", ("agent", task.unit, *HEADS.values()), tuple(rows))


def lines(curves: Sequence[Curve], task: Task) -> Iterator[Line]:
    """All of it, and one act where an agent came to a wrong end."""
    shown = table(curves, task)
    yield Line(0, shown.caption, "bold")
    yield from (Line(0, row, whole=True) for row in aligned(shown))
    yield Line(0, "")
    yield Line(0, "How it grows, with the exponent", "bold")
    yield from (Line(0, _growth(curve)) for curve in curves if curve.points)
    for curve in curves:
        yield from _end(curve)
    yield Line(0, "")
    yield Line(0, f"{NOTE} {WAITS} {UNCUT}", "dim")


def alternative(curves: Sequence[Curve], task: Task) -> str:
    """The alternative text of the picture."""
    ranges = [f"{_growth(curve)} {_last(curve, task)}" for curve in curves if curve.points]
    return f"Lines on logarithmic axes: what a run costs, by the number of {task.unit}. {' '.join(ranges)}"


def _growth(curve: Curve) -> str:
    """One curve's exponents in words."""
    return f"{curve.agent}: {', '.join(f'{HEADS[name]} {grows(curve.exponent(name))}' for name in GROWING)}."


def _last(curve: Curve, task: Task) -> str:
    last = curve.points[-1]
    numbers = ", ".join(f"{getattr(last, name):,} {HEADS[name]}" for name in GROWING)
    return f"At {task.counted(last.size)}: {numbers}."


def _end(curve: Curve) -> Iterator[Line]:
    """Where a curve stops short, in one line, and what to do."""
    if curve.end:
        style = "" if curve.end.id == TOO_LARGE else "red"
        yield Line(0, "")
        yield Line(0, f"{curve.agent} stops here: {curve.end.what}.", style)
        yield Line(0, f"Next: {curve.end.next}")
