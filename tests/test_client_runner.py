"""The SDK's tool runner over a service: with message threads, its default, and without."""

import json
from typing import Any

import anthropic
from agents import SETTINGS, get_orders, loop, run, told, traced
from anthropic import beta_tool
from bodies import result
from stand_in import ASKED, MODEL, first_body

from askless import task
from askless.model.scripted import Scripted
from askless.service import Service

RESULTS: Any = {"role": "user", "content": [result(call, "[]") for call in ASKED]}


def test_the_tool_runner_counts_the_same_with_threads_as_without() -> None:
    threaded = traced(Service(MODEL), run)
    whole = traced(Service(MODEL), lambda client: run(client, thread=False))
    own = traced(Service(MODEL), loop)
    assert told(threaded) == told(whole) == told(own)
    assert [trip.status for trip in threaded.round_trips] == [200, 200]
    assert threaded.messages(1) == whole.messages(1)
    assert threaded.round_trips[0].calls == whole.round_trips[0].calls
    assert [call.is_error for call in threaded.round_trips[0].calls] == [False, False]


def test_without_threads_the_tool_runner_goes_on_with_whole_histories() -> None:
    unthreaded = traced(Service(MODEL, threads=False), run)
    whole = traced(Service(MODEL), lambda client: run(client, thread=False))
    assert [(trip.n, trip.attempt, trip.status) for trip in unthreaded.round_trips] == [
        (1, 1, 400),
        (1, 2, 200),
        (2, 1, 200),
    ]
    assert [trip.chars for trip in unthreaded.round_trips][1:] == [trip.chars for trip in whole.round_trips]


def test_a_thread_of_the_sdk_is_held_from_turn_to_turn() -> None:
    def ask(client: anthropic.Anthropic) -> None:
        thread = client.beta.messages.thread(**SETTINGS, tools=[get_orders])
        thread.send({"role": "user", "content": "What is open?"})
        assert thread.send(RESULTS).stop_reason == "end_turn"

    assert [trip.kept + len(trip.added) for trip in traced(Service(MODEL), ask).round_trips] == [1, 3]


def test_the_tool_runner_asks_the_scripted_model_as_often_with_threads_as_without() -> None:
    order_desk = task.load("t01")
    desk = order_desk.desk()

    @beta_tool
    def get_orders(customer_id: str) -> str:
        """Open orders for one customer."""
        return json.dumps({"customer_id": customer_id, "orders": desk.orders(customer_id)})

    @beta_tool
    def get_status(order_id: str) -> str:
        """Shipping status of one order."""
        return json.dumps({"order_id": order_id, "status": desk.status(order_id)})

    def ask(client: anthropic.Anthropic, **fields: Any) -> None:
        messages: Any = [{"role": "user", "content": desk.question}]
        runner = client.beta.messages.tool_runner(
            **SETTINGS, tools=[get_orders, get_status], messages=messages, **fields
        )
        assert order_desk.is_right(desk, runner.until_done().content[0].text)  # type: ignore[union-attr]

    threaded = traced(Service(Scripted(order_desk.script())), ask)
    whole = traced(Service(Scripted(order_desk.script())), lambda client: ask(client, thread=False))
    assert told(threaded) == told(whole)
    assert threaded.totals == whole.totals
    assert (whole.totals.round_trips, whole.totals.tool_calls) == (3, 10)


def test_the_streaming_tool_runner_is_counted_with_its_field() -> None:
    def run_streaming(client: anthropic.Anthropic, **fields: Any) -> None:
        fields = {**SETTINGS, "tools": [get_orders], "messages": first_body()["messages"], "stream": True, **fields}
        for stream in client.beta.messages.tool_runner(**fields):
            stream.get_final_message()

    threaded = traced(Service(MODEL), run_streaming)
    plain = traced(Service(MODEL), run)
    extra = len(', "stream": true')
    assert told(threaded) == told(traced(Service(MODEL), lambda client: run_streaming(client, thread=False)))
    assert [trip.chars for trip in threaded.round_trips] == [trip.chars + extra for trip in plain.round_trips]
