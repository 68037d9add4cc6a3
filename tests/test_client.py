"""The real SDK over a service in process, and the recorder as its middleware."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest
from agents import SETTINGS, get_orders_async, told
from opentelemetry.trace import NoOpTracerProvider, Tracer, set_tracer_provider
from stand_in import DONE, LOOK, MODEL, first_body

from askless.client import connect, connect_async
from askless.errors import Problem
from askless.model import Model, Reply
from askless.record import Recorder
from askless.service import Service
from askless.trace import Trace


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def client(recorder: Recorder) -> Iterator[anthropic.Anthropic]:
    with connect(Service(MODEL), recorder) as connected:
        yield connected


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


def test_the_async_client_does_what_the_sync_one_does() -> None:
    async def ask(model: Model, recorder: Recorder) -> list[Any]:
        async with connect_async(Service(model), recorder) as client:
            created = await client.messages.create(**first_body())
            async with client.messages.stream(**first_body()) as stream:
                streamed = await stream.get_final_message()
            raw = await client.messages.with_raw_response.create(**first_body())
            tools = [get_orders_async]
            runner = client.beta.messages.tool_runner(**SETTINGS, tools=tools, messages=first_body()["messages"])
            last = await runner.until_done()
            with pytest.raises(anthropic.BadRequestError):
                await client.messages.create(**first_body(messages=[]))
            return [created.stop_reason, streamed.stop_reason, raw.status_code, last.stop_reason]

    recorder = Recorder()
    assert asyncio.run(ask(MODEL, recorder)) == ["tool_use", "tool_use", 200, "end_turn"]
    assert [trip.status for trip in recorder.trace().round_trips] == [200, 200, 200, 200, 200, 400]


class Telemetry(NoOpTracerProvider):
    """A person's telemetry: it notes who asked it for a tracer."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def get_tracer(self, name: str, *more: Any, **options: Any) -> Tracer:
        self.asked.append(name)
        return super().get_tracer(name, *more, **options)


def test_a_person_s_telemetry_hears_of_the_lab_only_where_it_is_asked_to() -> None:
    telemetry = Telemetry()
    set_tracer_provider(telemetry)
    with connect(Service(lambda request: DONE)) as client:
        client.messages.create(**first_body())
    assert telemetry.asked == []
    with connect(Service(lambda request: DONE), open_telemetry=None) as client:
        client.messages.create(**first_body())
    assert telemetry.asked != []


def test_a_client_without_a_recorder_works() -> None:
    with connect(Service(lambda request: DONE)) as client:
        assert client.messages.create(**first_body()).stop_reason == "end_turn"


def test_middleware_set_below_sees_every_request_and_changes_no_trace() -> None:
    seen: list[str] = []

    def look(request: Any, call_next: Any) -> Any:
        seen.append(request.url)
        return call_next(request)

    def traced(*below: Any) -> Trace:
        known = Recorder()
        with connect(Service(MODEL), known) as client:
            asker = client.with_middleware(*below)
            asker.messages.create(**first_body())
            with pytest.raises(anthropic.BadRequestError):
                asker.messages.create(**{**first_body(), "messages": []})
        return known.trace()

    assert traced(look) == traced()
    assert seen == ["/v1/messages"] * 2
