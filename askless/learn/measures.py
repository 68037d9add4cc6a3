"""Which cost a number is about, where English words say so: "8 round trips", "tool calls: 10", "from 8 to 3 trips"."""

import re
from collections.abc import Iterator
from decimal import Decimal

from askless.check.target import WORDS
from askless.learn.reading import NUMBER, TO_TWELVE, numbers

NEAR_CHARS = 60
GAP = r"[^\d.;!?]{0,40}"
PAIR = re.compile(rf"(?<![\w.,])({NUMBER})\s*(?:down to|to|->|=>|→)\s*({NUMBER})")

STEMS = {measure: words.removesuffix("s").replace(" ", r"\s+") for measure, words in WORDS.items()}
UNITS = {  # as people write them; "never" is what no run tells
    "round_trips": r"(?:round[\s-]+)?trips?|(?:API|model|LLM)\s+calls?",
    "tool_calls": r"(?:tool[\s-]+)?calls?",
    "input_tokens": r"(?:input\s+)?tokens?",
    "never": r"output\s+tokens?|dollars?|cents?|USD|EUR|(?:milli)?seconds?|ms|minutes?|hours?",
}
UNIT = "|".join(f"(?P<{measure}>{words})" for measure, words in UNITS.items())
SAID = rf"(?P<said>{NUMBER}|{'|'.join(TO_TWELVE.split()[1:12])})"
# "request 3 needs calls" counts nothing. One word may stand before the unit: "8 sequential trips".
COUNT = re.compile(
    rf"(?<![\w.,])(?<!\brequest )(?<!\bcustomer ){SAID}[\s-]*(?:[^\W\d]+\s+)??(?:{UNIT})(?!\w)", re.IGNORECASE
)
LISTED = re.compile(rf"\b(?:{UNIT})\s*[:=(]\s*{SAID}(?!\w)", re.IGNORECASE)
MONEY = re.compile(rf"(?P<never>[$€£])\s*{SAID}")


def pairs(text: str) -> Iterator[tuple[str, str, tuple[Decimal, Decimal]]]:
    """Numbers said to be before and after, where a cost is named: (the words, the measure, both)."""
    for pair in PAIR.finditer(text):
        start, end = pair.span()
        measure = _measure(text[end : end + NEAR_CHARS], text[max(0, start - NEAR_CHARS) : start])
        if measure:
            yield pair[0], measure, (_number(pair[1]), _number(pair[2]))


def counts(text: str) -> Iterator[tuple[str, Decimal]]:
    """Every number of which a text says what it counts: (the measure, or "never", the number).

    "One" counts nothing: "one call" is also any call.
    """
    for _, measure, both in pairs(text):
        yield from ((measure, number) for number in both)
    for pattern in (COUNT, LISTED, MONEY):
        for found in pattern.finditer(text):
            yield next(name for name in UNITS if found.groupdict().get(name)), _number(found["said"])


def _number(said: str) -> Decimal:
    return next(iter(numbers(said)))


def _measure(after: str, before: str) -> str | None:
    """Which cost a pair of numbers is about: the one named right after it, else the nearest before it."""
    for measure in STEMS:
        if re.match(rf"\s*(?:{UNITS[measure]})\b", after, re.IGNORECASE):
            return measure
    found = {measure: re.search(rf"\b{stem}s?\b{GAP}$", before, re.IGNORECASE) for measure, stem in STEMS.items()}
    near = {measure: match.start() for measure, match in found.items() if match}
    return max(near, key=lambda measure: near[measure], default=None)
