"""The recorder on a client that talks real HTTP: what was sent and what came back is read off the wire."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from threading import Thread
from typing import Any

import anthropic
import httpx2
import pytest
from agents import SETTINGS, get_orders, run, told
from bodies import result
from gateway import (
    OVERLOADED,
    Gateway,
    Server,
    Way,
    a_page,
    chunked,
    cut,
    dropped,
    ended_early,
    failed_midway,
    overloaded,
    whole,
    zipped,
)
from stand_in import ASKED, LOOK, MODEL, first_body

from askless.client import connect, recording, recording_async
from askless.record import Recorder
from askless.service import Service
from askless.trace import RoundTrip, Trace

KEY = "sk-ant-secret"


@pytest.fixture
def ways() -> list[Way]:
    return []


@pytest.fixture
def address(ways: list[Way]) -> Iterator[str]:
    handler = type("Handler", (Gateway,), {"service": Service(MODEL), "ways": ways})
    with Server(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def client(address: str, recorder: Recorder) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key=KEY, base_url=address, middleware=[recording(recorder)]) as live:
        yield live


def in_process(act: Callable[[anthropic.Anthropic], Any]) -> Trace:
    recorder = Recorder()
    with connect(Service(MODEL), recorder) as client:
        act(client)
    return recorder.trace()


def create(client: anthropic.Anthropic) -> None:
    client.messages.create(**first_body())


def stream(client: anthropic.Anthropic) -> None:
    with client.messages.stream(**first_body()) as events:
        events.until_done()


def only(recorder: Recorder) -> RoundTrip:
    (trip,) = recorder.trace().round_trips
    return trip


@pytest.mark.parametrize("way", [whole, chunked, zipped])
@pytest.mark.parametrize("act", [create, stream, run])
def test_a_live_run_leaves_the_trace_that_it_leaves_in_process(
    client: anthropic.Anthropic, recorder: Recorder, ways: list[Way], way: Way, act: Callable[..., Any]
) -> None:
    ways[:] = [way, way]
    act(client)
    assert recorder.trace() == in_process(act)


def test_a_key_stays_out_of_what_is_recorded(client: anthropic.Anthropic, recorder: Recorder) -> None:
    create(client)
    assert KEY not in repr(recorder.trace()) + repr(vars(recorder))


def test_each_attempt_is_recorded_and_a_retry_is_known_as_one(
    client: anthropic.Anthropic, recorder: Recorder, ways: list[Way]
) -> None:
    ways[:] = [overloaded, dropped, whole]
    create(client)
    trips = recorder.trace().round_trips
    assert told(recorder.trace()) == [(1, 1, 529, 680), (1, 2, 0, 680), (1, 3, 200, 680)]
    assert [trip.reply for trip in trips[:2]] == [OVERLOADED, {}]


def test_a_failed_attempt_at_a_stream_is_recorded_with_its_error(
    client: anthropic.Anthropic, recorder: Recorder, ways: list[Way]
) -> None:
    ways[:] = [overloaded, a_page, chunked]
    stream(client)
    assert [(trip.attempt, trip.status) for trip in recorder.trace().round_trips] == [(1, 529), (2, 502), (3, 200)]
    assert [trip.reply for trip in recorder.trace().round_trips][:2] == [OVERLOADED, {}]


def test_a_stream_that_the_agent_closes_holds_what_it_read(
    client: anthropic.Anthropic, recorder: Recorder, ways: list[Way]
) -> None:
    ways[:] = [chunked]
    with client.messages.stream(**first_body()) as events:
        next(iter(events))
        assert len(recorder) == 0
    trip = only(recorder)
    assert (trip.status, trip.reply["stop_reason"], len(trip.calls)) == (200, None, 0)


BREAKS: list[tuple[Way, type[Exception] | None, int, int]] = [
    (cut, httpx2.RemoteProtocolError, 0, 0),
    (ended_early, None, 200, 2),
    (failed_midway, anthropic.APIStatusError, 529, 0),
]


@pytest.mark.parametrize(("way", "error", "status", "calls"), BREAKS)
def test_a_stream_that_breaks_is_recorded_as_far_as_it_came(
    client: anthropic.Anthropic,
    recorder: Recorder,
    ways: list[Way],
    way: Way,
    error: type[Exception] | None,
    status: int,
    calls: int,
) -> None:
    ways[:] = [way]
    with pytest.raises(error) if error else nullcontext():
        stream(client)
    trip = only(recorder)
    assert (trip.status, len(trip.calls)) == (status, calls)
    assert trip.reply.get("error") == (OVERLOADED["error"] if way is failed_midway else None)
    assert trip.reply.get("content", [])[:1] == ([] if way is failed_midway else [LOOK.content[0]])


def test_a_response_that_the_agent_reads_itself_is_recorded_when_read(
    client: anthropic.Anthropic, recorder: Recorder, ways: list[Way]
) -> None:
    ways[:] = [chunked]
    with client.messages.with_streaming_response.create(**first_body()) as response:
        response.read()
    assert only(recorder).reply["content"] == list(LOOK.content)


def test_a_thread_that_began_before_the_recording_is_recorded_as_sent(
    client: anthropic.Anthropic, address: str, recorder: Recorder
) -> None:
    with anthropic.Anthropic(api_key=KEY, base_url=address) as unseen:
        thread = unseen.beta.messages.thread(**SETTINGS, tools=[get_orders])
        first = thread.send({"role": "user", "content": "What is open?"})
    results: Any = {"role": "user", "content": [result(call, "[]") for call in ASKED]}
    going_on: Any = {"type": "continue", "previous_message_id": first.id}
    client.beta.messages.create(**SETTINGS, messages=[results], thread=going_on)
    assert only(recorder).status == 200
    assert only(recorder).fields["thread"] == going_on


def test_the_async_client_is_recorded_alike(address: str, recorder: Recorder, ways: list[Way]) -> None:
    ways[:] = [overloaded, zipped, dropped, whole, chunked]

    async def ask() -> None:
        options: Any = {"api_key": KEY, "base_url": address, "middleware": [recording_async(recorder)]}
        async with anthropic.AsyncAnthropic(**options) as client:
            async with client.messages.stream(**first_body()) as events:
                await events.until_done()
            await client.messages.create(**first_body())
            async with client.messages.stream(**first_body()) as events:
                await anext(aiter(events))

    asyncio.run(ask())
    trips = recorder.trace().round_trips
    assert [trip.status for trip in trips] == [529, 200, 0, 200, 200]
    assert [trip.reply.get("stop_reason") for trip in trips] == [None, "tool_use", None, "tool_use", None]
