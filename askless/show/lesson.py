"""A task's page.md, read: prose with placeholders for measured numbers, citations, and directives.

What stands below a `reveal`, up to the next heading, says what was measured: it is shown by that reveal and not before.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from askless import catalog, ladder
from askless.errors import Problem
from askless.task import Task
from askless.trace import Trace

FENCE = re.compile(r"^```askless\n(?P<directive>.*?)\n```\n?", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,3} .*", re.MULTILINE)
PLACEHOLDER = re.compile(r"\{\{(?P<rung>\w+)\.(?:requests\.(?P<request>\d+)\.)?(?P<measure>\w+)\}\}")
CITATIONS = re.compile(r"\[@[\w.-]+\](?:\s+\[@[\w.-]+\])*")
REVEAL = "reveal"

Measured = Callable[[str], Trace]  # a rung's name -> its trace


@dataclass(frozen=True)
class Piece:
    """A stretch of the page: prose under its heading, or, where `call` is set, a directive's function and rung."""

    text: str = ""
    call: tuple[str, ...] = ()

    @property
    def continues(self) -> bool:
        """Whether this is prose without a heading of its own."""
        return bool(self.text) and not HEADING.match(self.text)


def pieces(page: str) -> Iterator[Piece]:
    """The page in order; a new stretch of prose begins at each heading."""
    end = 0
    for fence in FENCE.finditer(page):
        yield from _prose(page[end : fence.start()])
        yield Piece(call=tuple(fence["directive"].split()))
        end = fence.end()
    yield from _prose(page[end:])


def _prose(text: str) -> Iterator[Piece]:
    starts = [0, *(heading.start() for heading in HEADING.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        if stripped := text[start:end].strip():
            yield Piece(stripped)


def told_by_reveals(page: str) -> dict[str, str]:
    """What each rung's reveal says below its numbers, by the rung's name."""
    found = list(pieces(page))
    following = zip(found, [*found[1:], Piece()], strict=True)
    return {piece.call[1]: after.text for piece, after in following if piece.call[:1] == (REVEAL,) and after.continues}


def told(task: Task, rung: str) -> str:
    """What a rung's reveal says below its numbers; nothing where the lesson does not ask for that rung."""
    return told_by_reveals(task.page.read_text("utf-8")).get(rung, "")


def tells(task: Task, rung: str) -> tuple[str, ...]:
    """The rungs whose numbers a reveal in the lesson shows: its own, and those that it is compared with in words."""
    return (rung, *rungs_named(told(task, rung)))


def rungs_named(text: str) -> tuple[str, ...]:
    """The rungs whose measured numbers a text tells."""
    return tuple(dict.fromkeys(found["rung"] for found in PLACEHOLDER.finditer(text)))


def shown_at_once(page: str) -> Iterator[Piece]:
    """The page without what its reveals tell."""
    before = Piece()
    for piece in pieces(page):
        if not (piece.continues and before.call[:1] == (REVEAL,)):
            yield piece
        before = piece


def fill(text: str, measured: Measured) -> str:
    """Prose with each placeholder as a measured number and each citation as a link. A Problem names what is unknown."""
    filled = PLACEHOLDER.sub(lambda found: _number(found, measured), text)
    return CITATIONS.sub(lambda found: _links(re.findall(r"@([\w.-]+)", found[0])), filled)


def _number(found: re.Match[str], measured: Measured) -> str:
    trace = measured(found["rung"])
    try:
        if not found["request"]:
            return f"{getattr(trace.totals, found['measure']):,}"
        index = range(1, len(trace.round_trips) + 1).index(int(found["request"]))
        if found["measure"] == "split":
            return " + ".join(f"{count:,}" for count in trace.new_tokens(index))
        return f"{getattr(trace.round_trips[index], found['measure']):,}"
    except (AttributeError, ValueError):
        raise Problem(f"{found[0]} is nothing that a trace holds.", "name a total, or a request's number.") from None


def _links(ids: list[str]) -> str:
    known = catalog.sources()
    if unknown := [name for name in ids if name not in known]:
        raise Problem(f"the catalog has no source {unknown[0]!r}.", "add it to web/resources.json, or mend the name.")
    return f"({'; '.join(f'[{known[name].title}]({known[name].address})' for name in ids)})"


def measured(task: Task) -> Measured:
    """A task's worked rungs, each run through the real SDK once."""
    return cache(lambda rung: ladder.run(task, rung))


def questions(text: str) -> Iterator[tuple[str, str]]:
    """interview.md as pairs of a question and its model answer."""
    for piece in _prose(text):
        heading, _, answer = piece.text.partition("\n")
        yield heading.lstrip("# "), answer.strip()
