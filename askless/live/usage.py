"""What a reply says that it cost, where that can be true."""

from collections.abc import Mapping
from typing import Any

from askless.api import prices

SENT = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)  # of what was sent
MADE = "output_tokens"


def told(model: str, reply: Mapping[str, Any]) -> dict[str, Any] | None:
    """A reply's usage; None where there is none, or one that no reply of such a model can have."""
    usage, terms = reply.get("usage"), prices.terms(model)
    if not isinstance(usage, dict) or terms is None:
        return None
    split = usage.get("cache_creation") or {}
    counts = [usage.get(name) or 0 for name in SENT]
    written: list[Any] = list(split.values()) if isinstance(split, dict) else [None]
    every: list[Any] = [*counts, usage.get(MADE), *written]
    if not all(type(count) is int and 0 <= count <= terms.window_tokens for count in every):
        return None
    return usage if sum(counts) and sum(written) <= counts[-1] else None


def kept(model: str, reply: dict[str, Any]) -> dict[str, Any]:
    """A reply as it is recorded: without a usage that cannot be true."""
    return reply if "usage" not in reply or told(model, reply) else {**reply, "usage": {}}


def cost_usd(model: str, reply: Mapping[str, Any]) -> float | None:
    """US dollars; None where nobody told them."""
    usage = told(model, reply)
    return prices.cost_usd(model, usage) if usage else None
