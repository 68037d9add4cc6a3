"""The real SDK over a service in process, and the recorder as its middleware."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest
from anthropic import beta_async_tool, beta_tool
from anthropic.types import Message, MessageTokensCount, RawMessageStreamEvent
from anthropic.types.beta import BetaMessage, BetaRawMessageStreamEvent
from bodies import page_bodies, result
from pydantic import BaseModel, TypeAdapter
from stand_in import ASKED, DONE, LOOK, MODEL, first_body, post, reply_of

from askless import sse, task
from askless.client import connect, connect_async
from askless.errors import Problem
from askless.model import Model, Reply
from askless.model.scripted import Scripted
from askless.record import Recorder
from askless.service import Service
from askless.trace import Trace

RESULTS = {"role": "user", "content": [result(call, "[]") for call in ASKED]}
SYNC = {"model": "claude-sonnet-5", "max_tokens": 1024}


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def client(recorder: Recorder) -> Iterator[anthropic.Anthropic]:
    with connect(Service(MODEL), recorder) as connected:
        yield connected


@beta_tool
def get_orders(customer_id: str) -> str:
    """Open orders for one customer.

    Args:
        customer_id: The customer.
    """
    return json.dumps({"customer_id": customer_id, "orders": []})


@beta_async_tool(name="get_orders")
async def get_orders_async(customer_id: str) -> str:
    """Open orders for one customer.

    Args:
        customer_id: The customer.
    """
    return json.dumps({"customer_id": customer_id, "orders": []})


def told(trace: Trace) -> list[tuple[int, int, int, int]]:
    """What a run cost, request by request."""
    return [(trip.n, trip.attempt, trip.status, trip.chars) for trip in trace.round_trips]


def unknown_fields(value: Any) -> list[str]:
    """The fields in a parsed reply that the SDK's types do not declare."""
    if isinstance(value, list):
        return [name for item in value for name in unknown_fields(item)]
    if not isinstance(value, BaseModel):
        return []
    inner = [name for field in value.model_fields_set for name in unknown_fields(getattr(value, field))]
    return [*(value.model_extra or {}), *inner]


@pytest.mark.parametrize("type_", [Message, BetaMessage])
@pytest.mark.parametrize("body", page_bodies())
def test_a_reply_is_what_the_sdk_s_types_declare_no_more_and_no_less(type_: Any, body: dict[str, Any]) -> None:
    sent = reply_of(post(Service(MODEL), body))
    parsed = type_.model_validate(sent, strict=True)
    assert unknown_fields(parsed) == []
    assert parsed.model_dump(mode="json", exclude_unset=True) == sent


@pytest.mark.parametrize("type_", [RawMessageStreamEvent, BetaRawMessageStreamEvent])
@pytest.mark.parametrize("body", page_bodies())
def test_the_events_of_a_stream_are_what_the_sdk_s_types_declare(type_: Any, body: dict[str, Any]) -> None:
    events = [event for event in sse.events(reply_of(post(Service(MODEL), body))) if event["type"] != "ping"]
    parsed = [TypeAdapter(type_).validate_python(event, strict=True) for event in events]
    assert unknown_fields(parsed) == []
    assert [event.model_dump(mode="json", exclude_unset=True) for event in parsed] == events


def test_a_count_is_what_the_sdk_s_type_declares() -> None:
    counted = {name: value for name, value in first_body().items() if name != "max_tokens"}
    sent = reply_of(post(Service(MODEL), counted, "/v1/messages/count_tokens"))
    assert MessageTokensCount.model_validate(sent, strict=True).model_dump() == sent


def test_each_way_to_ask_gives_the_same_message(client: anthropic.Anthropic, recorder: Recorder) -> None:
    asked = client.messages.create(**first_body())
    with client.messages.stream(**first_body()) as stream:
        assert "".join(stream.text_stream) == LOOK.content[0]["text"]
        streamed = stream.get_final_message()
    raw = client.messages.with_raw_response.create(**first_body())
    beta = client.beta.messages.create(**first_body())
    events = list(client.messages.create(**first_body(), stream=True))
    assert [event.type for event in events][:2] == ["message_start", "content_block_start"]
    for other in (streamed, raw.parse(), beta):
        assert [block.to_dict() for block in other.content] == [block.to_dict() for block in asked.content]
        assert other.stop_reason == asked.stop_reason == "tool_use"
        assert other.usage.output_tokens == asked.usage.output_tokens
    assert raw.headers["request-id"] == raw.request_id == asked._request_id
    assert raw.elapsed.total_seconds() == 0
    assert len(recorder) == 5


def test_with_options_and_a_streaming_response_go_the_same_way(client: anthropic.Anthropic, recorder: Recorder) -> None:
    client.with_options(max_retries=0, timeout=3).messages.create(**first_body())
    with client.messages.with_streaming_response.create(**first_body()) as response:
        assert json.loads(response.read())["content"] == list(LOOK.content)
    assert told(recorder.trace()) == [(1, 1, 200, 680), (2, 1, 200, 680)]


def test_counting_tokens_is_no_round_trip(client: anthropic.Anthropic, recorder: Recorder) -> None:
    fields = {name: value for name, value in first_body().items() if name != "max_tokens"}
    assert client.messages.count_tokens(**fields).input_tokens == 165
    assert len(recorder) == 0


ERRORS: list[tuple[dict[str, Any], type[anthropic.APIStatusError], str, str]] = [
    ({"messages": []}, anthropic.BadRequestError, "messages-empty", "messages"),
    ({"messages": [{"role": "assistant", "content": "a"}]}, anthropic.BadRequestError, "first-role", "messages.0.role"),
    ({"model": "claude-3-opus-20240229"}, anthropic.NotFoundError, "model-unknown", "model"),
]


@pytest.mark.parametrize(("change", "class_", "rule", "place"), ERRORS)
def test_a_refusal_is_the_sdk_s_error_with_rule_place_and_mend(
    client: anthropic.Anthropic,
    recorder: Recorder,
    change: dict[str, Any],
    class_: type[anthropic.APIStatusError],
    rule: str,
    place: str,
) -> None:
    with pytest.raises(class_) as caught:
        client.messages.create(**first_body(**change))
    details: Any = caught.value.details
    assert (details.place, details.rule) == (place, rule)
    assert details.mend
    assert caught.value.request_id == caught.value.body["request_id"]  # type: ignore[index]
    assert recorder.trace().round_trips[0].reply == caught.value.body


def test_other_endpoints_and_keys_fail_as_the_api_s_do(client: anthropic.Anthropic, recorder: Recorder) -> None:
    with pytest.raises(anthropic.NotFoundError):
        client.models.list()
    with connect(Service(MODEL), recorder, api_key="") as keyless, pytest.raises(anthropic.AuthenticationError):
        keyless.messages.create(**first_body())
    assert [trip.status for trip in recorder.trace().round_trips] == [401]


def test_a_key_stays_out_of_the_trace(recorder: Recorder) -> None:
    with connect(Service(MODEL), recorder, api_key="sk-ant-secret") as client:
        client.messages.create(**first_body())
        with pytest.raises(anthropic.BadRequestError):
            client.messages.create(**first_body(messages=[]))
    assert "sk-ant-secret" not in repr(recorder.trace()) + repr(vars(recorder))


def test_a_bearer_token_and_middleware_of_one_s_own_are_kept(recorder: Recorder) -> None:
    seen: list[str] = []

    def watch(request: Any, call_next: Any) -> Any:
        seen.append(request.url)
        return call_next(request)

    with connect(Service(MODEL), recorder, auth_token="t", middleware=[watch]) as client:
        client.messages.create(**first_body())
    assert (seen, len(recorder), client.api_key) == (["/v1/messages"], 1, None)


@pytest.mark.parametrize("fault", [Problem("seen", "do"), KeyError("script")])
def test_a_fault_of_the_model_is_raised_as_it_is_and_not_tried_again(fault: Exception, recorder: Recorder) -> None:
    asked: list[int] = []

    def broken(request: Any) -> Reply:
        asked.append(request.length)
        raise fault

    with connect(Service(broken), recorder) as client, pytest.raises(type(fault)):
        client.messages.create(**first_body())

    async def ask() -> None:
        async with connect_async(Service(broken), recorder) as client:
            await client.messages.create(**first_body())

    with pytest.raises(type(fault)):
        asyncio.run(ask())
    assert asked == [1, 1]


def test_a_closed_client_answers_no_more(client: anthropic.Anthropic) -> None:
    client.close()
    with pytest.raises(RuntimeError):
        client.messages.create(**first_body())


def loop(client: anthropic.Anthropic, **fields: Any) -> None:
    """An agent's loop over the whole conversation, as a rung writes it."""
    tools: Any = [get_orders.to_dict()]
    messages: list[Any] = first_body()["messages"]
    while (
        reply := client.beta.messages.create(**SYNC, **fields, tools=tools, messages=messages)
    ).stop_reason == "tool_use":
        results = [
            result(block.to_dict(), get_orders.call(block.input)) for block in reply.content if block.type == "tool_use"
        ]
        messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]


def run(client: anthropic.Anthropic, **fields: Any) -> list[str]:
    """The SDK's own loop; its last text."""
    runner = client.beta.messages.tool_runner(**SYNC, tools=[get_orders], messages=first_body()["messages"], **fields)
    return [block.text for block in runner.until_done().content if block.type == "text"]


def traced(service: Service, act: Any) -> Trace:
    recorder = Recorder()
    with connect(service, recorder) as client:
        act(client)
    return recorder.trace()


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


def test_a_thread_of_the_sdk_is_held_from_turn_to_turn(client: anthropic.Anthropic, recorder: Recorder) -> None:
    thread = client.beta.messages.thread(**SYNC, tools=[get_orders])
    thread.send({"role": "user", "content": "What is open?"})
    assert thread.send(RESULTS).stop_reason == "end_turn"  # type: ignore[arg-type]
    assert [trip.kept + len(trip.added) for trip in recorder.trace().round_trips] == [1, 3]


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
        runner = client.beta.messages.tool_runner(**SYNC, tools=[get_orders, get_status], messages=messages, **fields)
        assert order_desk.is_right(desk, runner.until_done().content[0].text)  # type: ignore[union-attr]

    threaded = traced(Service(Scripted(order_desk.script())), ask)
    whole = traced(Service(Scripted(order_desk.script())), lambda client: ask(client, thread=False))
    assert told(threaded) == told(whole)
    assert threaded.totals == whole.totals
    assert (whole.totals.round_trips, whole.totals.tool_calls) == (3, 10)


def test_the_streaming_tool_runner_is_counted_with_its_field() -> None:
    def run_streaming(client: anthropic.Anthropic, **fields: Any) -> None:
        fields = {**SYNC, "tools": [get_orders], "messages": first_body()["messages"], "stream": True, **fields}
        for stream in client.beta.messages.tool_runner(**fields):
            stream.get_final_message()

    threaded = traced(Service(MODEL), run_streaming)
    plain = traced(Service(MODEL), run)
    extra = len(', "stream": true')
    assert told(threaded) == told(traced(Service(MODEL), lambda client: run_streaming(client, thread=False)))
    assert [trip.chars for trip in threaded.round_trips] == [trip.chars + extra for trip in plain.round_trips]


def test_the_async_client_does_what_the_sync_one_does() -> None:
    async def ask(model: Model, recorder: Recorder) -> list[Any]:
        async with connect_async(Service(model), recorder) as client:
            created = await client.messages.create(**first_body())
            async with client.messages.stream(**first_body()) as stream:
                streamed = await stream.get_final_message()
            raw = await client.messages.with_raw_response.create(**first_body())
            tools = [get_orders_async]
            runner = client.beta.messages.tool_runner(**SYNC, tools=tools, messages=first_body()["messages"])
            last = await runner.until_done()
            with pytest.raises(anthropic.BadRequestError):
                await client.messages.create(**first_body(messages=[]))
            return [created.stop_reason, streamed.stop_reason, raw.status_code, last.stop_reason]

    recorder = Recorder()
    assert asyncio.run(ask(MODEL, recorder)) == ["tool_use", "tool_use", 200, "end_turn"]
    assert [trip.status for trip in recorder.trace().round_trips] == [200, 200, 200, 200, 200, 400]


def test_a_client_without_a_recorder_works() -> None:
    with connect(Service(lambda request: DONE)) as client:
        assert client.messages.create(**first_body()).stop_reason == "end_turn"
