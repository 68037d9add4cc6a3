"""What the real API answered to the rules, for those who read."""

from collections import Counter
from collections.abc import Iterator, Sequence

from askless.live.asking import Answered, Outcome, Said
from askless.live.purse import Purse
from askless.show.text import Line

OUTCOMES: dict[Outcome, str] = {
    "holds": "hold",
    "other_words": "hold in other words",
    "not_seen": "not seen in one try",
    "changed": "do not hold",
}


def lines(rows: Sequence[Answered], host: str, purse: Purse) -> Iterator[Line]:
    """How many hold, and each that does not, or not in the same words."""
    counts = Counter(row.outcome for row in rows)
    said = ", ".join(f"{counts[outcome]} {words}" for outcome, words in OUTCOMES.items() if counts[outcome])
    most = " at most, as not every reply told" if purse.guessed else ""
    yield Line(0, f"Of {len(rows)} rules asked of {host}, {said}. It cost ${purse.spent_usd:.4f}{most}.", "bold")
    for row in rows:
        if row.outcome != "holds":
            yield Line(0, "")
            yield Line(0, f"{row.rule}: {row.outcome.replace('_', ' ')}", "red" if row.outcome == "changed" else "")
            if row.expected:
                yield Line(2, f"here:  {_one(row.expected)}")
            yield Line(2, f"there: {_one(row.said)}")


def _one(said: Said) -> str:
    return f"{said.status} {said.type}: {said.message}"
