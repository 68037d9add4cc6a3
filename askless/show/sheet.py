"""The sheet that the figures are drawn on, and its few shapes.

A picture is an SVG: sharp at any zoom and on paper. It brings its own light paper, so that it reads the same in a dark
notebook, in a light one and in print.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAPER, INK, SOFT, GRID = "#fbfaf6", "#1f2430", "#565c68", "#dcdad2"
FILLS = ("#56b4e9", "#f0c94a", "#4dbd9a", "#e39ac4", "#f29a5c", "#9fb7d9", "#c9d66b", "#c7b8a8")  # after Okabe and Ito
HATCHES = ("", "////", "----", "\\\\\\\\", "||||", "xxxx", "++++", "//--")  # lines only: dots make a large file
WIDE_LETTER = 0.085  # inches
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, and is drawn as shapes: the same on every machine
    "font.size": 9.5,
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
    **dict.fromkeys(("axes.grid", "axes.axisbelow"), True),
    "axes.edgecolor": SOFT,
    "axes.facecolor": PAPER,
    "grid.color": GRID,
    "hatch.linewidth": 0.5,
    "text.parse_math": False,
    "svg.hashsalt": "askless",  # the same picture is the same bytes
}

Look = Mapping[str, Any]
Box = tuple[float, float, float, float]  # left, bottom, width, height

OUTLINE: Look = {"fill": False, "edgecolor": INK, "linewidth": 1.5, "linestyle": (0, (3, 1.6))}
SCRAP: Look = {"facecolor": PAPER, "edgecolor": "none", "alpha": 0.88}


@contextmanager
def sheet(width: float, height: float) -> Iterator[tuple["Figure", StringIO]]:
    """A figure to draw on, in inches, and where its SVG will be when the block ends."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure, out = Figure((width, height), facecolor=PAPER), StringIO()
        yield figure, out
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))


def filling(number: int) -> Look:
    """The colour and hatching of the first, second … of a row; past the last they begin again."""
    at = (number - 1) % len(FILLS)
    return {"facecolor": FILLS[at], "hatch": HATCHES[at], "edgecolor": INK, "linewidth": 0.7}


def boxes(axes: "Axes", placed: Sequence[Box], look: Look) -> None:
    """Rectangles of one look as one shape: much quicker than `bar`, since the axes' limits are set by hand."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    corners = [
        corner
        for x, y, wide, tall in placed
        for corner in ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall), (x, y))
    ]
    if corners:
        codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(placed)
        axes.add_artist(PathPatch(Path(corners, codes), clip_on=False, **look))


def key(figure: "Figure", title: str, looks: Mapping[str, Look]) -> None:
    """A row of samples and their names along the lower edge, in inches; much quicker than a legend."""
    from matplotlib.patches import Rectangle

    wide = sum(0.52 + WIDE_LETTER * len(name) for name in looks) - 0.2
    at, inches = (figure.get_figwidth() - wide) / 2, figure.dpi_scale_trans
    figure.text(figure.get_figwidth() / 2, 0.52, title, ha="center", va="center", transform=inches)
    for name, look in looks.items():
        figure.add_artist(Rectangle((at, 0.16), 0.24, 0.16, transform=inches, **look))
        figure.text(at + 0.3, 0.24, name, va="center", transform=inches)
        at += 0.52 + WIDE_LETTER * len(name)
