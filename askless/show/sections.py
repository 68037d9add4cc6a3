"""A page's sections: prose under its heading, and what stands in place of each directive."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from markupsafe import Markup

from askless.errors import Problem
from askless.show import lesson as pages
from askless.show import markup
from askless.show.directives import CELLS, Context, Sheet
from askless.show.short import Short, shorts


@dataclass(frozen=True)
class Piece:
    """Prose, or a directive's template with what it shows."""

    html: Markup | None = None
    cell: str = ""
    context: Context = field(default_factory=dict)


@dataclass(frozen=True)
class Section:
    """What stands under one heading."""

    level: int
    title: str
    id: str
    pieces: tuple[Piece, ...]


def lesson(sheet: Sheet) -> Iterator[Section]:
    """The sections of a task's page.md; the five-minute lessons are listed before the reader's own words are asked."""
    sections = list(_sections(sheet, pages.shown_at_once(sheet.task.page.read_text("utf-8"))))
    at = next((at for at, each in enumerate(sections) if any(piece.cell == "progress" for piece in each.pieces)), None)
    lessons = shorts(sheet.task)
    for number, section in enumerate(sections):
        if number == at and lessons:
            yield Section(2, "Five-minute lessons", "lessons", (Piece(cell="shorts", context={"lessons": lessons}),))
        yield section


def short(sheet: Sheet, one: Short) -> tuple[Markup, list[Section]]:
    """A five-minute lesson: what it is about, and its sections."""
    return markup.inline(sheet.filled(one.about)), list(_sections(sheet, one.pieces))


def _sections(sheet: Sheet, found: Iterator[pages.Piece]) -> Iterator[Section]:
    level, title, held = 0, "", list[Piece]()
    for piece in found:
        if piece.text and not piece.continues:
            if title or held:
                yield _section(sheet, level, title, held)
            level, title, rest = markup.heading(piece.text)
            held = [Piece(sheet.prose(rest))] if rest else []
        elif piece.text:
            held.append(Piece(sheet.prose(piece.text)))
        else:
            held.append(_cell(sheet, *piece.call))
    yield _section(sheet, level, title, held)


def _section(sheet: Sheet, level: int, title: str, held: list[Piece]) -> Section:
    """A section; the one about a rung without a worked version asks for the reader's own words."""
    rung = next(
        (rung for rung in sheet.task.rungs if not rung.worked and title.startswith(f"Rung {rung.number}")), None
    )
    asked = [Piece(cell="note", context={"rung": rung})] if rung else []
    return Section(level, title, markup.slug(title), (*held, *asked))


def _cell(sheet: Sheet, name: str, *words: str) -> Piece:
    if name not in CELLS:
        raise Problem(f"the page has no directive {name!r}.", f"name one of: {', '.join(CELLS)}.")
    return Piece(cell=name, context=CELLS[name](sheet, *words))
