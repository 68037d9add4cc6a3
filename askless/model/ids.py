"""Identifiers: what looks like one in a text, which are alike, and the range between two."""

import re
from collections.abc import Iterator
from functools import lru_cache

LONGEST_RANGE = 10_000  # things; a longer range is taken for its two ends

_token = re.compile(r"[^\W_]+(?:[-_/.][^\W_]+)*|\.{2,}|[\u2013\u2014]|(?<=\s)-(?=\s)|[,;&+:.!?()\n]|\w")
_mixed = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])")
_no_identifier = re.compile(r"\d+[a-z]{1,2}|\d{4}-\d\d-\d\d\w*", re.IGNORECASE)  # 2nd, 24h, a date
_digits_at_end = re.compile(r"^(.*?)(\d{1,18})$")  # of an endless number the last, as Python reads none so long
_letters_at_start = re.compile(r"[^\W\d_]*")
_hexadecimal = re.compile(r"(?=.*\d[a-f])[\da-f-]{8,}")  # as a UUID is
_run = re.compile(r"\d+|[^\W\d_]+")


@lru_cache(maxsize=8192)
def normal(identifier: str) -> str:
    """The form in which two spellings of an identifier are the same."""
    return identifier.strip("'\"`# ").casefold()


@lru_cache(maxsize=8192)
def is_identifier(text: str) -> bool:
    """Whether a text is one identifier by its looks: letters and digits, no space, not a date or an ordinal."""
    if not _mixed.match(text) or not _token.fullmatch(text.removeprefix("#")):
        return False
    return not _no_identifier.fullmatch(text)


def pieces(text: str) -> Iterator[str]:
    """A text in pieces: words, numbers, identifiers, and the punctuation that parts them."""
    return (match[0] for match in _token.finditer(text))


def find(text: str) -> Iterator[re.Match[str]]:
    """The identifiers of a text, by their looks, with their places."""
    return (match for match in _token.finditer(text) if is_identifier(match[0]))


def tokens(text: str) -> set[str]:
    """Everything in a text that could be an identifier, bare numbers and words included, in its normal form."""
    return {normal(match[0]) for match in _token.finditer(text)}


def alike(one: str, other: str) -> bool:
    """Whether two identifiers look like those of one kind: the same letters first, or the same form after a digit."""
    head = _head(one)
    return bool(head) and head == _head(other)


@lru_cache(maxsize=8192)
def _head(identifier: str) -> str:
    """What identifiers of one kind begin with: letters; where those say nothing, the form of the whole."""
    name = normal(identifier)
    if _hexadecimal.fullmatch(name):
        return re.sub(r"\w", "0", name)
    found = _letters_at_start.match(name)
    return found[0] if found and found[0] else _form(name)


def _form(name: str) -> str:
    """Digits as 0 and letters as a, however many stand together; "" for a bare number, which is like any other."""
    return "" if name.isdecimal() else _run.sub(lambda run: "0" if run[0].isdecimal() else "a", name)


def number(identifier: str) -> int | None:
    """The number at an identifier's end."""
    match = _digits_at_end.match(identifier)
    return int(match[2]) if match else None


def shaped_like(example: str, identifier: str) -> str:
    """An identifier's number in the form of an example: C7 like CUST-0001 is CUST-0007."""
    form, count = _digits_at_end.match(example), number(identifier)
    if not form or count is None:
        return example
    return f"{form[1]}{count:0{len(form[2])}}"


def expand(first: str, last: str) -> list[str]:
    """The identifiers from `first` to `last`; the two themselves where they form no range."""
    start, end = _digits_at_end.match(first), _digits_at_end.match(last)
    if start and end and end[1].casefold() in (start[1].casefold(), ""):
        low, high = int(start[2]), int(end[2])
        width = len(start[2]) if start[2].startswith("0") else 0
        if low <= high < low + LONGEST_RANGE:
            return [f"{start[1]}{count:0{width}}" for count in range(low, high + 1)]
    return [first, last]
