"""The pictures: tokens of each request, what each part cost, predictions over the ladder.

Nothing is told by colour alone: there are hatches and numbers, and a table of the same numbers beside each picture.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING

from askless.api.parts import Kind
from askless.check.target import counted
from askless.show.segments import NAMES, Cost, Guess, Panel, Segment, costs, segments
from askless.show.sheet import FILLS, INK, OUTLINE, PAPER, SCRAP, Box, boxes, filling, key, sheet
from askless.trace import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = {"round_trips": ("o", "#0072b2"), "tool_calls": ("s", "#b34700"), "input_tokens": ("^", "#00735a")}

BAR = 0.78  # of the distance between two bars
GAP = 0.8  # the same, between two panels
SLOT_INCHES, ROW_INCHES = 0.46, 3.3
WIDEST = 17.2  # bars side by side
NARROWEST = 3.5  # bars that a panel has room for, if only for its heading
Label = tuple[float, float, str]  # where it stands, and what it says

GHOSTS = 12  # predicted requests that are drawn one by one
FARTHEST = 8  # times too many or too few that the calibration still shows


@dataclass(frozen=True)
class _Scale:
    """The tallest bar in tokens, and how many bars side by side make an inch."""

    tallest: int
    inch: float

    def up(self, share: float) -> float:
        """A share of the tallest bar."""
        return self.tallest * share


def requests(panels: Sequence[Panel]) -> str:
    """Figure 1: the tokens of each request as stacked bars, split by the request in which each part was new.

    One panel a run, all on one scale; the outlines are what was predicted, by request.
    """
    rows = _rows(panels)
    end = max(sum(map(_room, row)) for row in rows)
    wide, tall = max(5.4, 1.0 + SLOT_INCHES * end), 0.7 + ROW_INCHES * len(rows)
    scale = _Scale(max(trip.input_tokens for panel in panels for trip in panel.trace.round_trips), end / (wide - 0.85))
    with sheet(wide, tall) as (figure, out):
        for number, row in enumerate(rows, start=1):
            bottom = tall - number * ROW_INCHES + 0.3
            axes = figure.add_axes((0.75 / wide, bottom / tall, 1 - 0.85 / wide, 2.16 / tall))
            axes.set(xlim=(0.3, end), ylim=(0, scale.up(1.28)), ylabel="input tokens (characters / 4)", xticks=[])
            axes.text(0.2, scale.up(-0.06), "request", ha="right", va="top", fontsize=8.5)
            for panel, left in zip(row, accumulate(map(_room, row), initial=0.0), strict=False):
                axes.text(left + 0.55, scale.up(1.33), _heading(panel), va="bottom", linespacing=1.5)
                _run(axes, panel, left, scale)
        _legend(figure, panels)
    return out.getvalue()


def _room(panel: Panel) -> float:
    """The width of a panel and of the gap after it, in bars."""
    return max(len(panel.trace.round_trips), min(len(panel.expected), GHOSTS), NARROWEST) + GAP


def _rows(panels: Sequence[Panel]) -> list[list[Panel]]:
    """The panels in rows that stay readable on a screen."""
    rows: list[list[Panel]] = [[]]
    for panel in panels:
        if rows[-1] and sum(map(_room, [*rows[-1], panel])) > WIDEST:
            rows.append([])
        rows[-1].append(panel)
    return rows


def _run(axes: "Axes", panel: Panel, left: float, scale: _Scale) -> None:
    """One run: its bars, the prediction over them, and over both the numbers."""
    tops, labels = _bars(axes, panel, left, scale)
    _outlines(axes, panel, left, scale)
    _labels(axes, labels, scale)
    _totals(axes, panel, tops, left, scale)


def _bars(axes: "Axes", panel: Panel, left: float, scale: _Scale) -> tuple[list[int], list[Label]]:
    """One run's bars, each in its pieces; how tall they are, and the numbers to write on them."""
    by_look: defaultdict[int, list[Box]] = defaultdict(list)
    tops = [0] * len(panel.trace.round_trips)
    labels = []
    for piece in segments(panel.trace):
        base, tops[piece.bar - 1] = tops[piece.bar - 1], tops[piece.bar - 1] + piece.tokens
        by_look[piece.first_sent].append((left + piece.bar - BAR / 2, base, BAR, piece.tokens))
        if piece.tokens > scale.up(0.06) and _says_its_number(piece, panel.trace):
            labels.append((left + piece.bar, base + piece.tokens / 2, f"{piece.tokens:,}"))
    for first_sent, placed in by_look.items():
        boxes(axes, placed, filling(first_sent))
    return tops, labels


def _says_its_number(piece: Segment, trace: Trace) -> bool:
    """In a long run, only where it is new or in the last bar."""
    last = len(trace.round_trips)
    return last <= 4 or piece.bar == last or piece.first_sent == trace.round_trips[piece.bar - 1].n


def _labels(axes: "Axes", labels: Sequence[Label], scale: _Scale) -> None:
    """Numbers on hatched pieces, each on a scrap of paper of its own."""
    tall = scale.up(0.052)
    wide = [scale.inch * (0.05 + 0.062 * len(text)) for _, _, text in labels]
    boxes(axes, [(x - w / 2, y - tall / 2, w, tall) for w, (x, y, _) in zip(wide, labels, strict=True)], SCRAP)
    for x, y, text in labels:
        axes.text(x, y, text, ha="center", va="center_baseline", fontsize=7.5)


def _totals(axes: "Axes", panel: Panel, tops: Sequence[int], left: float, scale: _Scale) -> None:
    """Each request's tokens above its bar, clear of an outline that ends there, and its number below."""
    for at, (top, trip) in enumerate(zip(tops, panel.trace.round_trips, strict=True)):
        above = [line for line in panel.expected[at : at + 1] if top <= line < top + scale.up(0.1)]
        axes.text(left + at + 1, max(top, *above, 0) + scale.up(0.015), f"{top:,}", ha="center", fontweight="bold")
        axes.text(left + at + 1, scale.up(-0.03), f"{trip.n}", ha="center", va="top")


def _outlines(axes: "Axes", panel: Panel, left: float, scale: _Scale) -> None:
    """The predicted requests as dashed outlines; what would leave the panel is said in words."""
    top, wide = scale.up(1.16), BAR + 0.14
    drawn = enumerate(panel.expected[:GHOSTS], start=1)
    boxes(axes, [(left + bar - wide / 2, 0, wide, min(count, top)) for bar, count in drawn], OUTLINE)
    if any(count > top for count in panel.expected):
        axes.text(left + 0.55, scale.up(1.18), f"predicted: up to {max(panel.expected):,.0f}", fontsize=8)
    if panel.parts_at:
        axes.text(left + panel.parts_at - BAR / 2, scale.up(1.19), "your count leaves here", fontweight="bold")


def _heading(panel: Panel) -> str:
    total, own = panel.trace.totals, panel.predicted
    expected = f"predicted: {own.round_trips:,} and {own.input_tokens:,}" if own else ""
    sent = f"{counted(total.round_trips, 'requests')}, {counted(total.input_tokens, 'tokens')}"
    return f"{panel.trace.rung}\n{sent}\n{expected}"


def _legend(figure: "Figure", panels: Sequence[Panel]) -> None:
    """What each filling means; past the eighth request they begin again."""
    last = max(piece.first_sent for panel in panels for piece in segments(panel.trace))
    keys = {f"{n}": filling(n) for n in range(1, min(last, len(FILLS)) + 1)}
    if any(panel.expected for panel in panels):
        keys["predicted"] = OUTLINE
    key(figure, "first sent by request", keys)


def parts(panels: Sequence[Panel]) -> str:
    """Figure 2: what each kind of part cost over each run, sent for the first time and sent again."""
    runs = [(panel.trace.rung, costs(panel.trace)) for panel in panels]
    kinds = [kind for kind in NAMES if any(cost.kind == kind for _, run in runs for cost in run)]
    most = max(cost.tokens for _, run in runs for cost in run)
    columns = min(len(runs), 2)
    lines = -(-len(runs) // columns)
    with sheet(8.6, 0.9 + lines * (0.5 + 0.3 * len(kinds))) as (figure, out):
        grid = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
        for axes, (rung, run) in zip(grid.flat, runs, strict=False):
            _cost_bars(axes, kinds, run, most)
            axes.set_title(f"{rung}: {sum(cost.tokens for cost in run):,} tokens", loc="left", fontsize=9.5)
        for axes in grid.flat[len(runs) :]:
            axes.remove()
        grid[0, 0].set(yticks=range(len(kinds)), yticklabels=[NAMES[kind] for kind in kinds], xlim=(0, most * 1.45))
        grid[0, 0].invert_yaxis()
        key(figure, "", {"sent for the first time": filling(1), "sent again": filling(2)})
        height = figure.get_figheight()
        figure.subplots_adjust(0.14, 0.75 / height, 0.99, 1 - 0.35 / height, wspace=0.04, hspace=0.35)
    return out.getvalue()


def _cost_bars(axes: "Axes", kinds: Sequence[Kind], run: Sequence[Cost], most: int) -> None:
    for cost in run:
        at = kinds.index(cost.kind)
        axes.barh(at, cost.first_tokens, 0.66, **filling(1))
        axes.barh(at, cost.again_tokens, 0.66, left=cost.first_tokens, **filling(2))
        text = f"{cost.first_tokens:,} + {cost.again_tokens:,}"
        axes.text(cost.tokens + most * 0.015, at, text, va="center", fontsize=8.5)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def calibration(guesses: Sequence[Guess]) -> str:
    """Figure 3: each predicted number as a multiple of the measured one, over the ladder."""
    rungs = list(dict.fromkeys(guess.rung for guess in guesses))
    with sheet(7.2, 3.5) as (figure, out):
        axes = figure.subplots()
        axes.axhline(1, color=INK, linewidth=1.4)
        for at, measure in enumerate(MARKS):
            _guessed(axes, rungs, [guess for guess in guesses if guess.measure == measure], 0.24 * (at - 1))
        ticks = {1 / 8: "an eighth", 1 / 4: "a quarter", 1 / 2: "half", 1: "as measured"}
        ticks |= {2: "twice", 4: "4 times", 8: "8 times"}
        axes.set_yscale("log", base=2)
        axes.set(xlim=(-0.6, len(rungs) - 0.4), ylim=(1 / FARTHEST / 1.7, FARTHEST * 1.7))
        axes.set_yticks(list(ticks), list(ticks.values()), minor=False)
        axes.set_xticks(range(len(rungs)), rungs)
        axes.grid(axis="x", visible=False)
        figure.legend(loc="lower center", ncols=len(MARKS), frameon=False)
        figure.subplots_adjust(left=0.2, right=0.98, top=0.96, bottom=0.2)
    return out.getvalue()


def _guessed(axes: "Axes", rungs: Sequence[str], guesses: Sequence[Guess], aside: float) -> None:
    """One measure's marks, with how sure the learner was."""
    if not guesses:
        return
    mark, colour = MARKS[guesses[0].measure]
    name = guesses[0].measure.replace("_", " ")
    axes.plot([], [], mark, color=colour, markersize=8, markeredgecolor=INK, label=name)
    for guess in guesses:
        _mark(axes, rungs.index(guess.rung) + aside, guess)


def _mark(axes: "Axes", x: float, guess: Guess) -> None:
    """One mark; what is farther off than the scale reaches stands hollow at the edge, with its ratio beyond it."""
    mark, colour = MARKS[guess.measure]
    y = at_the_edge(guess.ratio)
    farther, above = guess.ratio != y, y > 1
    inside, edge = (PAPER, colour) if farther else (colour, INK)
    axes.plot(x, y, mark, color=inside, markersize=8, markeredgecolor=edge)
    if farther:
        at, foot = (y * 1.25, "bottom") if above else (y / 1.25, "top")
        axes.text(x, at, _times(guess.ratio), ha="center", va=foot, fontsize=8)
    if guess.sure_percent is not None:
        at, foot = (y / 1.18, "top") if farther and above else (y * 1.18, "bottom")
        axes.text(x, at, f"{guess.sure_percent} %", ha="center", va=foot, fontsize=8)


def at_the_edge(ratio: float) -> float:
    """The ratio, or the farthest one that the scale has."""
    return min(max(ratio, 1 / FARTHEST), FARTHEST)


def _times(ratio: float) -> str:
    """A ratio that the scale does not reach."""
    if ratio == inf:
        return "none came"
    return f"{ratio:,.0f} times" if ratio > 1 else f"{ratio:.2g} times"
