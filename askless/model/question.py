"""Questions: which things they ask about. "C1, C2 and C5 to C9", "jobs 17 and 18, but not 19"."""

from dataclasses import dataclass, field

from askless.api.remembered import remembered
from askless.model.ids import alike, expand, is_identifier, normal, pieces
from askless.model.vocabulary import Vocabulary, word_set, words

_FILLERS = word_set("id identifier number no nr list named called with following these this the and or plus s")
_ABBREVIATED = word_set("no nos nr nrs")
_TO = word_set("to through thru until till .. ... \u2013 \u2014 -")
_EXCLUDING = word_set("except excluding without minus ignore skip not")

MOST_IN_RANGES = 10_000  # things; of the ranges after so many the two ends are taken


@remembered(64)
def asked(text: str, kind: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The things of a kind that a question names, each once, as it first spells them.

    Those listed after a word for the kind, else those listed after no such word,
    else all; and with them whatever looks like the first of them.
    """
    listings = _Listings(vocabulary)
    for piece in pieces(text):
        listings.read(piece)
    found = listings.found
    first = next((item for of in (kind, None) for item, listed in found if listed == of), found[0][0] if found else "")
    of_first = next((listed for item, listed in found if item == first), None)
    left_out = {normal(item) for item in listings.excluded}
    chosen = (item for item, listed in found if listed == of_first or alike(item, first))
    spelled: dict[str, str] = {}
    for item in chosen:
        spelled.setdefault(normal(item), item)
    return tuple(item for name, item in spelled.items() if name not in left_out)


@dataclass
class _Listings:
    """A question read piece by piece: each identifier, and the kind after whose word it is listed."""

    vocabulary: Vocabulary
    found: list[tuple[str, str | None]] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    _kind: str | None = None  # a bare number is an identifier only after a word for a kind
    _excluding: bool = False
    _range_open: bool = False  # the identifier before is followed by "to"
    _between: bool = False
    _before: str = "\n"

    def read(self, piece: str) -> None:
        """Take the next piece."""
        if piece.casefold() in _TO:
            is_bullet = piece == "-" and self._before == "\n"
            self._range_open = bool(self.found) and not is_bullet
        elif self._names(piece):
            self._name(self._several(piece))
        elif words(piece):
            self._word(piece)
        else:
            self._punctuation(piece)
        self._before = piece

    def _names(self, piece: str) -> bool:
        is_number = piece.replace("-", "", 1).isdecimal()
        return is_identifier(piece) or bool(is_number and (self._kind or self._range_open)) or self._is_lettered(piece)

    def _is_lettered(self, piece: str) -> bool:
        """Whether a piece without digits is an identifier all the same: capitals in several parts, after a kind."""
        return self._kind is not None and piece.isupper() and not piece.isalpha()

    def _several(self, piece: str) -> list[str]:
        """The identifiers that one run of characters stands for: C1/C2/C3, C1-C4 and 1-4 are several."""
        parts = piece.split("/")
        if len(parts) > 1 and all(is_identifier(part) and alike(part, parts[0]) for part in parts):
            return parts
        dashed = piece.split("-")
        first, last = "-".join(dashed[: len(dashed) // 2]), "-".join(dashed[len(dashed) // 2 :])
        numbers, names = first.isdecimal() and last.isdecimal(), is_identifier(first) and is_identifier(last)
        return self._expand(first, last) if numbers or (names and alike(first, last)) else [piece]

    def _expand(self, first: str, last: str) -> list[str]:
        """A range; its two ends where there was enough of ranges."""
        enough = len(self.found) + len(self.excluded) > MOST_IN_RANGES
        return [first, last] if enough else expand(first, last)

    def _name(self, items: list[str]) -> None:
        if self._excluding:
            self.excluded += items
        elif self._range_open:
            first, kind = self.found.pop()
            self.found += [(item, kind) for item in self._expand(first, items[0]) + items[1:]]
        else:
            self.found += [(item, self._kind) for item in items]
        self._range_open = False

    def _word(self, piece: str) -> None:
        """A word for a kind opens a list, fillers leave it open, any other word ends it."""
        spoken = set(words(piece))
        self._range_open = self._between and "and" in spoken and bool(self.found)
        self._between = (self._between or "between" in spoken) and not self._range_open
        if spoken & _EXCLUDING:
            self._excluding = True
        elif kinds := self.vocabulary.kinds_in(piece):
            self._kind = kinds[-1]
        elif not spoken <= _FILLERS | {"between"}:
            self._kind, self._excluding = None, False

    def _punctuation(self, piece: str) -> None:
        """The end of a sentence ends a list, and so does a bracket after an identifier."""
        self._excluding = self._excluding and piece in ",&+"
        if piece == "." and self._before.casefold() in _ABBREVIATED:
            return
        if piece in ".!?)" or (piece == "(" and is_identifier(self._before)):
            self._kind = None
