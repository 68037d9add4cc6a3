"""What the API itself counted, beside characters divided by four."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from askless.live.run import Lived
from askless.live.upstream import Attempt


@dataclass(frozen=True)
class Count:
    """Tokens and US dollars of one request, or of several; `ratio` is the API's input tokens to the estimated ones.

    Tokens are those of requests whose usage the API told, on either side; dollars are those of all.
    """

    estimated_tokens: int
    counted_tokens: int | None  # by count_tokens, where it was asked each time
    input_tokens: int  # the API's: plain, read from the prompt cache and written to it
    output_tokens: int
    usd: float

    @property
    def ratio(self) -> float | None:
        """None where the API told nothing."""
        return self.input_tokens / self.estimated_tokens if self.input_tokens and self.estimated_tokens else None

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            **asdict(self),
            "usd": round(self.usd, 6),
            "ratio": None if self.ratio is None else round(self.ratio, 3),
        }


def of(attempt: Attempt) -> Count:
    """What is known of one request."""
    usage = attempt.exchange.reply.get("usage") or {}
    kinds = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    tokens = sum(usage.get(kind) or 0 for kind in kinds)
    if not tokens:
        return Count(0, None, 0, 0, attempt.usd)
    return Count(attempt.estimated_tokens, attempt.counted_tokens, tokens, usage.get("output_tokens") or 0, attempt.usd)


def total(counts: Iterable[Count]) -> Count:
    """The sum of several."""
    each = list(counts)
    told = [count.counted_tokens for count in each if count.input_tokens]
    known = [tokens for tokens in told if tokens is not None]
    return Count(
        sum(count.estimated_tokens for count in each),
        sum(known) if known and len(known) == len(told) else None,
        sum(count.input_tokens for count in each),
        sum(count.output_tokens for count in each),
        sum(count.usd for count in each),
    )


@dataclass(frozen=True)
class Spread:
    """The middle, the least and the most of a measure over several runs."""

    median: float
    least: float
    most: float


def measures(lived: Lived) -> dict[str, float]:
    """What is measured of one run; no tokens where the API told none."""
    sums, totals = total(map(of, lived.attempts)), lived.trace.totals
    return {
        "round_trips": totals.round_trips,
        "tool_calls": totals.tool_calls,
        **({"input_tokens": sums.input_tokens, "output_tokens": sums.output_tokens} if sums.input_tokens else {}),
        "usd": sums.usd,
    }


def spreads(runs: Sequence[Lived]) -> dict[str, Spread]:
    """Each measure over the runs that came to an answer; empty without two of them."""
    rows = [measures(lived) for lived in runs if lived.how == "answered"]
    if len(rows) < 2:
        return {}
    told = [name for name in rows[0] if all(name in row for row in rows)]
    columns = {name: [row[name] for row in rows] for name in told}
    return {name: Spread(median(values), min(values), max(values)) for name, values in columns.items()}
