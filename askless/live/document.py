"""Live runs as one JSON document."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from askless.live import ceiling, counts
from askless.live.purse import Purse
from askless.live.rehearsal import Rehearsal
from askless.live.run import Lived

SCHEMA = "askless.live/1"


def document(runs: Sequence[Lived], rehearsal: Rehearsal, host: str, purse: Purse) -> dict[str, Any]:
    """What it all came to; the scripted run's numbers stand apart."""
    trace = rehearsal.trace
    return {
        "schema": SCHEMA,
        "task": trace.task,
        "rung": trace.rung,
        "models": rehearsal.models,
        "host": host,
        "prices_as_of": ceiling.as_of(),
        "budget_usd": purse.budget_usd,
        "spent_usd": round(purse.spent_usd, 6),
        "guessed_requests": purse.guessed,
        "live": [_run(lived) for lived in runs],
        "spread": {name: asdict(spread) for name, spread in counts.spreads(runs).items()},
        "scripted": {"totals": asdict(trace.totals), "answer": trace.answer, "answer_right": trace.answer_right},
    }


def _run(lived: Lived) -> dict[str, Any]:
    each = [counts.of(attempt) for attempt in lived.attempts]
    totals = lived.trace.totals
    return {
        "end": lived.how,
        "seen": lived.why.seen if lived.why else None,
        "next": lived.why.next_act if lived.why else None,
        "answer": lived.trace.answer,
        "answer_right": lived.trace.answer_right if lived.how == "answered" else None,
        "round_trips": totals.round_trips,
        "tool_calls": totals.tool_calls,
        "failed_requests": totals.failed_requests,
        **counts.total(each).document(),
        "requests": [
            {"status": attempt.exchange.status, **count.document()}
            for attempt, count in zip(lived.attempts, each, strict=True)
        ],
        "trace": str(lived.saved) if lived.saved else None,
    }
