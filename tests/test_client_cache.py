"""The prompt cache and the context window through the real SDK: what usage says, and what the trace makes of it."""

from collections.abc import Iterator
from typing import Any

import anthropic
import pytest
from anthropic.types import Message
from cached import HOUR, LONG, SHORT, TOOLS, body, said, turn, user
from ladders import RUNGS, run
from stand_in import DONE, MODEL, first_body, post, reply_of, saying

from askless import tracefile
from askless.api.faults import Fault, Plan
from askless.client import connect
from askless.model import Reply
from askless.plain import PlainClient
from askless.record import Recorder
from askless.service import Service
from askless.show.text import trace_lines
from askless.trace import Trace


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def client(recorder: Recorder) -> Iterator[anthropic.Anthropic]:
    with connect(Service(saying(DONE)), recorder) as connected:
        yield connected


MESSAGES = [user(said("q")), *turn(1, 3), *turn(2, 3)]


def talk(client: Any) -> list[Any]:
    """A conversation of three requests with automatic caching."""
    marked: Any = {"cache_control": SHORT, "tools": TOOLS}
    return [client.messages.create(**body(*MESSAGES[:length], **marked)).usage for length in (1, 3, 5)]


def counts(trace: Trace) -> list[tuple[int, int, int]]:
    return [(trip.read_tokens, trip.written_tokens, trip.plain_tokens) for trip in trace.round_trips]


def test_usage_tells_read_written_and_plain_as_the_sdks_types_have_them(
    client: anthropic.Anthropic, recorder: Recorder
) -> None:
    for usage, trip in zip(talk(client), recorder.trace().round_trips, strict=True):
        read, written, plain = counts(recorder.trace())[trip.n - 1]
        assert (usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (read, written)
        assert usage.cache_creation.ephemeral_5m_input_tokens == written
        assert usage.cache_creation.ephemeral_1h_input_tokens == 0
        assert read + written + plain == trip.input_tokens
    assert [read > 0 for read, _, _ in counts(recorder.trace())] == [False, True, True]


def test_a_cached_reply_is_what_the_sdks_types_declare() -> None:
    reply = reply_of(post(Service(MODEL), first_body(cache_control=HOUR, model="claude-opus-5-5", tools=TOOLS)))
    assert reply["usage"]["cache_creation"]["ephemeral_1h_input_tokens"] > 0
    assert Message.model_validate(reply, strict=True).model_dump(mode="json", exclude_unset=True) == reply


def test_streams_threads_and_the_plain_client_are_metered_alike(recorder: Recorder) -> None:
    talk(PlainClient(saying(DONE), recorder))
    streamed = Recorder()
    with connect(Service(saying(DONE)), streamed) as client:
        for length in (1, 3, 5):
            marked: Any = {"cache_control": SHORT, "tools": TOOLS}
            with client.messages.stream(**body(*MESSAGES[:length], **marked)) as events:
                events.until_done()
    assert counts(streamed.trace())[1:] == [
        (read, written, plain + 4) for read, written, plain in counts(recorder.trace())[1:]
    ]


def test_the_trace_shows_what_the_cache_took_adding_up_once(client: anthropic.Anthropic, recorder: Recorder) -> None:
    talk(client)
    (read, written, plain), tokens = counts(recorder.trace())[1], recorder.trace().round_trips[1].input_tokens
    shown = [line.text for line in trace_lines(recorder.trace())]
    line = f"by the prompt cache: {read:,} read + {written:,} written + {plain:,} plain = {tokens:,} input tokens"
    assert line in shown
    assert any(
        f"({sum(read for read, _, _ in counts(recorder.trace())):,} read from the prompt cache)" in text
        for text in shown
    )
    assert tracefile.whole_trip(recorder.trace(), 1)["usage"]["cache_read_input_tokens"] == read


@pytest.mark.parametrize("rung", RUNGS, ids=str)
def test_the_ladder_uses_no_cache_and_shows_none(rung: Any) -> None:
    trace = run(*rung)
    assert {(read, written) for read, written, _ in counts(trace)} == {(0, 0)}
    assert not any("prompt cache" in line.text for line in trace_lines(trace))


@pytest.mark.parametrize(("delay_s", "read"), [(200, True), (400, False)])
def test_the_simulated_time_that_passes_ends_an_entry(recorder: Recorder, delay_s: float, read: bool) -> None:
    plan = Plan((Fault(2, "slow", delay_s=delay_s),))
    system: Any = [said("s", cache_control=SHORT)]
    with connect(Service(saying(DONE), faults=plan), recorder) as client:
        for number in range(3):
            client.messages.create(**body(user(said(f"q{number}", 30)), system=system))
    assert [(found > 0) for found, _, _ in counts(recorder.trace())] == [False, True, read]


def test_a_request_that_failed_leaves_no_entry(recorder: Recorder) -> None:
    sent: Any = body(user(said("q")), cache_control=SHORT)
    with connect(Service(saying(DONE), faults=Plan((Fault(1, "status", status=529),))), recorder) as client:
        client.messages.create(**sent)
    failed, tried = recorder.trace().round_trips
    assert (failed.written_tokens, tried.read_tokens, tried.written_tokens > 0) == (0, 0, True)


def test_pre_warming_writes_what_the_next_request_reads(client: anthropic.Anthropic, recorder: Recorder) -> None:
    system: Any = [said("s", cache_control=SHORT)]
    client.messages.create(**{**body(user(said("warm", 10)), system=system), "max_tokens": 0})
    client.messages.create(**body(user(said("q", 10)), system=system))
    warm, asked = recorder.trace().round_trips
    assert warm.written_tokens == asked.read_tokens > LONG // 4


SMALL = {"model": "claude-haiku-4-5", "max_tokens": 1_000}  # a window of 200,000 tokens


def long(chars: int) -> Any:
    return {**SMALL, "messages": [{"role": "user", "content": "x" * chars}]}


def test_a_prompt_over_the_window_is_refused_in_the_apis_words(client: anthropic.Anthropic, recorder: Recorder) -> None:
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(**long(800_000))
    tokens = recorder.trace().round_trips[0].input_tokens
    assert caught.value.api_message == f"prompt is too long: {tokens} tokens > 200000 maximum"
    assert client.messages.count_tokens(model=SMALL["model"], messages=long(800_000)["messages"]).input_tokens > 200_000


def test_a_service_without_windows_takes_and_gives_any_length(recorder: Recorder) -> None:
    wordy = Reply(({"type": "text", "text": "y" * 3_000},), "end_turn")
    with connect(Service(saying(wordy), windows=False), recorder) as client:
        client.messages.create(**long(800_000))
    assert recorder.trace().round_trips[0].output_tokens > 750


def test_a_reply_that_fills_the_window_is_cut_there(recorder: Recorder) -> None:
    wordy = Reply(({"type": "text", "text": "y" * 3_000},), "end_turn")
    with connect(Service(saying(wordy)), recorder) as client:
        whole = client.messages.create(**long(700_000))
        cut = client.messages.create(**long(798_000))
    assert (whole.stop_reason, cut.stop_reason) == ("end_turn", "model_context_window_exceeded")
    _, trip = recorder.trace().round_trips
    assert trip.input_tokens + trip.output_tokens == 200_000
