"""What models cost and hold: a dated table, prices.json.

Five rates a model, in US dollars per million tokens, because no one discount
holds for all of them. Money worked out from it is an estimate: the lab's tokens
are characters divided by four (catalog: prices-oct-2026, cache-multipliers,
batch-prices).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from askless.api.models import family

TABLE = Path(__file__).with_name("prices.json")
MTOK = 1_000_000
BATCH = "batch"  # the service tier of a batched request's usage


@dataclass(frozen=True)
class Rates:
    """US dollars per million tokens; `plain` is input that neither came from the cache nor went into it."""

    plain: float
    output: float
    written_5m: float
    written_1h: float
    read: float


@dataclass(frozen=True)
class Terms:
    """What holds for one model. A prompt of more than `long_over_tokens` is priced by `long_rates`, all of it."""

    model: str
    window_tokens: int
    cache_minimum_tokens: int  # a shorter prefix is not cached, and nobody says so
    rates: Rates
    certainty: Literal["documented", "reported"]
    sources: tuple[str, ...]  # ids in web/resources.json
    long_over_tokens: int | None = None
    long_rates: Rates | None = None

    def rates_of(self, prompt_tokens: int) -> Rates:
        """The rates of a prompt, whose length is what was read, written and plain together."""
        over = self.long_over_tokens is not None and prompt_tokens > self.long_over_tokens
        return self.long_rates if over and self.long_rates else self.rates


@cache
def table() -> dict[str, Any]:
    """The table as it stands in the file; `as_of` is the month for which it holds."""
    rows: dict[str, Any] = json.loads(TABLE.read_text("utf-8"))
    return rows


@cache
def _all() -> dict[str, Terms]:
    return {row["model"]: _terms(row) for row in table()["models"]}


def _terms(row: dict[str, Any]) -> Terms:
    long = row.get("long", {})
    return Terms(
        model=row["model"],
        window_tokens=row["window_tokens"],
        cache_minimum_tokens=row["cache_minimum_tokens"],
        rates=Rates(**row["usd_per_mtok"]),
        certainty=row["certainty"],
        sources=tuple(row["sources"]),
        long_over_tokens=long.get("over_tokens"),
        long_rates=Rates(**long["usd_per_mtok"]) if long else None,
    )


@lru_cache(maxsize=64)
def terms(model: str) -> Terms | None:
    """A model's terms, by its name with or without a date; None for one that the table does not have."""
    return _all().get(family(model))


def cost_usd(model: str, usage: Mapping[str, Any]) -> float | None:
    """What a reply's usage comes to; None for a model without known prices. A batched request costs half."""
    known = terms(model)
    if known is None:
        return None
    counts = _counts(usage)
    rates = known.rates_of(sum(counts.values()) - counts["output"])
    dollars = sum(count * float(getattr(rates, kind)) for kind, count in counts.items()) / MTOK
    return dollars * float(table()["batch_share"]) if usage.get("service_tier") == BATCH else dollars


def _counts(usage: Mapping[str, Any]) -> dict[str, int]:
    """Tokens by the rate that they are charged at; writes of unstated lifetime live five minutes."""
    written = usage.get("cache_creation_input_tokens") or 0
    written_1h = (usage.get("cache_creation") or {}).get("ephemeral_1h_input_tokens", 0)
    return {
        "plain": usage.get("input_tokens") or 0,
        "output": usage.get("output_tokens") or 0,
        "written_5m": written - written_1h,
        "written_1h": written_1h,
        "read": usage.get("cache_read_input_tokens") or 0,
    }
