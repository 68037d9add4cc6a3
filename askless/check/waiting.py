"""What a run would have kept a person waiting, and what it would have cost: worked out of its trace.

Seconds are simulated (api/latency.py), money is an estimate from dated prices
(api/prices.json). Neither is measured, so both are the same on every machine.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from askless.api import prices
from askless.api.latency import BATCH_S, CALL_S, reply_s, retry_s
from askless.trace import RoundTrip, Trace


@dataclass(frozen=True)
class Overlaps:
    """What was seen to happen at the same time; whatever nobody saw counts as one after the other.

    Requests do so always: which of them an agent had on their way together is chance, as the lab answers at once.
    """

    call_steps: Mapping[int, int] = field(default_factory=dict)  # by round trip: its calls that waited for each other


@dataclass(frozen=True)
class Waits:
    """Simulated seconds of a run, by what was waited for."""

    requests_s: float  # replies, and answers that failed
    retries_s: float  # before another attempt
    calls_s: float  # the agent's tools
    batches_s: float

    @property
    def total_s(self) -> float:
        """The whole run."""
        return self.requests_s + self.retries_s + self.calls_s + self.batches_s


def waits(trace: Trace, overlaps: Overlaps = Overlaps()) -> Waits:
    """The waits of a run. Calls that overlap are waited for once."""
    trips = trace.round_trips
    attempts = {(trip.n, trip.attempt) for trip in trips}
    own = [_own_s(trip) for trip in trips if trip.batch is None]
    again = [_again_s(trip, attempts) for trip in trips if trip.batch is None]
    steps = {at: overlaps.call_steps.get(at, len(trip.calls)) for at, trip in enumerate(trips)}
    return Waits(
        requests_s=sum(own),
        retries_s=sum(again),
        calls_s=sum(steps.values()) * CALL_S,
        batches_s=len({trip.batch for trip in trips if trip.batch is not None}) * BATCH_S,
    )


def cost_usd(trace: Trace) -> float | None:
    """The cost of a run in US dollars, an estimate; None where it used a model without known prices."""
    costs = [_cost_usd(trip) for trip in trace.round_trips if trip.usage]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _own_s(trip: RoundTrip) -> float:
    return reply_s(trip.usage) + trip.delay_s


def _again_s(trip: RoundTrip, attempts: Collection[tuple[int, int]]) -> float:
    """The wait between a failed attempt and the next; after a cut stream the SDK does not wait, nor try again."""
    tried_again = (trip.n, trip.attempt + 1) in attempts
    return retry_s(trip.attempt, trip.retry_after_s) if trip.failed and not trip.cut and tried_again else 0.0


def _cost_usd(trip: RoundTrip) -> float | None:
    """What one reply costs; a refusal before any output is free (catalog: refusal-unbilled)."""
    if trip.reply.get("stop_reason") == "refusal" and not trip.reply.get("content"):
        return 0.0
    return prices.cost_usd(str(trip.fields.get("model")), trip.usage)
