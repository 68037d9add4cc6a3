"""The notebook of a task, written from its page: Markdown cells, one call for each directive, nothing run."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from askless.show.lesson import Piece, fill, measured, shown_at_once
from askless.task import Task

if TYPE_CHECKING:
    from nbformat import NotebookNode

HOW_TO_RUN = "Each grey box below is a cell. Go to the first one, press Shift+Enter to run it, and read on to the next."
ID_CHARS = 48  # the format allows 64
IMPORTED_CHARS = 80
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def text(task: Task) -> str:
    """The notebook as its file holds it; the same page and the same measured numbers give the same bytes."""
    import nbformat

    notebook = nbformat.v4.new_notebook(cells=list(_cells(task)), metadata=METADATA)
    return str(nbformat.writes(notebook)) + "\n"


def _cells(task: Task) -> Iterator["NotebookNode"]:
    from nbformat.v4 import new_code_cell, new_markdown_cell

    opening, *others = shown_at_once(task.page.read_text("utf-8"))
    numbers = measured(task)
    yield new_markdown_cell(f"{fill(opening.text, numbers)}\n\n{HOW_TO_RUN}", id="title")
    yield new_code_cell(_imports(others), id="imports")
    for name, piece in _named(others):
        if piece.call:
            yield new_code_cell(_call(task, piece), id=name)
        else:
            yield new_markdown_cell(fill(piece.text, numbers), id=name)


def _imports(pieces: Iterable[Piece]) -> str:
    names = sorted({piece.call[0] for piece in pieces if piece.call})
    listed = wrap(", ".join(names), IMPORTED_CHARS, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(["from askless.show.notebook import (", *listed, ")"])


def _call(task: Task, piece: Piece) -> str:
    function, *arguments = piece.call
    return f"{function}({', '.join(json.dumps(argument) for argument in (task.name, *arguments))})"


def _named(pieces: Iterable[Piece]) -> Iterator[tuple[str, Piece]]:
    """Each piece with an id for its cell: its call, its heading, or what it comes after."""
    seen = Counter[str]()
    before = ""
    for piece in pieces:
        words = " ".join(piece.call) or (f"after {before}" if piece.continues else piece.text.partition("\n")[0])
        name = re.sub(r"[^a-z0-9]+", "-", words.casefold()).strip("-")[:ID_CHARS]
        seen[name] += 1
        before = name if seen[name] == 1 else f"{name}-{seen[name]}"
        yield before, piece
