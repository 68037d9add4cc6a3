"""Static HTML that a notebook keeps: it needs no script, no network and no kernel, and takes the theme's own colours.

JupyterLab drops the style sheet from a notebook that it does not trust; everything must still read well then.
A form whose kernel has gone says "model not found": the style sheet hides it, since what it stored is shown beside it.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby, islice

from askless.catalog import Source
from askless.errors import Problem
from askless.show.segments import Table
from askless.show.text import Line

NUMBER = re.compile(r"[\d,.]*( %)?")
FOLDED = 4  # columns of indent from which the terminal's lines fold
STYLE = """
.askless.askless.askless{max-width:62rem;line-height:1.5;
h4{margin:1.1em 0 .3em;font-size:1.05em;font-weight:600}
p{margin:.4em 0}
.note{font-size:.92em}
.strong,strong{font-weight:600}
.figure{overflow-x:auto;margin:.6em 0}
img{display:block;max-width:100%;min-width:34em;height:auto;border-radius:.4em}
table{border-collapse:collapse;margin:.5em 0;font-size:inherit}
caption{text-align:left;font-weight:600;padding:.2em 0;color:inherit;white-space:nowrap}
tr,tr:hover{background:none}
th,td{padding:.2em .8em;text-align:left;vertical-align:top;border-bottom:1px solid #8888}
.n{text-align:right}
details{margin:.25em 0}
details>:not(summary){margin-left:1.2em}
summary{cursor:pointer}
summary:focus-visible{outline:2px solid currentColor;outline-offset:2px}
pre,blockquote{margin:.3em 0;padding:.3em .8em;border-left:3px solid #8888;background:none;color:inherit}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.92em;line-height:1.45}
ins,del{display:block;text-decoration:none}
ins{background:#2a9d5c33}
del{background:#d0502533}
@media print{.figure,table{break-inside:avoid}
details::details-content{content-visibility:visible;display:block;block-size:auto}}
}
.jp-OutputArea:has(.askless) .jp-OutputArea-output.jupyter-widgets:not(:has(*)){display:none}
"""  # the class three times: to weigh more than JupyterLab's own rules for tables


def frame(*pieces: str) -> str:
    """One output: the pieces under their style."""
    return f'<div class="askless"><style>{STYLE}</style>{"".join(pieces)}</div>'


def heading(text: str) -> str:
    """A heading below those of the lesson."""
    return f"<h4>{escape(text)}</h4>"


def paragraph(text: str, kind: str = "") -> str:
    """Words; `kind` is note or strong."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def source(found: Source) -> str:
    """Where a claim can be read, and the claim in the catalog's words."""
    link = f'<a href="{escape(found.address)}">{escape(found.title)}</a>'
    return f"<p>{link} ({escape(found.publisher)}, as of {escape(found.as_of)}): {escape(found.claim)}</p>"


def quotation(text: str) -> str:
    """Somebody's words."""
    return f"<blockquote>{escape(text)}</blockquote>"


def prose(markdown: str) -> str:
    """The lesson's own Markdown; HTML in it is shown as text."""
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).render(markdown))


def alert(text: str) -> str:
    """Words that a screen reader speaks at once, for a live widget."""
    return f'<div role="alert" style="font-weight:600;line-height:1.5">{escape(text)}</div>'


def status(text: str) -> str:
    """Words that a screen reader speaks when it has a moment, for a live widget."""
    return f'<div role="status" style="line-height:1.5">{escape(text)}</div>'


def problem(found: Problem) -> str:
    """What was seen, and the one act that comes next."""
    return paragraph(found.seen, "strong") + paragraph(f"Next: {found.next_act}")


def picture(svg: str, text: str) -> str:
    """A figure as an image of its own, with its alternative text; the arrow keys move it where room is scarce."""
    data = b64encode(svg.encode()).decode()
    image = f'<img alt="{escape(text)}" src="data:image/svg+xml;base64,{data}">'
    return f'<div class="figure" tabindex="0">{image}</div>'


def table(numbers: Table) -> str:
    """A table whose first cell of a row names it; a column of numbers stands to the right."""
    kinds = ["n" if all(map(NUMBER.fullmatch, column)) else "" for column in zip(*numbers.rows, strict=True)]
    head = "".join(_cell("th", "col", kind, text) for kind, text in zip(kinds, numbers.head, strict=True))
    rows = "".join(f"<tr>{''.join(_cells(kinds, row))}</tr>" for row in numbers.rows)
    caption = f"<caption>{escape(numbers.caption)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(kinds: list[str], row: tuple[str, ...]) -> Iterator[str]:
    yield _cell("th", "row", kinds[0], row[0])
    yield from (_cell("td", "", kind, text) for kind, text in zip(kinds[1:], row[1:], strict=True))


def _cell(tag: str, scope: str, kind: str, text: str) -> str:
    if tag == "th" and not text:
        return "<td></td>"
    attributes = (f' class="{kind}"' if kind else "") + (f' scope="{scope}"' if scope else "")
    return f"<{tag}{attributes}>{escape(text)}</{tag}>"


def fold(title: str, body: str, *, unfolded: bool = False) -> str:
    """Something that opens on demand, by mouse or keyboard."""
    return f"<details{' open' if unfolded else ''}><summary>{escape(title)}</summary>{body}</details>"


def figure(svg: str, text: str, numbers: Table) -> str:
    """A picture and, folded below it, the same numbers as a table."""
    return picture(svg, text) + fold("The same numbers as a table", table(numbers))


def code(text: str) -> str:
    """Program text or JSON as it is; a long line wraps."""
    return f"<pre>{escape(text)}</pre>"


def difference(lines: Iterable[str]) -> str:
    """A unified diff without its two lines of names; what came and what went is told by sign and shade."""
    tags = {"+": "ins", "-": "del"}
    shown = "".join(
        f"<{tags[line[0]]}>{escape(line)}</{tags[line[0]]}>" if line[:1] in tags else f"{escape(line)}\n"
        for line in islice(lines, 2, None)
    )
    return f"<pre>{shown}</pre>"


def outline(lines: Iterable[Line]) -> str:
    """The terminal's lines: those without indent are headings, and the innermost fold under the line before them."""
    pieces: list[str] = []
    before: list[Line] = []
    for folded, block in groupby(lines, key=lambda line: line.indent >= FOLDED):
        if folded and before:
            title = before.pop()
            pieces += [*map(_line, before), _folded(title, block)]
            before = []
        else:
            before = list(block)
    return "".join([*pieces, *map(_line, before)])


def _folded(title: Line, block: Iterable[Line]) -> str:
    """What was sent before is folded away."""
    return fold(title.text, code("\n".join(line.text for line in block)), unfolded=title.style != "dim")


def _line(line: Line) -> str:
    if not line.text:
        return ""
    if line.indent == 0 and line.style == "bold":
        return heading(line.text)
    return f"<p><strong>{escape(line.text)}</strong></p>" if line.style == "bold" else paragraph(line.text)
