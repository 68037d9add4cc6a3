"""Planned faults through the real SDK in process: what an agent meets, and what the trace says. Nothing sleeps."""

import asyncio
from collections.abc import Callable
from typing import Any

import anthropic
import pytest
from bodies import page_bodies, result
from stand_in import ASKED, DONE, LOOK, MODEL, first_body, saying

from askless.api.faults import STATUSES, Fault, Plan
from askless.client import connect, connect_async
from askless.record import Recorder
from askless.service import Service
from askless.trace import Trace

RESULTS = {"role": "user", "content": [result(call, "[]") for call in ASKED]}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}


def met(act: Callable[[Any], Any], *faults: Fault, model: Any = MODEL, **options: Any) -> tuple[Any, Trace]:
    """What an agent gets of a run with these faults, and the trace of it."""
    recorder = Recorder()
    with connect(Service(model, faults=Plan(faults)), recorder, **options) as client:
        try:
            got = act(client)
        except anthropic.AnthropicError as error:
            got = error
    return got, recorder.trace()


def ask(client: anthropic.Anthropic) -> Any:
    return client.messages.create(**first_body())


def stream(client: anthropic.Anthropic) -> Any:
    with client.messages.stream(**first_body()) as events:
        return events.get_final_message()


def tries(trace: Trace) -> list[tuple[int, int, int]]:
    return [(trip.n, trip.attempt, trip.status) for trip in trace.round_trips]


RETRIED = [status for status in STATUSES if status == 429 or status >= 500]


@pytest.mark.parametrize("status", RETRIED)
@pytest.mark.parametrize("act", [ask, stream])
def test_the_sdk_tries_again_and_the_trace_shows_each_attempt(act: Callable[[Any], Any], status: int) -> None:
    got, trace = met(act, Fault(1, "status", status=status), Fault(2, "status", status=529))
    assert got.stop_reason == "tool_use"
    assert tries(trace) == [(1, 1, status), (1, 2, 529), (1, 3, 200)]
    assert trace.totals.failed_requests == 2
    assert trace.totals.input_tokens == 3 * trace.round_trips[0].input_tokens
    assert trace.round_trips[0].reply["error"]["type"] == STATUSES[status][0]


@pytest.mark.parametrize("status", sorted(set(STATUSES) - set(RETRIED)))
def test_what_no_retry_can_mend_is_raised_at_once(status: int) -> None:
    got, trace = met(ask, Fault(1, "status", status=status))
    assert isinstance(got, anthropic.APIStatusError)
    assert (got.status_code, got.type) == (status, STATUSES[status][0])
    assert tries(trace) == [(1, 1, status)]


def test_a_failure_that_lasts_is_the_sdks_error_with_what_the_api_said() -> None:
    plan = [Fault(n, "status", status=429, retry_after_s=30, delay_s=2.5) for n in (1, 2, 3)]
    got, trace = met(ask, *plan)
    assert isinstance(got, anthropic.RateLimitError)
    assert got.response.headers["retry-after"] == "30"
    assert got.request_id == trace.round_trips[2].reply["request_id"]
    assert [(trip.retry_after_s, trip.delay_s) for trip in trace.round_trips] == [(30.0, 2.5)] * 3


def test_a_refused_request_stays_refused_and_uses_up_its_fault() -> None:
    def act(client: anthropic.Anthropic) -> Any:
        with pytest.raises(anthropic.BadRequestError):
            client.messages.create(**first_body(messages=[]))
        return ask(client)

    got, trace = met(act, Fault(1, "status", status=529))
    assert got.stop_reason == "tool_use"
    assert [status for _, _, status in tries(trace)] == [400, 200]


@pytest.mark.parametrize("act", [ask, stream])
def test_a_dropped_connection_is_one_to_the_agent_and_status_0_in_the_trace(act: Callable[[Any], Any]) -> None:
    def twice(client: anthropic.Anthropic) -> Any:
        with pytest.raises(anthropic.APIConnectionError):
            act(client)
        return act(client)

    got, trace = met(twice, Fault(1, "drop", delay_s=4), max_retries=0)
    assert got.stop_reason == "tool_use"
    assert tries(trace) == [(1, 1, 0), (1, 2, 200)]
    assert (trace.round_trips[0].delay_s, trace.round_trips[0].reply) == (4.0, {})


@pytest.mark.parametrize("after", [1, 2, 5, 10_000])
def test_a_stream_cut_in_the_middle_raises_nothing_and_is_failed_in_the_trace(after: int) -> None:
    def twice(client: anthropic.Anthropic) -> Any:
        cut = stream(client)
        assert cut.stop_reason is None
        return cut, stream(client)

    (cut, whole), trace = met(twice, Fault(1, "cut_stream", after_events=after))
    first, second = trace.round_trips
    assert (first.status, first.cut, first.failed) == (200, True, True)
    assert (second.n, second.attempt, second.failed) == (1, 2, False)
    texts = [block.text for block in cut.content if block.type == "text"]
    assert texts == [block["text"] for block in first.reply["content"] if block["type"] == "text"]
    assert len(first.calls) <= len(whole.content)
    assert trace.totals.failed_requests == 1


def test_a_reply_that_is_no_stream_breaks_where_a_stream_would_be_cut() -> None:
    got, trace = met(ask, Fault(1, "cut_stream", after_events=1), max_retries=0)
    assert isinstance(got, anthropic.APIConnectionError)
    assert tries(trace) == [(1, 1, 0)]


STOPS: list[tuple[Fault, str, int]] = [
    (Fault(1, "max_tokens"), "max_tokens", 3),
    (Fault(1, "context_window"), "model_context_window_exceeded", 3),
    (Fault(1, "refusal"), "refusal", 0),
    (Fault(1, "refusal", category="bio", after_output=True), "refusal", 3),
]


@pytest.mark.parametrize(("fault", "stop_reason", "blocks"), STOPS)
@pytest.mark.parametrize("act", [ask, stream])
def test_a_stop_reason_reaches_the_agent_by_either_way(
    act: Callable[[Any], Any], fault: Fault, stop_reason: str, blocks: int
) -> None:
    got, trace = met(act, fault)
    assert (got.stop_reason, len(got.content)) == (stop_reason, blocks)
    assert trace.round_trips[0].reply["stop_reason"] == stop_reason
    assert not trace.round_trips[0].failed
    if blocks:
        assert got.content[-1].input == {}
    if stop_reason == "refusal":
        assert got.stop_details.to_dict() == {"type": "refusal", "category": fault.category, "explanation": None}


def test_a_paused_turn_goes_on_when_its_reply_is_sent_back_as_it_is() -> None:
    def act(client: anthropic.Anthropic) -> Any:
        body = first_body(tools=[*page_bodies()[0]["tools"], SEARCH])
        paused = client.messages.create(**body)
        assert paused.stop_reason == "pause_turn"
        body["messages"].append({"role": "assistant", "content": paused.content})
        return client.messages.create(**body)

    got, trace = met(act, Fault(1, "pause_turn"), model=saying(LOOK, DONE))
    assert got.stop_reason == "end_turn"
    assert [trip.status for trip in trace.round_trips] == [200, 200]
    assert trace.totals.tool_calls == 0


BAD: list[tuple[Fault, Callable[[Any], bool]]] = [
    (Fault(1, "unknown_tool"), lambda call: call.name == "get_orders_v2" and call.input == {"customer_id": "C1"}),
    (Fault(1, "bad_input"), lambda call: call.name == "get_orders" and call.input == {"customer_id": ["C1"]}),
]


@pytest.mark.parametrize(("fault", "bad"), BAD)
def test_a_bad_call_counts_as_a_call_and_its_error_can_be_told(fault: Fault, bad: Callable[[Any], bool]) -> None:
    def act(client: anthropic.Anthropic) -> Any:
        body = first_body()
        reply = client.messages.create(**body)
        body["messages"] += [{"role": "assistant", "content": reply.content}, RESULTS]
        return client.messages.create(**body)

    got, trace = met(act, fault)
    first, _ = trace.round_trips
    assert got.stop_reason == "end_turn"
    assert bad(first.calls[0])
    assert [call.id for call in first.calls] == [call["id"] for call in ASKED]


def test_faults_and_retries_are_the_same_for_the_async_client() -> None:
    recorder = Recorder()
    plan = Plan(
        (Fault(1, "status", status=429, retry_after_s=9), Fault(2, "drop"), Fault(4, "cut_stream", after_events=3))
    )

    async def run() -> list[Any]:
        async with connect_async(Service(MODEL, faults=plan), recorder, max_retries=1) as client:
            with pytest.raises(anthropic.APIConnectionError):
                await client.messages.create(**first_body())
            asked = await client.messages.create(**first_body())
            async with client.messages.stream(**first_body()) as events:
                return [asked.stop_reason, (await events.get_final_message()).stop_reason]

    assert asyncio.run(run()) == ["tool_use", None]
    assert tries(recorder.trace()) == [(1, 1, 429), (1, 2, 0), (1, 3, 200), (2, 1, 200)]


def test_threads_meet_faults_as_full_requests_do() -> None:
    def act(client: anthropic.Anthropic) -> Any:
        thread: Any = {"type": "create"}
        fields: Any = {name: value for name, value in first_body().items() if name != "stream"}
        first = client.beta.messages.create(**fields, thread=thread)
        going_on: Any = {"type": "continue", "previous_message_id": first.id}
        fields = {"model": "claude-sonnet-5", "max_tokens": 1024, "messages": [RESULTS]}
        return client.beta.messages.create(**fields, thread=going_on)

    got, trace = met(act, Fault(2, "status", status=500), Fault(3, "max_tokens"))
    assert got.stop_reason == "max_tokens"
    assert tries(trace) == [(1, 1, 200), (2, 1, 500), (2, 2, 200)]
    assert trace.round_trips[1].extends == 0
    assert trace.round_trips[2].chars == trace.round_trips[1].chars > trace.round_trips[0].chars
