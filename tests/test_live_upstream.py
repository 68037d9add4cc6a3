"""What comes of the real API's answers in a run, and what a budget lets through: runs of one sandbox."""

import json
from dataclasses import replace
from typing import Any

import pytest
from bodies import page_bodies, sent
from living import KEY, TASK, Far, ran

from askless.api.conversation import Request
from askless.judge.sandbox import Sandbox
from askless.live import agent, ceiling
from askless.live.access import Access
from askless.live.carrier import Carrier
from askless.live.purse import Purse
from askless.live.upstream import Attempt, Upstream

HEADERS = {"anthropic-version": "2026-10-21", "x-api-key": "askless", "authorization": "Bearer x", "cookie": "c"}


pytestmark = pytest.mark.usefixtures("key")

FAILURES = [  # what the service does each time, the line, the act, the exit code, how often it is asked
    ([429, "rate_limit_error", "Slow down.", 7], "too many requests for this key's limits", "wait 7 seconds", 3, 3),
    ([529, "overloaded_error", "Overloaded"], "the API is overloaded", "wait some minutes", 3, 3),
    ([500, "api_error", "Internal server error"], "the API failed", "wait a minute", 3, 3),
    ([401, "authentication_error", "invalid x-api-key"], "the key was refused", "export ANTHROPIC_API_KEY", 2, 1),
    ([400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."],
     "the account has no credit", "add credit", 2, 1),
    ([402, "billing_error", "Pay first."], "the account has no credit", "add credit", 2, 1),
    ([403, "permission_error", "Not yours."], "the key may not do this", "see its workspace", 2, 1),
    ("gone", "this model is not offered (any more)", "name another in the agent", 1, 1),
    ([400, "invalid_request_error", "tools: no."], "the request was refused", "askless rules", 1, 1),
    ("page", "the API failed", "wait a minute", 3, 3),
    ("redirect", "there is no such address", "ANTHROPIC_BASE_URL", 2, 1),
    ("drop", "the connection to 127.0.0.1", "see to the network", 3, 3),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(FAILURES)))
def test_a_failure_is_one_line_and_one_act(sandbox: Sandbox, far: Far, number: int) -> None:
    fault, line, act, code, times = FAILURES[number]
    lived = ran(sandbox, far, f"fails{number}", fails=[fault] * 9)
    assert (lived.how, lived.exit_code, len(lived.attempts)) == ("failed", code, times)
    assert lived.why
    assert lived.why.seen.startswith(line)
    assert act in lived.why.next_act
    assert [trip.attempt for trip in lived.trace.round_trips] == list(range(1, times + 1))
    assert len(far.heard(f"fails{number}")) == times


def test_a_failure_that_the_agent_lives_through_ends_nothing(sandbox: Sandbox, far: Far) -> None:
    fails = [[529, "overloaded_error", "Overloaded"], "drop", None, [429, "rate_limit_error", "Slow down.", 1]]
    lived = ran(sandbox, far, "through", fails=fails)
    assert (lived.how, lived.exit_code) == ("answered", 0)
    assert [trip.status for trip in lived.trace.round_trips] == [529, 0, 200, 429, 200]
    assert lived.trace.round_trips[3].retry_after_s == 1


@pytest.mark.parametrize("fault", ["odd", "garbled", "portal", "half", "nothing", "deep"])
def test_a_reply_that_is_none_of_the_apis_is_told_and_kept_and_faults_nothing(
    sandbox: Sandbox, far: Far, fault: str
) -> None:
    lived = ran(sandbox, far, fault, fails=[fault])
    assert (lived.how, lived.exit_code) == ("failed", 2)
    assert "answered 200, and not in the API's form" in str(lived.why)
    assert lived.trace.round_trips[0].status == 200
    assert lived.trace.totals.tool_calls == 0
    assert lived.attempts[0].usd == ceiling.of(Request.of(far.heard(fault)[0]["body"])).usd


def test_a_reply_that_is_lost_counts_at_the_most_it_can_have_cost(sandbox: Sandbox, far: Far) -> None:
    whole, lost = ran(sandbox, far, "whole"), ran(sandbox, far, "lost", fails=["drop"])
    body = Request.of(far.heard("lost")[0]["body"])
    assert lost.attempts[0].usd == ceiling.of(body).usd
    assert [attempt.usd for attempt in lost.attempts[1:]] == [attempt.usd for attempt in whole.attempts]
    assert lost.attempts[-1].spent_usd == pytest.approx(sum(attempt.usd for attempt in lost.attempts))


@pytest.mark.parametrize("usd", [0.02, 0.03, 0.04, 0.045])
def test_however_dear_the_replies_a_budget_is_kept(sandbox: Sandbox, far: Far, usd: float) -> None:
    lived = ran(sandbox, far, f"dear{usd}", agent.find(TASK, "v0"), usd, usage=3)
    assert lived.how == "kept_back"
    assert 0 < lived.attempts[-1].spent_usd <= usd
    assert len(far.heard(f"dear{usd}")) == len(lived.attempts)


def test_the_service_hears_what_the_agent_sent_with_the_key_in_its_place(sandbox: Sandbox, far: Far) -> None:
    lived = ran(sandbox, far, "heard")
    heard = far.heard("heard")
    assert [each["body"] for each in heard] == [lived.trace.body(index) for index in range(2)]
    assert all(each["headers"]["x-api-key"] == KEY for each in heard)
    assert all("authorization" not in each["headers"] for each in heard)


def upstream(far: Far, name: str, carrier: Carrier, told: list[Attempt]) -> Upstream:
    return Upstream(carrier, Purse(0.25), tell=told.append)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"speed": "fast"}, "the field speed"),
        ({"mcp_servers": [{"type": "url"}]}, "the field mcp_servers"),
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "a tool of type web_search_20250305"),
        ({"model": "claude-unheard-of"}, "the model 'claude-unheard-of'"),
        ({"messages": [{"role": "user", "content": [{"type": "document", "source": {}}]}]}, "a block of type document"),
        ({"messages": [{"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image", "source": {}}]}]}]},
         "a block of type image"),
    ],
)  # fmt: skip
def test_what_has_no_ceiling_is_not_sent(far: Far, fields: dict[str, Any], what: str) -> None:
    told: list[Attempt] = []
    with Carrier(Access(KEY, far.plan("unbound")), 10.0) as carrier:
        real = upstream(far, "unbound", carrier, told)
        answer = real.serve("POST", "/v1/messages", HEADERS, sent({**page_bodies()[0], **fields}))
    assert answer.status == 403
    assert what in json.loads(answer.body)["error"]["message"]
    assert real.unsent
    assert what in real.unsent.seen
    assert (told, far.heard("unbound")) == ([], [])


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/v1/messages/batches"), ("POST", "/v1/complete"), ("GET", "/v1/models")]
)
def test_paths_whose_costs_nobody_knows_are_closed(far: Far, method: str, path: str) -> None:
    with Carrier(Access(KEY, far.plan("closed")), 10.0) as carrier:
        assert upstream(far, "closed", carrier, []).serve(method, path, HEADERS, b"{}").status == 403
    assert far.heard("closed") == []


def test_counting_tokens_is_free_and_passes(far: Far) -> None:
    body = {name: value for name, value in page_bodies()[0].items() if name != "max_tokens"}
    with Carrier(Access(KEY, far.plan("counts")), 10.0) as carrier:
        answer = upstream(far, "counts", carrier, []).serve("POST", "/v1/messages/count_tokens", HEADERS, sent(body))
    assert json.loads(answer.body)["input_tokens"] > 100
    assert answer.exchange is None


def test_a_body_that_is_no_json_goes_nowhere(far: Far) -> None:
    with Carrier(Access(KEY, far.plan("nojson")), 10.0) as carrier:
        assert upstream(far, "nojson", carrier, []).serve("POST", "/v1/messages", HEADERS, b"\xff{").status == 400
    assert far.heard("nojson") == []


def test_requests_at_once_cannot_pass_the_budget_together() -> None:
    purse = Purse(1.0)
    assert [purse.hold(0.4), purse.hold(0.4), purse.hold(0.4)] == [True, True, False]
    assert purse.settle(0.4, 0.1) == 0.1
    assert purse.hold(0.4)
    assert purse.settle(0.4, None) == 0.4
    assert (round(purse.spent_usd, 9), purse.guessed, purse.held_usd) == (0.5, 1, 0.4)


@pytest.mark.parametrize("word", ["order", "заказ", "注文", "🙂"])
def test_a_ceiling_stands_over_a_token_for_each_byte(word: str) -> None:
    body = {"model": "claude-sonnet-5", "max_tokens": 10, "messages": [{"role": "user", "content": word * 1000}]}
    top = ceiling.of(Request.of(body))
    assert top.input_tokens > len((word * 1000).encode())
    assert top.usd == pytest.approx((top.input_tokens * 2 + 10 * 10) / 1e6)


def test_a_ceiling_knows_dearer_cache_writes_and_dearer_long_prompts() -> None:
    body = {"model": "claude-haiku-5-5", "max_tokens": 0, "messages": [{"role": "user", "content": "a" * 200_000}]}
    plain = ceiling.of(Request.of(body))
    written = ceiling.of(Request.of({**body, "cache_control": {"type": "ephemeral"}}))
    counted = ceiling.of(Request.of(body), 50_000)
    assert plain.usd == pytest.approx(plain.input_tokens * 0.5 / 1e6)
    assert written.usd == pytest.approx(written.input_tokens * 1.0 / 1e6)
    assert (counted.input_tokens, counted.usd) == (52_501, pytest.approx(52_501 * 0.1 / 1e6))


def test_an_agent_may_ask_for_several_things_at_once(sandbox: Sandbox, far: Far) -> None:
    source = b"""
from concurrent.futures import ThreadPoolExecutor

def answer(client, desk, question):
    def ask(number):
        messages = [{"role": "user", "content": f"{number}: {question}"}]
        return client.messages.create(model="claude-sonnet-5", max_tokens=300, messages=messages)
    with ThreadPoolExecutor(8) as pool:
        return str(len(list(pool.map(ask, range(8)))))
"""
    found = replace(agent.find(TASK, "v3"), source=source)
    lived = ran(sandbox, far, "atonce", found)
    assert (lived.how, lived.trace.answer, len(lived.trace.round_trips)) == ("answered", "8", 8)
