"""The twenty scenarios of the production rung: the question stays the same, and the world is not kind."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

from askless.api.faults import NO_FAULTS, Fault, Plan
from askless.scenario import Scenario
from askless.task import execute

desks: Any = execute(Path(__file__).with_name("desks.py"))

FORTY, NIGHTLY = 40, 10_000
NIGHTLY_TRIPS, NIGHTLY_CALLS = 100, 50  # with 200 customers in each conversation

# The most that a request may send, in tokens: tools, settings and words; a customer in the question; and what the
# call and its result hold of a customer and of an order.
REQUEST, NAMED, CUSTOMER, ORDER = 220, 4, 16, 12

# Ids of findings, under which the hints stand.
ANSWERS, DESK, REQUESTS = "rung4_answers", "rung4_desk", "rung4_requests"
REPLIES, CALLS, SIZES = "rung4_replies", "rung4_calls", "rung4_sizes"


@dataclass(frozen=True)
class Row:
    """One scenario. `trips`, `calls` and `failed` are the most allowed; what it may send follows from the desk."""

    name: str
    finding: str
    happens: str
    teaches: str
    desk: Callable[[Any, Any], Any] = desks.plain  # the task's store and a desk -> the desk of this scenario
    trouble: Callable[[Any], Any] | None = None  # a desk -> one on which something goes wrong, new for each run
    right: Callable[[Any, Any, str], bool] = desks.right
    trips: int = 2
    calls: int = 1
    failed: int = 0
    faults: Plan = NO_FAULTS
    varied: bool = False  # whether other desks are drawn for it, which the learner does not see


def scenarios(store: ModuleType, seed: bytes | None = None) -> tuple[Scenario, ...]:
    """All twenty on the desk that the learner knows; with a seed, the variants of those that have some."""
    if seed is None:
        return tuple(_scenario(store, row, store.SHOWN) for row in ROWS)
    return tuple(_scenario(store, row, store.draw(seed + row.name.encode())) for row in ROWS if row.varied)


def _scenario(store: Any, row: Row, base: Any) -> Scenario:
    desk = row.desk(store, base)
    made = partial(row.trouble, desk) if row.trouble else lambda: desk
    right, needed = partial(row.right, store, desk), partial(desks.needed, desk, made)
    limits = _limits(row, desk)
    return Scenario(row.name, row.happens, row.teaches, row.finding, made, right, needed, limits, row.faults)


def _limits(row: Row, desk: Any) -> dict[str, Any]:
    """The budget. Each request holds the question, and each but the first of a conversation the call and its result."""
    asked = len(desk.asked)
    orders = sum(len(desk.orders(name)) for name in set(desk.asked) & set(desk.customers))
    later = 1 if asked == NIGHTLY else row.trips - 1  # each customer has a place in one conversation
    tokens = row.trips * REQUEST + (1 + later) * NAMED * asked + later * (CUSTOMER * asked + ORDER * orders)
    return {
        "round_trips": row.trips,
        "tool_calls": row.calls,
        "input_tokens": tokens,
        "failed_requests": row.failed,
        "answer_right": True,
    }


def _at(request: int, kind: Any, **how: Any) -> Plan:
    return Plan((Fault(request, kind, **how),))


ROWS = (
    Row(
        "page",
        ANSWERS,
        "nothing unusual: it is the question of the page",
        "let one tool, shaped for the question, answer it in two requests",
        varied=True,
    ),
    Row(
        "one-customer",
        ANSWERS,
        "one customer is asked about",
        "let a question about one customer go the way that one about many goes",
        desks.one,
        varied=True,
    ),
    Row(
        "none-known",
        ANSWERS,
        "nobody who is asked about is a customer",
        "report each one as not found, and do not ask for them again",
        desks.strangers,
        varied=True,
    ),
    Row(
        "no-open-orders",
        ANSWERS,
        "every customer is known and has nothing open",
        "give back an empty list as an answer, not as an error",
        desks.idle,
        varied=True,
    ),
    Row(
        "same-twice", ANSWERS, "a customer is named twice", "look up once what is named twice", desks.twice, varied=True
    ),
    Row(
        "forty",
        SIZES,
        "forty customers are asked about",
        "leave room for the reply: it grows with the question",
        desks.many(FORTY),
        varied=True,
    ),
    Row(
        "status-missing",
        DESK,
        "one order has no status",
        "keep the rest of a customer's answer when one status is missing",
        trouble=desks.missing,
        right=desks.right_without_status,
        varied=True,
    ),
    Row(
        "timed-out-once",
        DESK,
        "the desk times out once and says to try again",
        "try again once: in your program, or by an error that tells the model to",
        trouble=desks.failing(TimeoutError("timed out: the order system is busy, try again"), 1),
        trips=3,
        calls=2,
        varied=True,
    ),
    Row(
        "stays-down",
        DESK,
        "the desk never answers for one customer",
        "after a try or two say so of that customer, and answer for all others",
        trouble=desks.failing(ConnectionError("the order system does not answer"), inf),
        right=desks.right_without_customer,
        trips=3,
        calls=2,
        varied=True,
    ),
    Row(
        "rate-limited",
        REQUESTS,
        "429 with retry-after",
        "wait as long as a 429 says and try again: the SDK does so if it is let",
        trips=3,
        failed=1,
        faults=_at(2, "status", status=429, retry_after_s=1),
    ),
    Row(
        "overloaded-twice",
        REQUESTS,
        "529, twice in a row",
        "try twice more before giving up: the SDK does so if it is let",
        trips=4,
        failed=2,
        faults=Plan((Fault(1, "status", status=529), Fault(2, "status", status=529))),
    ),
    Row(
        "connection-dropped",
        REQUESTS,
        "the connection breaks before a reply",
        "send the request once more, and nothing before it",
        trips=3,
        failed=1,
        faults=_at(2, "drop"),
    ),
    Row(
        "stream-cut",
        REQUESTS,
        "a stream ends in the middle; without a stream, the connection breaks",
        "take a streamed message without a stop reason for what it is, a piece, and ask again",
        trips=3,
        failed=1,
        faults=_at(2, "cut_stream", after_events=4),
    ),
    Row(
        "cut-call",
        REPLIES,
        "max_tokens cuts a reply inside a call",
        "run no call that was cut: ask again with a higher max_tokens",
        trips=3,
        calls=2,
        faults=_at(1, "max_tokens"),
    ),
    Row(
        "large-result",
        SIZES,
        "a long log stands behind each status",
        "send on what the question needs, not all that the desk gives",
        trouble=desks.with_logs,
    ),
    Row(
        "refusal",
        REPLIES,
        "the model refuses in the middle of its answer",
        "throw away the whole of a refused reply, and ask again or another model",
        trips=4,
        calls=2,
        faults=_at(2, "refusal", after_output=True),
    ),
    Row(
        "unknown-tool",
        CALLS,
        "the model calls a tool that does not exist",
        "answer that call, too: with is_error and the names of the tools that exist",
        trips=3,
        calls=2,
        faults=_at(1, "unknown_tool"),
    ),
    Row(
        "bad-input",
        CALLS,
        "the input of a call does not fit its schema",
        "check each input and say in the error what was expected; or offer the tool with strict",
        trips=3,
        calls=2,
        faults=_at(1, "bad_input"),
    ),
    Row(
        "note",
        DESK,
        "a customer's note behind a status gives instructions",
        "send on the field that was asked for, and no free text in its place",
        trouble=desks.with_note,
        varied=True,
    ),
    Row(
        "ten-thousand",
        SIZES,
        "ten thousand customers are asked about, as every night",
        "cut the question into conversations that fit, with each customer in one of them",
        desks.many(NIGHTLY),
        trips=NIGHTLY_TRIPS,
        calls=NIGHTLY_CALLS,
    ),
)
