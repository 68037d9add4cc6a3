"""The pictures: tokens of each request, what each part cost, predictions over the ladder.

A picture is an SVG: sharp at any zoom and on paper. It brings its own light paper, so that it
reads the same in a dark notebook, in a light one and in print. What it shows is never told by
colour alone: there are hatches and numbers, and `show.tables` says the same in words and rows.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any

from askless.show.segments import NAMES, Cost, Guess, Panel, costs, segments

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAPER, INK, SOFT, GRID = "#fbfaf6", "#1f2430", "#565c68", "#dcdad2"
FILLS = ("#56b4e9", "#f0c94a", "#4dbd9a", "#e39ac4", "#f29a5c", "#9fb7d9", "#c9d66b", "#c7b8a8")  # after Okabe and Ito
HATCHES = ("", "////", "....", "\\\\\\\\", "----", "xxxx", "||||", "oooo")
MARKS = {"round_trips": ("o", "#0072b2"), "tool_calls": ("s", "#b34700"), "input_tokens": ("^", "#00735a")}

BAR = 0.78  # of the distance between two bars
GHOSTS = 12  # predicted requests that are drawn one by one
FARTHEST = 8  # times too many or too few that the calibration still shows
STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, and is drawn as shapes: the same on every machine
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": SOFT,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "xtick.color": INK,
    "ytick.color": INK,
    "hatch.linewidth": 0.5,
    "svg.hashsalt": "askless",  # the same picture is the same bytes
}


@contextmanager
def _sheet(width: float, height: float) -> Iterator[tuple["Figure", StringIO]]:
    """A figure to draw on, in inches, and where its SVG will be when the block ends."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure, out = Figure((width, height), facecolor=PAPER), StringIO()
        yield figure, out
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})


def requests(panels: Sequence[Panel]) -> str:
    """Figure 1: the tokens of each request as stacked bars, split by the request that first sent each part.

    One panel a run, all on one scale; the outlines are what was predicted, by request.
    """
    widths = [max(len(panel.trace.round_trips), min(len(panel.expected), GHOSTS), 2) for panel in panels]
    tallest = max(trip.input_tokens for panel in panels for trip in panel.trace.round_trips)
    with _sheet(max(5.2, 1.5 + 0.5 * (sum(widths) + len(panels))), 3.9) as (figure, out):
        axes = figure.subplots(1, len(panels), sharey=True, width_ratios=widths, squeeze=False)[0]
        for at, (panel, width) in enumerate(zip(panels, widths, strict=True)):
            _bars(axes[at], panel, tallest)
            _outlines(axes[at], panel, tallest)
            axes[at].set(xlim=(0.4, width + 0.6), ylim=(0, tallest * 1.28), xlabel="request")
            axes[at].set_title(_heading(panel), loc="left", fontsize=9.5, linespacing=1.5)
        axes[0].set_ylabel("input tokens (characters / 4)")
        _legend(figure, panels)
        figure.subplots_adjust(left=0.75 / figure.get_figwidth(), right=0.985, top=0.82, bottom=0.25, wspace=0.12)
    return out.getvalue()


def _bars(axes: "Axes", panel: Panel, tallest: int) -> None:
    """One run's bars; each piece says its number where there is room for it."""
    tops = [0] * len(panel.trace.round_trips)
    for piece in segments(panel.trace):
        base, tops[piece.bar - 1] = tops[piece.bar - 1], tops[piece.bar - 1] + piece.tokens
        axes.bar(piece.bar, piece.tokens, BAR, bottom=base, **_look(piece.first_sent), edgecolor=INK, linewidth=0.7)
        if piece.tokens > tallest * 0.055:
            _label(axes, piece.bar, base + piece.tokens / 2, f"{piece.tokens}")
    for bar, top in enumerate(tops, start=1):
        axes.text(bar, top + tallest * 0.015, f"{top:,}", ha="center", va="bottom", fontsize=9, fontweight="bold")
    axes.set_xticks(range(1, len(tops) + 1))
    axes.grid(axis="x", visible=False)


def _look(first_sent: int) -> dict[str, Any]:
    at = first_sent - 1
    return {"facecolor": FILLS[at % len(FILLS)], "hatch": HATCHES[at % len(HATCHES)]}


def _label(axes: "Axes", x: float, y: float, text: str) -> None:
    """A number on a hatched piece, on a scrap of paper of its own."""
    scrap = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8, "alpha": 0.88}
    axes.text(x, y, text, ha="center", va="center", fontsize=7.5, bbox=scrap)


def _outlines(axes: "Axes", panel: Panel, tallest: int) -> None:
    """The predicted requests as dashed outlines; what would leave the panel is said in words."""
    expected, top = panel.expected, tallest * 1.16
    for bar, count in enumerate(expected[:GHOSTS], start=1):
        axes.bar(bar, min(count, top), BAR + 0.14, fill=False, edgecolor=INK, linewidth=1.5, linestyle=(0, (3, 1.6)))
        if count > top:
            axes.text(bar, top * 1.01, f"↑{count:,.0f}", ha="center", va="bottom", fontsize=7.5)
    if panel.parts_at:
        axes.annotate(
            "parts here",
            (panel.parts_at, tallest * 1.19),
            ha="center",
            va="bottom",
            fontsize=8.5,
            fontweight="bold",
        )


def _heading(panel: Panel) -> str:
    total = panel.trace.totals
    measured = f"{panel.trace.rung}: {total.round_trips} requests, {total.input_tokens:,} tokens"
    if panel.predicted is None:
        return f"{measured}\n"
    return f"{measured}\npredicted: {panel.predicted.round_trips:,} and {panel.predicted.input_tokens:,}"


def _legend(figure: "Figure", panels: Sequence[Panel]) -> None:
    from matplotlib.patches import Patch

    last = max(piece.first_sent for panel in panels for piece in segments(panel.trace))
    keys = [Patch(**_look(n), edgecolor=INK, linewidth=0.7, label=f"{n}") for n in range(1, min(last, len(FILLS)) + 1)]
    if any(panel.expected for panel in panels):
        keys.append(Patch(fill=False, edgecolor=INK, linewidth=1.5, linestyle=(0, (3, 1.6)), label="predicted"))
    figure.legend(
        handles=keys,
        title="first sent by request",
        loc="lower center",
        ncols=len(keys),
        frameon=False,
        handlelength=1.6,
        columnspacing=1.2,
        fontsize=9,
        title_fontsize=9,
    )


def parts(panels: Sequence[Panel]) -> str:
    """Figure 2: what each kind of part cost over each run, sent for the first time and sent again."""
    rows = [(panel.trace.rung, costs(panel.trace)) for panel in panels]
    kinds = [kind for kind in NAMES if any(cost.kind == kind for _, run in rows for cost in run)]
    most = max(cost.first_tokens + cost.again_tokens for _, run in rows for cost in run)
    with _sheet(8.6, 1.1 + 0.34 * len(kinds) * ((len(rows) + 1) // 2) + 0.5) as (figure, out):
        columns = min(len(rows), 2)
        grid = figure.subplots(-(-len(rows) // columns), columns, sharex=True, sharey=True, squeeze=False).flat
        for axes, (rung, run) in zip(grid, rows, strict=False):
            _cost_bars(axes, kinds, run, most)
            total = sum(cost.first_tokens + cost.again_tokens for cost in run)
            axes.set_title(f"{rung}: {total:,} tokens", loc="left", fontsize=9.5, fontweight="bold")
    return out.getvalue()


def _cost_bars(axes: "Axes", kinds: Sequence[str], run: Sequence[Cost], most: int) -> None:
    for cost in run:
        at = kinds.index(cost.kind)
        axes.barh(at, cost.first_tokens, 0.66, facecolor=FILLS[0], edgecolor=INK, linewidth=0.7)
        axes.barh(at, cost.again_tokens, 0.66, left=cost.first_tokens, facecolor=FILLS[1], hatch="////", edgecolor=INK)
        axes.text(
            cost.first_tokens + cost.again_tokens + most * 0.01, at, f"{cost.first_tokens:,} + {cost.again_tokens:,}"
        )


def calibration(guesses: Sequence[Guess]) -> str:
    """Figure 3: each predicted number as a multiple of the measured one, over the ladder."""
    with _sheet(7.2, 3.6) as (figure, out):
        figure.subplots()
    return out.getvalue()
