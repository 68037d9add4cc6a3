"""Error texts, read: what failed, and what the text says to try next."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from askless.model.absence import says_absent
from askless.model.ids import alike, find, normal, number, shaped_like, tokens
from askless.model.vocabulary import Vocabulary


def _any_of(*phrases: str) -> re.Pattern[str]:
    """One of several patterns, each at the start of a word, in capitals or not."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(phrases)})", re.IGNORECASE)


_retry = _any_of(
    r"retry|try(?:ing)? again|timed?[ -]?out|temporar|unavailable|rate.?limit|too many requests|busy\b|overloaded",
    r"(?:429|502|503|504|529)\b|connection (?:reset|refused|lost)",
    r"must be\b|is required|required propert|missing required",  # its own input was at fault
)
_no_retry = _any_of(r"(?:do not|don't|no use|no point|never|cannot be|not) (?:be )?retr")
_limit = _any_of(r"(?:at most|up to|max(?:imum)?(?: of| is|:)?|no more than|limit(?: of| is|:)?)\s*(\d{1,9})")
_tool = _any_of(r"`([\w-]+)`", r"([A-Za-z][A-Za-z0-9]*(?:_\w+)+)", r"([A-Za-z]\w*)\(", r"(?-i:([a-z]+[A-Z]\w*))")
_directing = _any_of(r"(?:use|call|try|via|with|see|prefer|ask|query|through)\b")
_forbidding = _any_of(r"(?:not|never|\w+n't) (?:use|call|try|ask)\b")
_correction = _any_of(
    r"did you mean|do you mean|perhaps\b|maybe\b|try\b|use\b|instead\b|should be|must\b|correct|renamed|replaced",
    r"moved|merged|expected|looks? like|form|written",
)
_example = _any_of(r"like\b", r"e\.g\.|for example|such as|form|pattern\b")
_clause = re.compile(r"(?<=[.;!?\n])\s+")


@dataclass(frozen=True)
class Advice:
    """What an error text says about the things a call asked about, in normal form."""

    absent: bool  # what it speaks of does not exist
    retry: bool  # the same call may work a moment later, or its input was at fault
    named: tuple[str, ...]  # things asked about that it names
    tools: tuple[str, ...]  # names of what it says to use
    limit: int | None  # how many things a call may hold
    text: str

    def corrected(self, thing: str) -> str | None:
        """The identifier that the text gives in place of a thing's, if it gives just one."""
        for given, is_example in self._given:
            fitting = {one for one in given if normal(one) != thing and (is_example or _akin(one, thing))}
            if len(fitting) == 1:
                return shaped_like(min(fitting), thing) if is_example else min(fitting)
        return None

    @cached_property
    def _given(self) -> list[tuple[set[str], bool]]:
        """The identifiers that each clause gives after words of correction, and whether as an example of the form."""
        clauses = [(clause, _correction.search(clause)) for clause in _clause.split(self.text)]
        given = [
            ({match[0] for match in find(clause[start.start() :])}, bool(_example.search(clause)))
            for clause, start in clauses
            if start
        ]
        return [entry for entry in given if entry[0]]


def _akin(given: str, thing: str) -> bool:
    return alike(given, thing) or (number(given) is not None and number(given) == number(thing))


def read(text: str, items: Collection[str], vocabulary: Vocabulary, kind: str | None) -> Advice:
    """Read the text of a flagged error of a call about these things of a kind."""
    spoken = tokens(text)
    limit = _limit.search(text)
    return Advice(
        absent=says_absent(text, vocabulary, kind) or _is_only(text, items),
        retry=bool(_retry.search(text)) and not _no_retry.search(text),
        named=tuple(item for item in items if item in spoken),
        tools=tuple(dict.fromkeys(_tools(text))),
        limit=int(limit[1]) if limit else None,
        text=text,
    )


def _tools(text: str) -> Iterator[str]:
    """The names that stand after a word such as use or call."""
    for clause in _clause.split(text):
        start = _directing.search(clause)
        if start and not _forbidding.search(clause):
            yield from (next(filter(None, match.groups())) for match in _tool.finditer(clause, start.end()))


def _is_only(text: str, items: Collection[str]) -> bool:
    """Whether an error is just the thing itself, as the text of a KeyError is."""
    return bool(items) and normal(text.strip("[]() .")) in items
