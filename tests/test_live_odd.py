"""What stands in the real API's answers, and in requests, that must fault nothing: odd usages, long waits, the key."""

from dataclasses import replace
from pathlib import Path

import pytest
from bodies import page_bodies, sent
from living import KEY, TASK, Far, ran

from askless import tracefile
from askless.api.conversation import Request
from askless.judge.sandbox import Sandbox
from askless.live import agent, ceiling, counts
from askless.live.access import HIDDEN, Access
from askless.live.carrier import Carrier
from askless.record import Exchange, Recorder
from askless.show import text
from askless.show.live import progress

HEADERS = {"anthropic-version": "2026-10-21"}


pytestmark = pytest.mark.usefixtures("key")

UNTRUE = [None, "many", [], {}, {"input_tokens": "many", "output_tokens": 1}, {"input_tokens": 5},
          {"input_tokens": -5, "output_tokens": -(10**9)}, {"input_tokens": float("nan"), "output_tokens": 1},
          {"input_tokens": 10**18, "output_tokens": 1}, {"input_tokens": 0, "output_tokens": 0},
          {"input_tokens": 1.5, "output_tokens": 1}, {"input_tokens": True, "output_tokens": 1},
          {"input_tokens": 5, "output_tokens": 1, "cache_creation": {"ephemeral_1h_input_tokens": 9}},
          {"input_tokens": 5, "output_tokens": 1, "cache_creation": "x"}]  # fmt: skip


@pytest.mark.parametrize("number", range(len(UNTRUE)))
def test_a_usage_that_cannot_be_true_counts_at_the_most_it_can_have_cost(
    sandbox: Sandbox, far: Far, tmp_path: Path, number: int
) -> None:
    lived = ran(sandbox, far, f"untrue{number}", told=UNTRUE[number])
    assert (lived.how, lived.exit_code) == ("answered", 0)
    most = [ceiling.of(Request.of(heard["body"])).usd for heard in far.heard(f"untrue{number}")]
    assert [attempt.usd for attempt in lived.attempts] == most
    assert "no usage that can be true" in progress(lived.attempts[0], 1, 0.25)
    assert list(counts.spreads([lived, lived])) == ["round_trips", "tool_calls", "usd"]
    tracefile.write(lived.trace, tmp_path / "kept")
    assert tracefile.read(tmp_path / "kept") == lived.trace


@pytest.mark.parametrize("asked", [3600, 61, "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_a_wait_that_is_too_long_ends_the_run(sandbox: Sandbox, far: Far, asked: object) -> None:
    fault = [429, "rate_limit_error", "Slow down.", asked, "for real"]
    lived = ran(sandbox, far, f"wait{asked}"[:8], fails=[fault] * 9)
    assert (lived.how, lived.exit_code, len(lived.attempts)) == ("failed", 3, 1)
    assert "too many requests" in str(lived.why)
    assert lived.trace.round_trips[0].status == 429


WAITS = [(1, "1 second,"), (7.2, "8 seconds,"), (-5, "a minute,"), ("x", "a minute,")]


@pytest.mark.parametrize(("asked", "act"), WAITS)
def test_a_wait_is_told_in_words_that_can_be_followed(far: Far, asked: object, act: str) -> None:
    fault = [429, "rate_limit_error", "Slow down.", asked]
    with Carrier(Access(KEY, far.plan(f"words{asked}", fails=[fault])), 10.0) as carrier:
        failure = carrier.carry("POST", "/v1/messages", HEADERS, sent(page_bodies()[0])).failure
    assert failure
    assert failure.next_act == f"wait {act} then run this again."


def test_requests_that_failed_are_in_no_sum_of_tokens(sandbox: Sandbox, far: Far) -> None:
    whole, retried = ran(sandbox, far, "sums"), ran(sandbox, far, "resums", fails=[[529, "overloaded_error", "Full"]])
    sums = [counts.total(map(counts.of, lived.attempts)) for lived in (whole, retried)]
    assert len(retried.attempts) == len(whole.attempts) + 1
    assert sums[0] == sums[1]
    assert sums[0].ratio == 1.0


def test_a_key_in_what_an_agent_sends_is_neither_sent_nor_recorded(sandbox: Sandbox, far: Far) -> None:
    source = f"""
def answer(client, desk, question):
    body = {{"model": "claude-sonnet-5", "max_tokens": 99, "system": "It is {KEY}.",
            "messages": [{{"role": "user", "content": question + " {KEY}"}}]}}
    text = client.messages.create(**body).content[0].text
    client.messages.create(**body, metadata={{"user_id": "{KEY}"}})
    raw = '{{"model": "claude-sonnet-5", "max_tokens": 9, "messages": [{{"role": "user", "content": "ESCAPED"}}]}}'
    is_json = {{"headers": {{"content-type": "application/json"}}}}
    client.post("/v1/messages", content=raw.encode(), cast_to=object, options=is_json)
    return text + " {KEY}"
""".replace("ESCAPED", "".join(f"\\\\u{ord(sign):04x}" for sign in KEY))
    lived = ran(sandbox, far, "sent", replace(agent.find(TASK, "v3"), source=source.encode()))
    assert (lived.how, len(lived.attempts)) == ("answered", 3)
    assert str(lived.trace.answer).endswith(HIDDEN)
    assert lived.trace.body(0)["system"] == f"It is {HIDDEN}."
    assert [heard["body"] for heard in far.heard("sent")] == [lived.trace.body(index) for index in range(3)]
    assert KEY not in tracefile.lines(lived.trace)


@pytest.mark.parametrize("number", range(len(UNTRUE)))
def test_a_kept_run_of_whatever_usage_can_be_shown(tmp_path: Path, number: int) -> None:
    recorder = Recorder()
    reply = {"id": "msg_1", "type": "message", "content": [], "stop_reason": "end_turn", "usage": UNTRUE[number]}
    recorder.record(Exchange(Request.of(page_bodies()[0]), 200, reply))
    trace = recorder.trace(model="live")
    tracefile.write(trace, tmp_path / "kept")
    assert "the API counted " in "\n".join(line.text for line in text.trace_lines(tracefile.read(tmp_path / "kept")))
