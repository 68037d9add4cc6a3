"""The prompt cache's meter: what of a request is read from the cache, what is written to it, what is neither.

A request is a row of blocks: its tools, its system prompt, its messages (catalog:
cache-prefix-order). A mark, `cache_control`, names the prefix that ends with its
block. What is known of prefixes:

- They are equal where every block is, marks left out, and what stands before it:
  model and tools; for the system prompt also the speed; for messages also
  tool_choice, thinking, output_config, and whether there is any image
  (catalog: tool-choice-cache-cost, cache-invalidation).
- An entry is made at a mark only, and is found from a mark at most 20 positions
  back, the mark's own the first. A run of calls is one position, a run of results
  another (catalog: cache-breakpoints-lookback).
- One shorter than the model's minimum is passed over in silence (catalog: cache-minimums).
- An entry lives for 5 minutes or an hour after a request last used it (catalog: cache-ttl).

A mark inside a tool result counts as one on the result. Requests that overlap
in time are charged one after the other.
"""

from dataclasses import dataclass
from typing import Any

from askless.api import parts
from askless.api.cache_path import Key, Mark, Prefixes, marked, prefixes
from askless.api.conversation import Request
from askless.api.prices import terms

LOOKBACK = 20  # positions
LONG_S = 3_600
USUAL_MINIMUM_TOKENS = 1024  # of a model that the table does not have


@dataclass(frozen=True)
class Charge:
    """A request's input tokens by how they are paid for; together they are the whole of it."""

    plain_tokens: int
    read_tokens: int = 0
    written_5m_tokens: int = 0
    written_1h_tokens: int = 0

    @property
    def usage(self) -> dict[str, Any]:
        """The fields of a reply's usage; writes are split by lifetime where the cache was used."""
        written = self.written_5m_tokens + self.written_1h_tokens
        by_lifetime = {
            "ephemeral_5m_input_tokens": self.written_5m_tokens,
            "ephemeral_1h_input_tokens": self.written_1h_tokens,
        }
        return {
            "input_tokens": self.plain_tokens,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": self.read_tokens,
            **({"cache_creation": by_lifetime} if written or self.read_tokens else {}),
        }


@dataclass
class _Entry:
    """A cached prefix."""

    lifetime_s: float
    ends_s: float


class Meter:
    """The cache entries of one run."""

    def __init__(self) -> None:
        self._entries: dict[Key, _Entry] = {}

    def charge(self, request: Request, now_s: float) -> Charge:
        """Charge a request that the rules let through and whose reply has begun; `now_s` never goes back."""
        whole = parts.input_tokens(request)
        if not marked(request):
            return Charge(whole)
        path, minimum = prefixes(request), _minimum_tokens(request)
        marks = [mark for mark in path.marks if path.tokens(mark.block) >= minimum]
        return self._charged(path, marks, whole, now_s) if marks else Charge(whole)

    def _charged(self, path: Prefixes, marks: list[Mark], whole: int, now_s: float) -> Charge:
        hit = self._hit(path, marks, now_s)
        self._keep(path, marks, hit, now_s)
        read = 0 if hit is None else path.tokens(hit)
        until_long = max([read, *(path.tokens(mark.block) for mark in marks if mark.lifetime_s == LONG_S)])
        until_last = path.tokens(marks[-1].block)
        return Charge(whole - until_last, read, until_last - until_long, until_long - read)

    def _hit(self, path: Prefixes, marks: list[Mark], now_s: float) -> int | None:
        """The block with which the longest cached prefix ends that can be found."""
        for mark in reversed(marks):
            for block in path.back_from(mark.block, LOOKBACK):
                if self._alive(path, block, now_s):
                    return block
        return None

    def _alive(self, path: Prefixes, block: int, now_s: float) -> _Entry | None:
        entry = self._entries.get(path.key(block))
        return entry if entry and now_s <= entry.ends_s else None

    def _keep(self, path: Prefixes, marks: list[Mark], hit: int | None, now_s: float) -> None:
        """Make the entries of this request's marks, and let what was used live on."""
        lifetimes = {mark.block: float(mark.lifetime_s) for mark in marks}
        for block in {*lifetimes, *(() if hit is None else (hit,))}:
            entry = self._alive(path, block, now_s)
            lifetime_s = entry.lifetime_s if entry else lifetimes[block]
            self._entries[path.key(block)] = _Entry(lifetime_s, now_s + lifetime_s)


def _minimum_tokens(request: Request) -> int:
    known = terms(request.fields["model"])
    return known.cache_minimum_tokens if known else USUAL_MINIMUM_TOKENS
