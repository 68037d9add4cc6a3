"""A reviewer's findings, each held against what it rests on: the learner's words, the catalog, the runs.

A model may make up any of the three, so code looks, and what fails is dropped; so is what is not a reviewer's to say
(wording.py). That a finding is kept says that its quote, its sources and its numbers exist, not that it is right.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from askless.learn import wording
from askless.learn.measures import counts
from askless.learn.reading import is_name, tokens

QUOTE_CHARS = 6  # a shorter one stands in any text
MOST_FINDINGS = 12
MOST_CHARS = 600  # of each text of a finding

REASONS = {  # why a finding was dropped
    "long": f"longer than {MOST_CHARS} characters",
    "quote": "without a literal quote of your own words",
    "source": "without a source of the catalog, or with another one besides",
    "verdict": "with a verdict, grade or score, which is not the reviewer's to give",
    "command": "with a command to run",
    "number": "with a number that is in none of your runs",
    "twice": "said before",
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
    """What findings may rest on.

    `sources` holds each one's claim; `numbers` are of the runs, `measures` those of each cost; `names` mix letters and
    digits, as rungs' names do.
    """

    words: str
    sources: Mapping[str, str]
    numbers: AbstractSet[Decimal]
    measures: Mapping[str, AbstractSet[Decimal]]
    names: AbstractSet[str]


@dataclass(frozen=True)
class Kept:
    """The findings that hold, and how many were dropped for which reason."""

    claims: tuple[Claim, ...]
    dropped: dict[str, int]


def keep(claims: Iterable[Claim], ground: Ground) -> Kept:
    """The claims that hold. One that fails in several ways is counted under the first, in the order of REASONS."""
    kept: dict[tuple[str, str], Claim] = {}
    dropped: Counter[str] = Counter()
    for claim in claims:
        said = _plain(claim.quote), _plain(claim.says)
        full = "surplus" if len(kept) == MOST_FINDINGS else None
        reason = _fault(claim, ground) or ("twice" if said in kept else full)
        if reason:
            dropped[reason] += 1
        else:
            kept[said] = claim
    return Kept(tuple(kept.values()), {reason: dropped[reason] for reason in REASONS if dropped[reason]})


def numbers_in(value: Any) -> set[Decimal]:
    """Every number in a value made of JSON; true and false are none."""
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return set().union(*map(numbers_in, parts))
    return {Decimal(str(value))} if isinstance(value, int | float) and not isinstance(value, bool) else set()


def _fault(claim: Claim, ground: Ground) -> str | None:
    own = claim.says, claim.next
    if max(map(len, (claim.quote, *own))) > MOST_CHARS:
        return "long"
    if len(claim.quote.strip()) < QUOTE_CHARS or claim.quote not in ground.words:
        return "quote"
    if claim.source not in ground.sources or any(_cites(text, ground) for text in own):
        return "source"
    if any(map(wording.judges, own)):
        return "verdict"
    if any(map(wording.commands, own)):
        return "command"
    return None if all(_measured(text, ground) for text in own) else "number"


def _cites(text: str, ground: Ground) -> bool:
    return wording.cites(text, ground.sources, "\n".join((ground.words, *ground.sources.values())))


def _measured(text: str, ground: Ground) -> bool:
    """Whether each number of a text is one of the runs', and of the cost that it is said to be; and each name known.

    The quote's numbers are the learner's.
    """
    return all(number in ground.measures.get(measure, ()) for measure, number in counts(text)) and all(
        token.readable
        and (token.number is None or token.number in ground.numbers)
        and (token.number is not None or not is_name(token.text) or _known(token.text.lower(), ground))
        for token in tokens(text)
    )


def _known(name: str, ground: Ground) -> bool:
    return name in ground.names or name in ground.sources


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
