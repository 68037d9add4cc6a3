"""What holds for every desk, every set of tools and every result, be it nonsense."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_desk import QUESTION, Run, Tool, ToolError, many, model, one, run
from test_scripted_desks import Desk, answer, coarse, one_by_one, question

from askless.api.conversation import Request

CUSTOMERS = [f"C{n}" for n in range(1, 9)]
statuses = st.sampled_from(["shipped", "packed", "delayed", "in transit"])


@st.composite
def desks(draw: st.DrawFn) -> Desk:
    """Up to seven customers with up to four orders each."""
    known = draw(st.lists(st.sampled_from(CUSTOMERS), unique=True, max_size=7))
    numbers = draw(st.lists(st.integers(100, 999), unique=True, min_size=28, max_size=28))
    return {
        customer: {f"ord-{numbers[4 * at + k]}": draw(statuses) for k in range(draw(st.integers(0, 4)))}
        for at, customer in enumerate(known)
    }


def lists(desk: Desk) -> list[Tool]:
    status = {order: status for orders in desk.values() for order, status in orders.items()}
    return [
        Tool("get_orders", "Open orders.", many("customer_ids"),
             lambda customer_ids: {c: list(desk[c]) if c in desk else None for c in customer_ids}),
        Tool("get_statuses", "Shipping status.", many("order_ids"),
             lambda order_ids: [{"order": order, "status": status[order]} for order in sorted(order_ids)]),
    ]  # fmt: skip


def vague(desk: Desk) -> list[Tool]:
    orders, status = one_by_one(desk)
    return [
        Tool("alpha", "", one("customer_id"), orders.run),
        Tool("beta", "", one("order_id"), status.run),
    ]


DESIGNS: list[Callable[[Desk], list[Tool]]] = [one_by_one, lists, coarse, vague]
runs = st.tuples(desks(), st.sampled_from(DESIGNS), st.lists(st.sampled_from(CUSTOMERS), min_size=1), st.booleans())


@given(runs)
@settings(max_examples=40)
def test_the_answer_is_right_for_every_desk_and_every_design(drawn: Any) -> None:
    desk, design, asked, split = drawn
    done = run(design(desk), question(*asked), split=split, max_tokens=8192)
    if design is not vague or any(desk.get(customer) for customer in asked[:1]):
        assert done.answer == answer(desk, *dict.fromkeys(asked))


@given(runs)
@settings(max_examples=40)
def test_nothing_is_asked_twice_through_one_tool(drawn: Any) -> None:
    desk, design, asked, split = drawn
    done = run(design(desk), question(*asked), split=split, max_tokens=8192)
    items = [(name, item) for name, given in done.calls for value in given.values() for item in listed(value)]
    assert [item for item, times in Counter(items).items() if times > 1] == []


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


WORDS = st.sampled_from([*CUSTOMERS[:5], "ord-1", "ord-2", "shipped", "not found", ""])
KEYS = st.sampled_from([*CUSTOMERS[:3], "ord-1", "orders", "id", "status", "error", "missing", "x"])
NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
ERRORS = st.sampled_from(
    [
        "retry",
        "C1 not found",
        "use `b`",
        "did you mean C7?",
        "",
        "at most 1 id",
        "ids look like C-1",
        "boom",
        "ord-1 gone",
    ]
)
RESULTS = st.lists(
    st.tuples(st.booleans(), NONSENSE, st.text(max_size=20), ERRORS, st.integers(0, 2)), min_size=1, max_size=8
)


def babbling(results: list[Any]) -> list[Tool]:
    """Tools that give these results in turn, whatever they are asked."""
    turn = iter(range(10_000))

    def babble(**given: Any) -> Any:
        flagged, data, text, error, form = results[next(turn) % len(results)]
        if flagged:
            raise ToolError(error)
        return (json.dumps(data), text, error)[form]

    return [
        Tool("a", "Open orders of customers.", many("customer_ids"), babble),
        Tool("b", "", one("id"), babble),
        Tool("c", "Status of an order.", one("order_id"), babble),
        Tool("d", "Everything.", {}, babble),
    ]


@given(RESULTS, st.booleans())
@settings(max_examples=40)
def test_whatever_the_tools_say_a_run_ends(results: list[Any], split: bool) -> None:
    done = run(babbling(results), split=split, most_trips=80)
    assert done.answer is not None


@given(RESULTS, st.booleans())
@settings(max_examples=40)
def test_what_is_carried_along_a_conversation_equals_a_fresh_reading_of_the_whole(
    results: list[Any], split: bool
) -> None:
    carried = run(babbling(results), split=split, most_trips=40)
    afresh = run(babbling(results), split=split, most_trips=40, incremental=False)
    assert carried.replies == afresh.replies


@given(RESULTS)
@settings(max_examples=40)
def test_a_reply_is_a_pure_function_of_the_request(results: list[Any]) -> None:
    done = run(babbling(results), most_trips=8)
    answers = model()
    for body in reversed(done.bodies):
        before = deepcopy(body)
        assert answers(Request.of(body)) == answers(Request.of(body)) == replied(done, body)
        assert body == before


def replied(done: Run, body: dict[str, Any]) -> Any:
    return done.replies[done.bodies.index(body)]


@given(st.text(), st.text())
def test_any_question_and_any_tool_are_borne(text: str, said: str) -> None:
    tool = Tool("x", said, {said or "y": {"type": "string", "description": text}}, lambda **given: said)
    body = {
        "max_tokens": 1024,
        "tools": [tool.offered],
        "messages": [{"role": "user", "content": f"{QUESTION} {text}"}],
    }
    assert model()(Request.of(body)).content


FIELDS = st.sampled_from(["type", "properties", "items", "enum", "anyOf", "required", "maxItems", "ids"])
SCHEMAS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["string", "array", "object", "boolean", "integer"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
)


@given(st.dictionaries(st.sampled_from(["ids", "customer", "flag"]), SCHEMAS, max_size=3))
def test_any_schema_is_borne(properties: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    offered = {"name": "orders", "description": "Orders with status.", "input_schema": schema}
    body = {"max_tokens": 1024, "tools": [offered], "messages": [{"role": "user", "content": QUESTION}]}
    assert model()(Request.of(body)).content


def steps(customers: int, split: bool) -> int:
    """Functions called while the model answers a whole run."""
    desk = {f"C{n}": {f"ord-{n}": "packed"} for n in range(customers)}
    counted = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal counted
        counted += event == "call"

    sys.setprofile(count)
    try:
        run(one_by_one(desk), question(*desk), split=split, most_trips=1_000, max_tokens=10**9)
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("split", [True, False], ids=["split", "together"])
def test_the_work_of_a_run_grows_with_its_customers_and_no_faster(split: bool) -> None:
    assert steps(240, split) <= 4.4 * steps(60, split)


@pytest.mark.parametrize("order_ids", [("ord-126", "ord-404"), ("ord-404",), ("ord-404", "ord-4041")])
@pytest.mark.parametrize("design", [one_by_one, lists, coarse])
def test_404_within_an_identifier_is_no_word_for_what_does_not_exist(design: Any, order_ids: tuple[str, ...]) -> None:
    desk = {"C1": dict.fromkeys(order_ids, "shipped")}
    assert run(design(desk), question("C1"), max_tokens=8192).answer == answer(desk, "C1")
