"""Every way in which the real API fails, as one line and one act."""

import json

import anthropic
import httpx2
import pytest

from askless.errors import Problem
from askless.live import access, failure

KEY = "sk-ant-canary-0123456789"

FAILURES = [  # status, type, message, headers; the line, the act, the exit code
    (401, "authentication_error", "invalid x-api-key", {}, "the key was refused", "export ANTHROPIC_API_KEY", 2),
    (400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API. Please go to Plans & "
     "Billing to upgrade or purchase credits.", {}, "the account has no credit", "add credit", 2),
    (402, "billing_error", "Your account has a billing problem.", {}, "the account has no credit", "add credit", 2),
    (400, "invalid_request_error", "You have reached your specified API usage limits. You will regain access on "
     "2026-12-01 at 00:00 UTC.", {}, "a spending limit is reached", "raise it", 2),
    (403, "permission_error", "Your API key may not.", {}, "the key may not do this", "see its workspace", 2),
    (404, "not_found_error", "model: claude-2.1", {}, "this model is not offered", "claude-sonnet-5", 1),
    (404, "not_found_error", "Not Found", {}, "there is no such address", "ANTHROPIC_BASE_URL", 2),
    (413, "request_too_large", "Request exceeds the maximum size", {}, "the request is too large", "send less", 1),
    (429, "rate_limit_error", "Slow down", {"retry-after": "7"}, "too many requests", "wait 7 seconds", 3),
    (429, "rate_limit_error", "Slow down", {}, "too many requests", "wait a minute", 3),
    (500, "api_error", "Internal server error", {}, "the API failed", "wait a minute", 3),
    (503, "api_error", "unavailable", {}, "the API failed", "wait a minute", 3),
    (504, "timeout_error", "Request timed out", {}, "the API took too long", "wait a minute", 3),
    (529, "overloaded_error", "Overloaded", {}, "the API is overloaded", "wait some minutes", 3),
    (400, "invalid_request_error", "messages: at least one", {}, "the request was refused", "askless rules", 1),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)


def raised(answer: httpx2.MockTransport) -> Problem:
    """What is told of the error that the SDK raises for an answer."""
    client = access.access().client(http_client=httpx2.Client(transport=answer), max_retries=0)
    with client, pytest.raises(anthropic.APIError) as caught:
        client.messages.create(model="claude-sonnet-5", max_tokens=1, messages=[{"role": "user", "content": "-"}])
    return failure.told(caught.value)


@pytest.mark.parametrize(("status", "kind", "message", "headers", "line", "act", "code"), FAILURES)
def test_a_failed_answer_is_one_line_and_one_act(
    status: int, kind: str, message: str, headers: dict[str, str], line: str, act: str, code: int
) -> None:
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    problem = raised(httpx2.MockTransport(lambda _: httpx2.Response(status, json=body, headers=headers)))
    assert problem.seen.startswith(line)
    assert f"api.anthropic.com answered {status} {kind}: {message}" in problem.seen
    assert act in problem.next_act
    assert problem.exit_code == code
    assert len(str(problem).splitlines()) == 2


@pytest.mark.parametrize("message", ["model: claude-sonnet-5", "model `claude-sonnet-5-20260101` is retired."])
def test_a_model_that_was_refused_is_not_offered_again(message: str) -> None:
    act = failure.of_reply(404, {"error": {"type": "not_found_error", "message": message}}).next_act
    assert "claude-sonnet-5," not in act
    assert "claude-sonnet-5-5," in act


@pytest.mark.parametrize("status", [301, 400, 404, 502])
def test_a_page_of_somebody_elses_is_told_from_the_api(status: int) -> None:
    problem = raised(httpx2.MockTransport(lambda _: httpx2.Response(status, text="<html>\n")))
    assert problem.seen.endswith(f"answered {status}, and not in the API's form")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            httpx2.ConnectError("[Errno -2] Name or service not known"),
            "api.anthropic.com cannot be reached: [Errno -2]",
        ),
        (httpx2.ReadTimeout("slow"), "api.anthropic.com gave no answer in time."),
        (httpx2.RemoteProtocolError("peer closed"), "the connection to api.anthropic.com broke: peer closed."),
    ],
)
def test_no_network_is_told_from_a_slow_one_and_a_broken_one(error: httpx2.HTTPError, line: str) -> None:
    def fail(_: httpx2.Request) -> httpx2.Response:
        raise error

    problem = raised(httpx2.MockTransport(fail))
    assert problem.seen.startswith(line)
    assert problem.exit_code == 3


def test_a_key_in_what_the_api_says_is_not_repeated() -> None:
    body = {"error": {"type": "authentication_error", "message": f"no such key {KEY}\n\x1b[31m{KEY}"}}
    problem = failure.of_reply(401, body)
    assert KEY not in str(problem)
    assert json.dumps("\x1b")[1:-1] not in str(problem)
    assert problem.seen.endswith("no such key [the key] [31m[the key].")


@pytest.mark.parametrize("key", ["", "  \n"])
def test_without_a_key_nothing_is_tried(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with pytest.raises(Problem, match=r"ANTHROPIC_API_KEY is not set.*\nNext: make one"):
        access.access()


@pytest.mark.parametrize("key", ["sk ant", "sk-änt", "sk-ant\nx"])
def test_a_key_that_cannot_be_sent_is_told_and_not_shown(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with pytest.raises(Problem, match="holds a sign that no key has") as caught:
        access.access()
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["api.anthropic.com", "ftp://x", "http://", "http://[::1", "http://x:99999", "http://x:0"]
)
def test_an_address_that_is_none_is_told(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    with pytest.raises(Problem, match="ANTHROPIC_BASE_URL is no address"):
        access.access()


def test_an_address_is_shown_without_its_user_and_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://ann:secret@gateway.example:8080/anthropic/")
    way = access.access()
    assert way.host == "gateway.example:8080"
    assert way.base_url == "https://ann:secret@gateway.example:8080/anthropic"
    assert "secret" not in f"{way} {failure.of_reply(500, {})}"
    assert KEY not in repr(way)
