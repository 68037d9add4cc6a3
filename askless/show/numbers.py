"""Numbers of a run that its totals do not have, for the lessons: by kind of part, new and again, and by the cache."""

import re
from collections.abc import Callable, Mapping
from functools import cache

from askless import ladder
from askless.api.cache import Charge, Meter
from askless.api.conversation import Request
from askless.api.prices import Rates, terms
from askless.errors import Problem
from askless.show import lesson, segments, variants
from askless.task import Task
from askless.trace import Trace

PLACEHOLDER = re.compile(r"\{\{(?P<rung>\w+)\.(?P<measure>\w+)\}\}")
BETWEEN_REQUESTS_S = 2.0  # by the meter's clock; far less than the cache's lifetime


def measured(task: Task) -> lesson.Measured:
    """The task's worked rungs and its lessons' variants, each run once."""
    own = variants.variants(task)
    return cache(lambda name: variants.run(task, name) if name in own else ladder.run(task, name))


def fill(text: str, runs: lesson.Measured) -> str:
    """Prose with these numbers filled in; what it does not know is left to `lesson.fill`."""
    return PLACEHOLDER.sub(lambda found: _number(found, runs), text)


def _number(found: re.Match[str], runs: lesson.Measured) -> str:
    read = MEASURES.get(found["measure"])
    return f"{read(runs(found['rung'])):,.1f}".removesuffix(".0") if read else found[0]


def charges(trace: Trace) -> list[Charge]:
    """What the prompt cache's meter makes of each request."""
    meter = Meter()
    return [
        meter.charge(Request.of(trace.body(index)), index * BETWEEN_REQUESTS_S)
        for index in range(len(trace.round_trips))
    ]


def _rates(trace: Trace) -> Rates:
    """The prices of the model that a run asks."""
    model = trace.round_trips[0].fields["model"]
    known = terms(model)
    if known is None:
        raise Problem(f"the price table has no {model}.", "name a model of askless/api/prices.json in the variant.")
    return known.rates


def _paid_tokens(trace: Trace) -> float:
    """So many plain tokens cost what the run's input costs with the cache."""
    rates = _rates(trace)
    paid = sum(
        charge.plain_tokens * rates.plain
        + charge.read_tokens * rates.read
        + charge.written_5m_tokens * rates.written_5m
        + charge.written_1h_tokens * rates.written_1h
        for charge in charges(trace)
    )
    return paid / rates.plain


def _calls_per_reply(trace: Trace) -> float:
    """Tool calls in each reply that makes any, on average."""
    return trace.totals.tool_calls / sum(bool(trip.calls) for trip in trace.round_trips)


def _of_kind(kind: str) -> Callable[[Trace], int]:
    return lambda trace: sum(cost.tokens for cost in segments.costs(trace) if cost.kind == kind)


MEASURES: Mapping[str, Callable[[Trace], float]] = {
    "calls_per_reply": _calls_per_reply,
    "new_tokens": segments.new_tokens,
    "again_tokens": lambda trace: trace.totals.input_tokens - segments.new_tokens(trace),
    "again_percent": lambda trace: round(100 - 100 * segments.new_tokens(trace) / trace.totals.input_tokens),
    "read_tokens": lambda trace: sum(charge.read_tokens for charge in charges(trace)),
    "written_tokens": lambda trace: sum(charge.written_5m_tokens for charge in charges(trace)),
    "plain_tokens": lambda trace: sum(charge.plain_tokens for charge in charges(trace)),
    "paid_tokens": lambda trace: round(_paid_tokens(trace)),
    "paid_percent": lambda trace: round(100 * _paid_tokens(trace) / trace.totals.input_tokens),
    "read_percent": lambda trace: round(100 * _rates(trace).read / _rates(trace).plain),
    "written_percent": lambda trace: round(100 * _rates(trace).written_5m / _rates(trace).plain),
    **{f"{kind}_tokens": _of_kind(kind) for kind in segments.NAMES},
}
