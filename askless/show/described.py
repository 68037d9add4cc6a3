"""The figures for those who read rather than look: each one as a sentence or two, and as a table of its numbers."""

from collections.abc import Sequence
from itertools import groupby

from askless.check.target import counted
from askless.show.segments import NAMES, Guess, Panel, Table, costs, new_tokens, split

RIGHT = 1.0
LISTED = 4  # requests that the alternative text lists one by one; more of them are left to the table


def requests_text(panels: Sequence[Panel]) -> str:
    """The alternative text of figure 1."""
    runs = " ".join(_run_text(panel) for panel in panels)
    return f"Stacked bars: the input tokens of each request, split by the request that brought them. {runs}"


def _run_text(panel: Panel) -> str:
    trace = panel.trace
    total = trace.totals.input_tokens
    sent = f"{counted(len(trace.round_trips), 'requests')}, {counted(total, 'tokens')}"
    text = f"{trace.rung}: {sent}, {new_tokens(trace):,} of them new"
    if len(trace.round_trips) <= LISTED:
        text += f"; {', then '.join(split(trace, index) for index in range(len(trace.round_trips)))}"
    if panel.predicted:
        trips, tokens = panel.predicted.round_trips, panel.predicted.input_tokens
        text += f"; predicted: {counted(trips, 'requests')}, {counted(tokens, 'tokens')} (dashed: {panel.guess})"
    if panel.parts_at:
        text += f"; prediction and run part at request {panel.parts_at}"
    return f"{text}."


def requests_table(panels: Sequence[Panel]) -> Table:
    """The numbers of figure 1: a row for each request."""
    rows = [
        (panel.trace.rung, f"{trip.n}", f"{trip.input_tokens:,}", split(panel.trace, index))
        for panel in panels
        for index, trip in enumerate(panel.trace.round_trips)
    ]
    head = ("rung", "request", "input tokens", "by the request that brought them, from the first on")
    return Table("Input tokens of each request", head, tuple(rows))


def parts_text(panels: Sequence[Panel]) -> str:
    """The alternative text of figure 2."""
    runs = [f"{panel.trace.rung}: {_parts_text(panel)}" for panel in panels]
    return f"Bars: the input tokens that each kind of part cost over the run, new and sent again. {' '.join(runs)}"


def _parts_text(panel: Panel) -> str:
    total, new = panel.trace.totals.input_tokens, new_tokens(panel.trace)
    most = max(costs(panel.trace), key=lambda cost: cost.tokens)
    return f"{new:,} new and {total - new:,} sent again; most for the {NAMES[most.kind]}, {most.tokens:,}."


def parts_table(panels: Sequence[Panel]) -> Table:
    """The numbers of figure 2: a row for each kind of part of each run."""
    rows = [
        (panel.trace.rung, NAMES[cost.kind], f"{cost.first_tokens:,}", f"{cost.again_tokens:,}", f"{cost.tokens:,}")
        for panel in panels
        for cost in costs(panel.trace)
    ]
    head = ("rung", "part", "sent for the first time", "sent again", "input tokens")
    return Table("What each kind of part cost over the run", head, tuple(rows))


def calibration_text(guesses: Sequence[Guess]) -> str:
    """The alternative text of figure 3."""
    right = sum(guess.ratio == RIGHT for guess in guesses)
    rungs = [f"{rung}: {_farthest(list(own))}" for rung, own in groupby(guesses, key=lambda guess: guess.rung)]
    told = f"{right} of {len(guesses)} predicted numbers were right."
    return f"Marks: each predicted number as a multiple of the measured one, rung by rung. {told} {' '.join(rungs)}"


def _farthest(guesses: Sequence[Guess]) -> str:
    farthest = max(guesses, key=lambda guess: max(guess.ratio, 1 / guess.ratio if guess.ratio else float("inf")))
    if farthest.ratio == RIGHT:
        return "all right."
    return f"farthest off in {farthest.measure.replace('_', ' ')}, {times(farthest)}."


def times(guess: Guess) -> str:
    """How a predicted number compares with the measured one, in words."""
    if guess.ratio == RIGHT:
        return "right"
    if not guess.measured:
        return "more than none"
    return f"{guess.ratio:.2f} times as many" if guess.ratio < 10 else f"{guess.ratio:,.0f} times as many"


def calibration_table(guesses: Sequence[Guess]) -> Table:
    """The numbers of figure 3: a row for each predicted number."""
    rows = [
        (
            guess.rung,
            guess.measure.replace("_", " "),
            f"{guess.predicted:,}",
            f"{guess.measured:,}",
            times(guess),
            "" if guess.sure_percent is None else f"{guess.sure_percent} %",
        )
        for guess in guesses
    ]
    head = ("rung", "measure", "predicted", "measured", "predicted, against measured", "how sure")
    return Table("Predicted and measured", head, tuple(rows))
