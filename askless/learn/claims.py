"""A reviewer's findings, each held against what it rests on: the learner's words, the catalog, the runs.

A model may make up any of the three, so code looks, and what fails is dropped. That a finding is kept says that its
quote, its source and its numbers exist, not that it is right.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from askless.learn.reading import is_name, tokens

QUOTE_CHARS = 6  # a shorter one stands in any text
MOST_FINDINGS = 12

REASONS = {  # why a finding was dropped
    "quote": "without a literal quote of your own words",
    "source": "without a source of the catalog",
    "number": "with a number that is in none of your runs",
    "surplus": f"past the first {MOST_FINDINGS}",
}


@dataclass(frozen=True)
class Claim:
    """One finding of a reviewer: what it is about, the catalog id it cites, the words it quotes, and what it says."""

    about: str
    source: str
    quote: str
    says: str
    next: str


@dataclass(frozen=True)
class Ground:
    """What findings may rest on. `numbers` are of the runs; `names` mix letters and digits, as rungs' names do."""

    words: str
    sources: Collection[str]
    numbers: Collection[Decimal]
    names: Collection[str]


@dataclass(frozen=True)
class Kept:
    """The findings that hold, and how many were dropped for which reason."""

    claims: tuple[Claim, ...]
    dropped: dict[str, int]


def keep(claims: Iterable[Claim], ground: Ground) -> Kept:
    """The claims that hold. One that fails in several ways is counted under the first, in the order of REASONS."""
    kept: list[Claim] = []
    dropped: Counter[str] = Counter()
    for claim in claims:
        reason = _fault(claim, ground) or ("surplus" if len(kept) == MOST_FINDINGS else None)
        if reason:
            dropped[reason] += 1
        else:
            kept.append(claim)
    return Kept(tuple(kept), {reason: dropped[reason] for reason in REASONS if dropped[reason]})


def numbers_in(value: Any) -> set[Decimal]:
    """Every number in a value made of JSON; true and false are none."""
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return set().union(*map(numbers_in, parts))
    return {Decimal(str(value))} if isinstance(value, int | float) and not isinstance(value, bool) else set()


def _fault(claim: Claim, ground: Ground) -> str | None:
    if len(claim.quote.strip()) < QUOTE_CHARS or claim.quote not in ground.words:
        return "quote"
    if claim.source not in ground.sources:
        return "source"
    return None if _measured(claim.says, ground) and _measured(claim.next, ground) else "number"


def _measured(text: str, ground: Ground) -> bool:
    """Whether each number of a text is one of the runs', and each name known. The quote's numbers are the learner's."""
    return all(
        token.readable
        and (token.number is None or token.number in ground.numbers)
        and (token.number is not None or not is_name(token.text) or token.text.lower() in ground.names)
        for token in tokens(text)
    )
