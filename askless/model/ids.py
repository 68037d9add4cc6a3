"""Identifiers in text: C1, CUST-0007, ord/2026/14, "C1 to C40", "jobs 17 and 18"."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from askless.model.vocabulary import Vocabulary, word_set, words

LONGEST_RANGE = 100_000  # things; a longer range is taken for its two ends

_token = re.compile(r"[^\W_]+(?:[-_/.][^\W_]+)*|\.{2,}|[\u2013\u2014]|(?<=\s)-(?=\s)|[,;&+:.!?)\n]|\w")
_mixed = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])")
_no_identifier = re.compile(r"\d+[a-z]{1,2}|\d{4}-\d\d-\d\d\w*", re.IGNORECASE)  # 2nd, 24h, a date
_digits_at_end = re.compile(r"^(.*?)(\d+)$")
_letters_at_start = re.compile(r"[^\W\d_]*")

_FILLERS = word_set("id identifier number no nr list named called with following these this the and or plus s")
_RANGE_WORDS = word_set("to through thru until till .. ... \u2013 \u2014 -")
_EXCLUDING = word_set("except excluding without minus ignore skip not")


@lru_cache(maxsize=8192)
def normal(identifier: str) -> str:
    """The form in which two spellings of an identifier are the same."""
    return identifier.strip("'\"`# ").casefold()


@lru_cache(maxsize=8192)
def is_identifier(text: str) -> bool:
    """Whether a text is one identifier by its looks: letters and digits, no space, not a date or an ordinal."""
    if not _mixed.match(text) or not _token.fullmatch(text):
        return False
    return not _no_identifier.fullmatch(text)


def find(text: str) -> Iterator[re.Match[str]]:
    """The identifiers of a text, by their looks, with their places."""
    return (match for match in _token.finditer(text) if is_identifier(match[0]))


def tokens(text: str) -> set[str]:
    """Everything in a text that could be an identifier, bare numbers and words included, in its normal form."""
    return {normal(match[0]) for match in _token.finditer(text)}


def alike(one: str, other: str) -> bool:
    """Whether two identifiers begin with the same letters, as those of one kind do."""
    head = _letters_at_start.match(normal(one))
    return bool(head and head[0]) and head[0] == _letters_at_start.match(normal(other))[0]  # type: ignore[index]


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


@lru_cache(maxsize=64)
def asked(text: str, kind: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The things of a kind that a question names, each once, as it spells them.

    Those listed after a word for the kind, and those that look like them; where
    there is no such list, every identifier that is not listed as another kind's.
    """
    listings = _Listings(vocabulary)
    for match in _token.finditer(text):
        listings.read(match[0])
    named = [item for item, of in listings.found if of == kind]
    chosen = [
        item for item, of in listings.found if of == kind or (of is None and (not named or alike(item, named[0])))
    ]
    return tuple(_once(chosen, listings.excluded))


def _once(items: Iterable[str], excluded: list[str]) -> list[str]:
    left_out = {normal(item) for item in excluded}
    first = {normal(item): item for item in reversed(list(items))}
    order = dict.fromkeys(normal(item) for item in items)
    return [first[item] for item in order if item not in left_out]


@dataclass
class _Listings:
    """A question read token by token: each identifier, and the kind after whose word it was listed."""

    vocabulary: Vocabulary
    found: list[tuple[str, str | None]] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    _kind: str | None = None
    _excluding: bool = False
    _range_open: bool = False  # the identifier before was followed by "to"
    _between: bool = False
    _before: str = "\n"

    def read(self, token: str) -> None:
        """Take the next token."""
        if token.casefold() in _RANGE_WORDS:
            bullet = token == "-" and self._before == "\n"
            self._range_open = bool(self.found) and not bullet
        elif is_identifier(token) or (token.isdecimal() and (self._kind or self._range_open)):
            self._identifier(token)
        else:
            self._word(token)
        self._before = token

    def _identifier(self, token: str) -> None:
        items = _several(token)
        if self._excluding:
            self.excluded += items
            return
        if self._range_open:
            first, kind = self.found.pop()
            items = expand(first, items[0]) + items[1:]
            self.found += [(item, kind) for item in items]
        else:
            self.found += [(item, self._kind) for item in items]
        self._range_open = False

    def _word(self, token: str) -> None:
        spoken = words(token)
        self._range_open = self._range_open and not spoken
        if "between" in spoken:
            self._between = True
        elif self._between and "and" in spoken and self.found:
            self._range_open, self._between = True, False
        elif any(word in _EXCLUDING for word in spoken):
            self._excluding = True
        elif kinds := self.vocabulary.kinds_in(token):
            self._kind = kinds[-1]
        elif not spoken:
            self._excluding = self._excluding and token in ",&+"
            self._kind = self._kind if token not in ".!?)" else None
        elif not set(spoken) <= _FILLERS:
            self._kind, self._excluding = None, False


def _several(token: str) -> list[str]:
    """The identifiers that one run of characters stands for: C1/C2/C3 and C1-C4 are several."""
    parts = token.split("/")
    if len(parts) > 1 and all(is_identifier(part) and alike(part, parts[0]) for part in parts):
        return parts
    pieces = token.split("-")
    first, last = "-".join(pieces[: len(pieces) // 2]), "-".join(pieces[len(pieces) // 2 :])
    if is_identifier(first) and is_identifier(last) and alike(first, last):
        return expand(first, last)
    return [token]
