"""Requests that were sent at once have one order in a trace, whatever order they came in."""

import json
from itertools import permutations
from typing import Any

from bodies import result
from talk import TOOL, Talk, price

from askless.api.wire import Wire
from askless.judge.order import Ordered
from askless.record import Exchange
from askless.trace import Trace

PEAR, FIG = price(1, "pear"), price(2, "fig")


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def exchanges(trace: Trace) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [(trace.body(index), trip.reply) for index, trip in enumerate(trace.round_trips)]


def recorded(*pairs: tuple[dict[str, Any], dict[str, Any]]) -> Ordered:
    wire, ordered = Wire(), Ordered()
    for body, reply in pairs:
        ordered.record(Exchange(wire.read(json.dumps(body).encode()), 200, reply))
    return ordered


def test_one_conversation_stays_as_it_came():
    talk = Talk().asks(PEAR).gives(result(PEAR, "1")).says()
    ordered = recorded(*exchanges(talk.trace()))
    assert exchanges(ordered.trace()) == exchanges(talk.trace())


def test_several_conversations_have_one_trace_in_whatever_order_they_came():
    first = exchanges(Talk("a").asks(PEAR).gives(result(PEAR, "1")).says().trace())
    second = exchanges(Talk("b").asks(FIG).gives(result(FIG, "2")).says("\ud800").trace())
    alone = exchanges(Talk("b", {**TOOL, "name": "weight"}).says().trace())
    orders = list(permutations([*first, *second, *alone]))
    traces = [recorded(*order).trace() for order in orders]
    assert len({repr(trace) for trace in traces}) == 1
    questions = [(body["messages"][0]["content"], len(body["messages"])) for body, _ in exchanges(traces[0])]
    assert questions == [("a", 1), ("b", 1), ("b", 1), ("a", 3), ("b", 3)]


def test_branches_of_one_conversation_have_one_trace():
    talk = Talk().asks(PEAR).gives(result(PEAR, "1")).says()
    (start, asked), (second, said) = exchanges(talk.trace())
    other = {**second, "messages": [*second["messages"][:-1], user("no"), user("then?")]}
    pairs = [(start, asked), (second, said), (other, said), (second, said)]
    assert len({repr(recorded(*order).trace()) for order in permutations(pairs)}) == 1


def test_a_call_may_have_an_endless_number():
    made_up = {"type": "tool_use", "id": f"toolu_{'1' * 6000}_x", "name": "x", "input": {}}
    odd = {"messages": [user("a"), {"role": "assistant", "content": [made_up]}, user("b")]}
    pairs = [(odd, {}), ({"messages": [user("c")]}, {})]
    assert exchanges(recorded(*pairs).trace()) == exchanges(recorded(*reversed(pairs)).trace())
