"""Simulated seconds and estimated money, worked out of a trace."""

from typing import Any

import pytest
from bodies import COMPACT, page_bodies, sent
from hypothesis import given
from ladders import load, run
from recordings import traces

from askless.api.latency import CALL_S, REQUEST_S, reply_s, retry_s
from askless.api.wire import Wire
from askless.check.waiting import Overlaps, cost_usd, waits
from askless.record import Exchange, Recorder
from askless.trace import Trace

USAGE = {"input_tokens": 1_000, "output_tokens": 100}
MESSAGE = {"content": [], "stop_reason": "end_turn", "usage": USAGE}
LIMITED: dict[str, Any] = {"type": "error", "error": {"type": "rate_limit_error", "message": ""}}


def recorded(*answers: tuple[int, dict[str, Any], dict[str, Any]]) -> Trace:
    """Requests that are all the same, so that each after a failure is a retry: status, reply, how it was served."""
    wire, recorder = Wire(), Recorder()
    for status, reply, served in answers:
        recorder.record(Exchange(wire.read(sent(page_bodies()[0], **COMPACT)), status, reply, **served))
    return recorder.trace()


def test_a_reply_takes_its_way_its_input_and_its_output() -> None:
    assert waits(recorded((200, MESSAGE, {}))).requests_s == reply_s(USAGE) == pytest.approx(REQUEST_S + 0.1 + 1.5)
    cached = {**USAGE, "input_tokens": 0, "cache_read_input_tokens": 1_000}
    assert reply_s(cached) < reply_s(USAGE)


def test_a_retry_waits_as_it_was_told_else_as_the_sdk_does_at_most() -> None:
    found = waits(recorded((429, LIMITED, {"retry_after_s": 7.0}), (529, LIMITED, {}), (0, {}, {}), (200, MESSAGE, {})))
    assert found.retries_s == 7.0 + 1.0 + 2.0
    assert found.requests_s == pytest.approx(3 * REQUEST_S + reply_s(USAGE))


def test_a_failure_that_nothing_follows_is_not_waited_after_nor_is_a_cut_stream() -> None:
    cut = {**MESSAGE, "stop_reason": None}
    assert waits(recorded((529, LIMITED, {"retry_after_s": 7.0}))).retries_s == 0
    assert waits(recorded((200, cut, {}), (200, MESSAGE, {}))).retries_s == 0


def test_a_back_off_doubles_up_to_its_longest() -> None:
    assert [retry_s(attempt) for attempt in (1, 2, 3, 4, 5, 6, 5_000)] == [0.5, 1, 2, 4, 8, 8, 8]


def test_a_delay_is_waited_for_where_it_happened() -> None:
    assert waits(recorded((200, MESSAGE, {"delay_s": 60.0}))).total_s == pytest.approx(60 + reply_s(USAGE))


def test_calls_count_one_after_the_other_unless_they_were_seen_to_overlap() -> None:
    trace = run("t01_fewer_tool_calls", "v1")
    assert waits(trace).calls_s == 10 * CALL_S
    assert waits(trace, Overlaps(call_steps={0: 1, 1: 1})).calls_s == 2 * CALL_S


def test_every_rung_waits_less_and_costs_less_than_the_one_below() -> None:
    of = load("t01_fewer_tool_calls")
    ladder = [run(of.name, rung.name) for rung in of.rungs if rung.worked]
    seconds = [waits(trace).total_s for trace in ladder]
    dollars = [cost_usd(trace) or 0 for trace in ladder]
    assert seconds == sorted(seconds, reverse=True)
    assert dollars == sorted(dollars, reverse=True)
    assert len(set(seconds)) == len(set(dollars)) == len(ladder)


def test_a_cost_is_unknown_where_a_price_is_and_a_refusal_before_any_output_is_free() -> None:
    refusal = {**MESSAGE, "stop_reason": "refusal"}
    assert cost_usd(recorded((200, MESSAGE, {}))) == pytest.approx(0.003)
    assert cost_usd(recorded((200, refusal, {}))) == 0
    assert cost_usd(recorded((200, {**refusal, "content": [{}]}, {}))) == pytest.approx(0.003)
    assert cost_usd(recorded((529, LIMITED, {}))) == 0
    wire, recorder = Wire(), Recorder()
    body = {**page_bodies()[0], "model": "claude-opus-9"}
    recorder.record(Exchange(wire.read(sent(body)), 200, MESSAGE))
    assert cost_usd(recorder.trace()) is None


@given(traces())
def test_any_trace_has_its_waits_and_overlaps_only_shorten_them(trace: Trace) -> None:
    found = waits(trace)
    parts = (found.requests_s, found.retries_s, found.calls_s, found.batches_s)
    assert min(parts) >= 0
    assert found.total_s == sum(parts)
    everything = Overlaps(call_steps={at: min(1, len(trip.calls)) for at, trip in enumerate(trace.round_trips)})
    assert waits(trace, everything).calls_s <= found.calls_s
