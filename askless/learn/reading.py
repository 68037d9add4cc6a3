"""How numbers and names are read in prose.

A number is written in digits of any script: 1408, 1,408, 1'408 or 1 408 with a narrow or unbreakable space, 0.25 with
a point. One to twelve, and first to twelfth, are read as words, too. A date or a range is the numbers in it
(2026-11-30: 2026, 11, 30), and a sign before a number is no part of it. A word that mixes letters and digits (v3, C1,
toolu_0001) is a name and no number.

All else that says how many cannot be read: a part of one (half, twice, a dozen, 50 %, ½), larger numbers in words, and
digits set as nobody can be sure of (1,4). Number words of languages other than English are not seen.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

GROUPS = ",'\u2019_\u00a0\u2009\u202f"  # what may stand between thousands; among them spaces that do not break
NUMBER = rf"(?:\d{{1,3}}(?:[{GROUPS}]\d{{3}})+|\d+)(?:\.\d+)?(?!\w)(?![.,'\u2019]\d)"
TOKEN = re.compile(
    rf"(?P<number>{NUMBER})(?P<percent>\s*(?:%|‰|per ?cent\b))?|(?P<word>\w+(?:[-.,:/'\u2019\u2013]\w+)*)"
)
ENDING = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)

TO_TWELVE = """
one two three four five six seven eight nine ten eleven twelve
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
"""
WORDS = {word: Decimal(n) for line in TO_TWELVE.splitlines() for n, word in enumerate(line.split(), 1)}
TEENS = "thir|four|fif|six|seven|eigh|nine"
UNREADABLE = re.compile(
    rf"(?:{TEENS})teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|trillions?"
    r"|half|halves|halv(?:e|ed|ing)|quarters?|thirds|fifths|tenths|twice|thrice|dozens?|couples?"
    r"|(?:doubl|tripl|quadrupl)(?:e|es|ed|ing)|\w*fold"
)


@dataclass(frozen=True)
class Token:
    """A number, or a word, whose `number` is None. What says how many and cannot be read is not `readable`."""

    text: str
    number: Decimal | None = None
    readable: bool = True


def tokens(text: str) -> Iterator[Token]:
    """The numbers and words of a text in order."""
    for found in TOKEN.finditer(text):
        if found["number"]:
            yield Token(found[0], _value(found["number"]), readable=not found["percent"])
        else:
            yield from _words(found["word"])


def numbers(text: str) -> set[Decimal]:
    """Every number of a text that can be read."""
    return {token.number for token in tokens(text) if token.number is not None and token.readable}


def is_name(text: str) -> bool:
    """Whether a word mixes letters and digits."""
    return any(map(str.isdecimal, text)) and any(map(str.isalpha, text))


def _value(digits: str) -> Decimal:
    return Decimal(re.sub(rf"[{GROUPS}]", "", digits))


def _words(chunk: str) -> Iterator[Token]:
    """Words that signs join, each alone; only a hyphen is part of a name."""
    if re.search(r"\d[.,'\u2019]\d", chunk):
        yield Token(chunk, readable=False)
        return
    for name in re.split(r"[^\w-]", chunk):
        if any(map(_is_numeral, name)):
            ending = ENDING.fullmatch(name)
            yield Token(name, Decimal(ending[1]) if ending else None, readable=bool(ending) or is_name(name))
        else:
            yield from map(_word, name.split("-"))


def _word(text: str) -> Token:
    known = text.lower()
    return Token(text, WORDS.get(known), readable=not UNREADABLE.fullmatch(known))


def _is_numeral(sign: str) -> bool:
    return unicodedata.numeric(sign, None) is not None
