"""The service at its edge: bytes in, status, headers and bytes out."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from bodies import call, page_bodies, result, sent, texts
from hypothesis import given
from hypothesis import strategies as st
from stand_in import HEADERS, LOOK, MODEL, first_body, post, reply_of

from askless.api import parts
from askless.api.conversation import Request
from askless.model import Reply
from askless.record import Recorder
from askless.service import LIMIT_BYTES, Service


def service() -> Service:
    return Service(MODEL)


def test_a_reply_is_the_api_s_message() -> None:
    reply = reply_of(post(service(), first_body()))
    assert reply == {
        "id": reply["id"],
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5",
        "content": list(LOOK.content),
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "stop_details": None,
        "usage": {
            "input_tokens": 170,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": len(json.dumps(list(LOOK.content))) // 4,
            "service_tier": "standard",
        },
    }


@given(st.lists(texts.filter(str.strip), min_size=1, max_size=4, unique=True))
def test_an_id_is_a_function_of_the_request_and_of_all_of_it(questions: list[str]) -> None:
    bodies = [first_body(messages=[{"role": "user", "content": text}]) for text in questions]
    bodies += [first_body(messages=[{"role": "user", "content": text} for text in questions[:2]], max_tokens=9)]
    along = service()
    ids = [reply_of(post(along, body))["id"] for body in bodies]
    assert ids == [reply_of(post(service(), body))["id"] for body in bodies]
    assert len(set(ids)) == len(bodies)


def test_usage_is_the_page_s_count_at_every_request() -> None:
    along = service()
    replies = [reply_of(post(along, body)) for body in page_bodies()]
    assert [reply["usage"]["input_tokens"] for reply in replies] == [170, 430, 808]


def without(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "")


COUNTED = {name: value for name, value in first_body().items() if name != "max_tokens"}
REFUSED: list[tuple[Any, str, dict[str, str], tuple[int, str, str]]] = [
    (first_body(), "/v1/complete", {}, (404, "not_found_error", "path-unknown")),
    (first_body(), "/v1/messages", without("x-api-key"), (401, "authentication_error", "key-missing")),
    (
        first_body(),
        "/v1/messages",
        {**without("x-api-key"), "authorization": "Bearer "},
        (401, "authentication_error", "key-missing"),
    ),
    (first_body(), "/v1/messages", without("anthropic-version"), (400, "invalid_request_error", "version-missing")),
    (b"{", "/v1/messages", {}, (400, "invalid_request_error", "body-unreadable")),
    (b"[]", "/v1/messages", {}, (400, "invalid_request_error", "body-unreadable")),
    (b'{"a": "\xff"}', "/v1/messages", {}, (400, "invalid_request_error", "body-unreadable")),
    (b"{", "/v1/messages/count_tokens", {}, (400, "invalid_request_error", "body-unreadable")),
    (first_body(model="gpt-5"), "/v1/messages", {}, (404, "not_found_error", "model-unknown")),
    (first_body(model="claude-sonet-5"), "/v1/messages", {}, (404, "not_found_error", "model-unknown")),
    (COUNTED | {"model": "gpt-5"}, "/v1/messages/count_tokens", {}, (404, "not_found_error", "model-unknown")),
    (first_body(messages=[]), "/v1/messages", {}, (400, "invalid_request_error", "messages-empty")),
    (first_body(), "/v1/messages/count_tokens", {}, (400, "invalid_request_error", "field-unknown")),  # max_tokens
]


@pytest.mark.parametrize(("body", "path", "headers", "expected"), REFUSED)
def test_a_refusal_has_the_api_s_envelope_and_the_lab_s_details(
    body: object, path: str, headers: dict[str, str], expected: tuple[int, str, str]
) -> None:
    answer = post(service(), body, path, **headers)
    envelope = reply_of(answer)
    error = envelope["error"]
    assert (answer.status, error["type"], error["details"]["rule"]) == expected
    assert envelope == {"type": "error", "error": error, "request_id": answer.headers["request-id"]}
    assert error["message"]
    assert error["details"]["mend"]


def test_a_body_past_32_megabytes_is_too_large() -> None:
    large = first_body(messages=[{"role": "user", "content": "a" * LIMIT_BYTES}])
    answer = post(service(), large)
    assert (answer.status, reply_of(answer)["error"]["type"]) == (413, "request_too_large")
    assert answer.exchange
    assert parts.chars(answer.exchange.request) == len(json.dumps(large))


@pytest.mark.parametrize(
    "name", ["claude-opus-5-5", "claude-haiku-4-5-20251001", "claude-mythos-preview", "claude-opus-6"]
)
def test_models_of_known_families_are_known_tomorrow_s_too(name: str) -> None:
    assert reply_of(post(service(), first_body(model=name)))["model"] == name


@pytest.mark.parametrize("headers", [{}, {"x-api-key": "", "authorization": "Bearer t"}])
def test_a_key_or_a_bearer_token_will_do_and_reaches_no_record(headers: dict[str, str]) -> None:
    answer = post(service(), first_body(), **headers)
    recorder = Recorder()
    assert answer.exchange
    recorder.record(answer.exchange)
    assert answer.status == 200
    assert HEADERS["x-api-key"] not in repr(recorder.trace()) + repr(vars(answer))


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages?beta=true", "/v1/messages/count_tokens", "/elsewhere"])
@pytest.mark.parametrize("body", [first_body(), b"nothing"])
def test_every_answer_names_its_request_and_the_organization(path: str, body: object) -> None:
    answer = post(service(), body, path)
    assert answer.headers["request-id"].startswith("req_")
    assert len(answer.headers["request-id"]) > len("req_")
    assert answer.headers["anthropic-organization-id"]


def test_counting_needs_no_limit_and_is_no_exchange() -> None:
    answer = post(service(), COUNTED, "/v1/messages/count_tokens")
    assert reply_of(answer) == {"input_tokens": parts.input_tokens(Request.of(COUNTED))}
    assert answer.exchange is None


@pytest.mark.parametrize("strict", [True, False])
def test_split_results_are_refused_by_a_strict_backend_only(strict: bool) -> None:
    first, asked, answered = page_bodies()[1]["messages"]
    split = [{"role": "user", "content": [block]} for block in answered["content"]]
    answer = post(Service(MODEL, strict_backend=strict), first_body(messages=[first, asked, *split]))
    assert answer.status == (400 if strict else 200)


def test_what_is_not_readable_still_counts_as_a_failed_request() -> None:
    recorder = Recorder()
    answer = post(service(), b"{")
    assert answer.exchange
    recorder.record(answer.exchange)
    assert recorder.trace().totals.failed_requests == 1


def test_text_that_is_no_unicode_comes_back_as_it_went() -> None:
    half = "\ud83d"
    echo = Service(lambda request: Reply(({"type": "text", "text": half},), "end_turn"))
    body = json.dumps(first_body(messages=[{"role": "user", "content": half}])).encode()
    for streamed in (body, body[:-1] + b', "stream": true}'):
        assert json.dumps(half)[1:-1].encode() in post(echo, streamed).body


def test_threads_that_post_at_once_get_what_one_after_the_other_gets() -> None:
    bodies = [sent(body) for body in page_bodies()] * 20
    alone = [post(service(), body).body for body in bodies]
    shared = service()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda body: post(shared, body).body, bodies)) == alone


def test_equal_conversations_at_once_are_counted_right_under_the_service_s_lock() -> None:
    asked = [call(number, "get_orders", customer_id="C1") for number in range(20)]
    turns = [
        [{"role": "assistant", "content": [one]}, {"role": "user", "content": [result(one, "[]")]}] for one in asked
    ]
    bodies = [first_body(messages=sum(turns[:length], first_body()["messages"])) for length in range(len(turns))]
    shared = service()

    def counts(_: int) -> list[int]:
        recorder = Recorder()
        for body in bodies:
            exchange = post(shared, body).exchange
            assert exchange
            with shared.lock:
                recorder.record(exchange)
        return [trip.chars for trip in recorder.trace().round_trips]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(counts, range(8))) == [[parts.chars(Request.of(body)) for body in bodies]] * 8
