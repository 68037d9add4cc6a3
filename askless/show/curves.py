"""The picture of growth: what a run costs over the size of the desk, on log axes, so that a power is a straight line.

No curve is told by its colour alone: each has a mark and a stroke of its own, and its exponent stands in the key.
"""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from askless.growth import Curve
from askless.show.growth import GROWING, HEADS, alternative, grows
from askless.show.sheet import INK, sheet
from askless.task import Task

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOKS = (  # mark, colour, stroke
    ("o", "#0072b2", "-"),
    ("s", "#b34700", "--"),
    ("^", "#00735a", "-."),
    ("D", "#8b3a7e", ":"),
    ("v", INK, (0, (5, 1, 1, 1, 1, 1))),
    ("P", "#7a5c00", (0, (1, 3))),
)
LARGEST_MARK = 10  # points; later ones are smaller, so that curves which coincide are all seen


def draw(curves: Sequence[Curve], task: Task) -> str:
    """A panel for each measure that grows, as SVG with its alternative text."""
    curves = [curve for curve in curves if curve.points]
    keys = -(-len(curves) // 2)
    tall = 3.6 + 0.24 * keys
    with sheet(10.4, tall) as (figure, out):
        for axes, measure in zip(figure.subplots(1, len(GROWING)), GROWING, strict=True):
            for number, curve in enumerate(curves):
                _line(axes, curve, measure, number)
            axes.set(xscale="log", yscale="log", xlabel=task.unit)
            axes.minorticks_off()
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_formatter(lambda number, _: short(number))
            axes.set_title(HEADS[measure], loc="left", fontsize=10)
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="lower center", ncols=2, frameon=False)
        figure.subplots_adjust(0.085, (0.7 + 0.24 * keys) / tall, 0.985, 1 - 0.35 / tall, wspace=0.36)
    return _described(out.getvalue(), task.unit, alternative(curves, task))


def short(number: float) -> str:
    """A number beside an axis."""
    for size, name in ((10**9, " billion"), (10**6, " million")):
        if number >= size:
            return f"{number / size:,.0f}{name}"
    return f"{number:,.0f}"


def _line(axes: "Axes", curve: Curve, measure: str, number: int) -> None:
    mark, colour, stroke = LOOKS[number % len(LOOKS)]
    across = [point.size for point in curve.points]
    up = [getattr(point, measure) for point in curve.points]
    label = f"{curve.agent}: tokens {grows(curve.exponent('input_tokens'))}"
    size = LARGEST_MARK - number % len(LOOKS)
    axes.plot(across, up, marker=mark, color=colour, linestyle=stroke, markersize=size, markerfacecolor="none",
              label=label, clip_on=False)  # fmt: skip


def _described(svg: str, unit: str, text: str) -> str:
    """The picture with its alternative text inside, for a file that stands alone."""
    head, tail = svg.split("<svg", 1)
    named = ' role="img" aria-labelledby="name told"'
    told = f'<title id="name">Cost by {escape(unit)}</title><desc id="told">{escape(text)}</desc>'
    return f"{head}<svg{tail.replace('>', f'{named}>{told}', 1)}"
