"""Trace: what was recorded of a run, and the one object everything else is computed from.

A round trip holds what its request added to the one it extends, so a trace of n
requests is as long as what was sent for the first time, not as its square.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, Literal

from askless.api.conversation import Message
from askless.api.parts import Part, tokens

SCHEMA = "askless.trace/1"
NO_RESPONSE = 0  # the status of a round trip whose connection broke before an answer

Source = Literal["scripted", "live", "replay", "other"]


@dataclass(frozen=True)
class Call:
    """A `tool_use` block that the model issued, and the result it was given (None while unanswered)."""

    id: str
    name: str
    input: dict[str, Any]
    result: Any = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """A part of a request and the number of the request that first sent it."""

    part: Part
    first_sent: int


@dataclass(frozen=True)
class RoundTrip:
    """One request and its one reply. A retry has the same `n` and the next `attempt`."""

    n: int
    attempt: int
    status: int  # HTTP, or NO_RESPONSE
    extends: int | None  # the index, in the trace, of the round trip whose messages this one keeps
    kept: int  # how many leading messages it keeps
    fields: dict[str, Any]  # the body with an empty list of messages
    added: tuple[Message, ...]
    added_parts: tuple[Sent, ...]  # one for each message in `added`
    frame: tuple[Sent, ...]  # system, tools, rest
    chars: int
    reply: dict[str, Any]  # the message, or the error envelope; of a cut stream, what arrived
    calls: tuple[Call, ...] = ()
    delay_s: float = 0.0  # simulated, by which the answer was late
    retry_after_s: float | None = None  # what a failed answer said to wait
    batch: str | None = None  # the id of the message batch that held the request

    @property
    def input_tokens(self) -> int:
        """The request's tokens."""
        return tokens(self.chars)

    @property
    def output_tokens(self) -> int:
        """The reply's tokens; 0 for a failed request."""
        return int(self.usage.get("output_tokens") or 0)

    @property
    def usage(self) -> dict[str, Any]:
        """The usage that the reply reported; {} for one that counts no tokens, whoever said so."""
        usage = self.reply.get("usage")
        return usage if isinstance(usage, dict) and all(map(_is_count, usage.items())) else {}

    @property
    def plain_tokens(self) -> int:
        """The input tokens that neither came from the prompt cache nor went into it, as the reply reported them."""
        return int(self.usage.get("input_tokens") or 0)

    @property
    def read_tokens(self) -> int:
        """The input tokens read from the prompt cache."""
        return int(self.usage.get("cache_read_input_tokens") or 0)

    @property
    def written_tokens(self) -> int:
        """The input tokens written to the prompt cache; with those read and the plain ones they are the whole."""
        return int(self.usage.get("cache_creation_input_tokens") or 0)

    @property
    def cut(self) -> bool:
        """Whether a stream ended before its stop reason, which the SDK tells nobody."""
        return self.status == 200 and self.reply.get("stop_reason", "") is None

    @property
    def failed(self) -> bool:
        """Whether the request was refused or lost, or its reply cut off."""
        return self.status != 200 or self.cut


def _is_count(field: tuple[str, Any]) -> bool:
    """Whether a field of a usage says a number of tokens, or something else."""
    name, value = field
    return not name.endswith("_tokens") or value is None or (type(value) is int and value >= 0)


@dataclass(frozen=True)
class Totals:
    """The sums over a run; failed requests count."""

    round_trips: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    failed_requests: int


@dataclass(frozen=True)
class Trace:
    """One run of one agent on one question."""

    task: str
    rung: str
    model: Source
    question: str
    answer: str | None
    answer_right: bool | None  # None where nothing is known to compare with
    round_trips: tuple[RoundTrip, ...]

    @cached_property
    def totals(self) -> Totals:
        """Round trips, tool calls, tokens and failures of the whole run."""
        trips = self.round_trips
        return Totals(
            round_trips=len(trips),
            tool_calls=sum(len(trip.calls) for trip in trips),
            input_tokens=sum(trip.input_tokens for trip in trips),
            output_tokens=sum(trip.output_tokens for trip in trips),
            failed_requests=sum(trip.failed for trip in trips),
        )

    def messages(self, index: int) -> list[Message]:
        """The messages of one request, whole."""
        return [message for at, kept in self._chain(index) for message in self.round_trips[at].added[:kept]]

    def body(self, index: int) -> dict[str, Any]:
        """The body of one request, as sent."""
        fields = self.round_trips[index].fields
        return {**fields, "messages": self.messages(index)} if fields.get("messages") == [] else fields

    def parts(self, index: int) -> list[Sent]:
        """Every part of one request, in the order shown."""
        sent = [part for at, kept in self._chain(index) for part in self.round_trips[at].added_parts[:kept]]
        return [*sent, *self.round_trips[index].frame]

    def new_tokens(self, index: int) -> list[int]:
        """A request's tokens split by the request that brought them: entry k - 1 is what request k brought.

        Along an untrimmed conversation each entry is the growth from one request to the
        next; else it is worked out from the parts. The entries add up.
        """
        counts = self._growth(index)
        return counts if counts is not None else self._from_parts(index)

    def _chain(self, index: int) -> list[tuple[int, int]]:
        """(round trip, how many of its added messages are kept), from the first to `index`."""
        chain: list[tuple[int, int]] = []
        at: int | None = index
        wanted = self.round_trips[index].kept + len(self.round_trips[index].added)
        while at is not None:
            trip = self.round_trips[at]
            chain.append((at, max(0, wanted - trip.kept)))
            wanted = min(wanted, trip.kept)
            at = trip.extends
        return chain[::-1]

    def _growth(self, index: int) -> list[int] | None:
        """The counts' differences, or None when some request on the way did not simply add to the one before."""
        counts: dict[int, int] = {}
        at: int | None = index
        while at is not None:
            trip = self.round_trips[at]
            counts.setdefault(trip.n, trip.input_tokens)
            if not self._only_adds(trip):
                return None
            at = trip.extends
        if len(counts) != self.round_trips[index].n:
            return None
        totals = [counts[n] for n in sorted(counts)]
        return [count - before for before, count in pairwise([0, *totals])]

    def _only_adds(self, trip: RoundTrip) -> bool:
        """Whether a request keeps every message of the one it extends."""
        if trip.extends is None:
            return trip.n == 1
        before = self.round_trips[trip.extends]
        return trip.kept == before.kept + len(before.added)

    def _from_parts(self, index: int) -> list[int]:
        by_request = [0] * self.round_trips[index].n
        for sent in self.parts(index):
            by_request[sent.first_sent - 1] += sent.part.chars
        counts = [tokens(chars) for chars in accumulate(by_request, initial=0)]
        return [count - before for before, count in pairwise(counts)]
