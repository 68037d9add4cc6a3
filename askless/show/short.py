"""A task's five-minute lessons: Markdown files beside its page, read in the order of their names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from askless.show import markup
from askless.show.lesson import Piece, pieces, rungs_named, told_by_reveals
from askless.task import Task

ORDER = re.compile(r"^\d+_")


@dataclass(frozen=True)
class Short:
    """One lesson; its first paragraph says in a sentence or two what it is about."""

    name: str  # of the file, without its ending
    text: str

    @property
    def slug(self) -> str:
        """Its page's name."""
        return ORDER.sub("", self.name)

    @cached_property
    def title(self) -> str:
        """Its heading."""
        return markup.heading(self.text)[1]

    @cached_property
    def about(self) -> str:
        """Its first paragraph."""
        return markup.heading(self.text)[2].partition("\n\n")[0]

    @property
    def pieces(self) -> Iterator[Piece]:
        """What follows the title and the first paragraph: prose by heading, and directives."""
        return pieces(markup.heading(self.text)[2].partition("\n\n")[2])

    @property
    def minutes(self) -> int:
        """How long it takes to read."""
        return markup.minutes(markup.words(iter([self.text])))


def tells(task: Task, short: Short) -> list[str]:
    """The rungs that the task's page asks its reader to predict, and whose measured runs this lesson shows."""
    shown = {*rungs_named(short.text), *(word for piece in short.pieces for word in piece.call[1:])}
    return [rung for rung in told_by_reveals(task.page.read_text("utf-8")) if rung in shown]


def shorts(task: Task) -> list[Short]:
    """A task's lessons; none where it has no folder of them."""
    return [Short(path.stem, path.read_text("utf-8")) for path in sorted((task.folder / "lessons").glob("*.md"))]
