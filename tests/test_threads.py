"""Message threads: a request that sends only what is new stands for the whole."""

from typing import Any

import pytest
from bodies import result
from stand_in import ASKED, DONE, LOOK, MODEL, first_body, post, reply_of, saying

from askless.record import Exchange
from askless.service import Service

RESULTS = [{"role": "user", "content": [result(call, "[]") for call in ASKED]}]


def begun(service: Service) -> str:
    """The id of a thread's first reply."""
    return str(reply_of(post(service, first_body(thread={"type": "create"})))["id"])


def going_on(previous: str, messages: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A continuing request, as the SDK sends it: without tools."""
    thread = {"type": "continue", "previous_message_id": previous}
    return {"max_tokens": 1024, "messages": messages, "model": "claude-sonnet-5", "thread": thread, **fields}


def whole(reply: Any) -> dict[str, Any]:
    """The full request that the second request of a thread stands for."""
    return first_body(
        messages=[*first_body()["messages"], {"role": "assistant", "content": list(reply.content)}, *RESULTS]
    )


def exchange(service: Service, body: dict[str, Any]) -> Exchange:
    found = post(service, body).exchange
    assert found
    return found


def test_a_continued_thread_is_answered_and_counted_as_the_full_request() -> None:
    service = Service(MODEL)
    continued = exchange(service, going_on(begun(service), RESULTS))
    assert continued.request.body == whole(LOOK)
    assert continued.reply == reply_of(post(Service(MODEL), whole(LOOK)))


def test_a_thread_goes_on_from_each_reply_also_a_second_time() -> None:
    service = Service(saying(LOOK, LOOK, DONE))
    first = begun(service)
    second = exchange(service, going_on(first, RESULTS))
    third = exchange(service, going_on(second.reply["id"], RESULTS))
    other = exchange(
        service, going_on(first, [{"role": "user", "content": [*RESULTS[0]["content"], {"type": "text", "text": "?"}]}])
    )
    again = exchange(service, going_on(first, RESULTS))
    assert [one.request.length for one in (second, third, other, again)] == [3, 5, 3, 3]
    assert third.request.body["messages"][:3] == second.request.body["messages"] == again.request.body["messages"]
    assert other.request.body["messages"][2] != second.request.body["messages"][2]
    assert again.reply == second.reply


def test_a_repeated_continuation_is_the_same_conversation_so_that_a_retry_is_seen() -> None:
    service = Service(MODEL)
    body = going_on(begun(service), RESULTS)
    assert exchange(service, body).request.conversation is exchange(service, body).request.conversation


@pytest.mark.parametrize(
    ("change", "status", "code", "place"),
    [
        (
            {"thread": {"type": "continue", "previous_message_id": "msg_0"}},
            404,
            "thread_not_found",
            "thread.previous_message_id",
        ),
        ({"tools": first_body()["tools"]}, 400, None, "tools"),
        ({"system": "Be brief."}, 400, None, "system"),
        ({"model": "claude-opus-5"}, 400, "thread_fingerprint_mismatch", "model"),
        ({"tool_choice": {"type": "any"}}, 400, "thread_fingerprint_mismatch", "tool_choice"),
        ({"thread": {"type": "begin"}}, 400, None, "thread"),
        ({"thread": True}, 400, None, "thread"),
    ],
)
def test_a_thread_that_cannot_be_followed_is_refused_with_its_place(
    change: dict[str, Any], status: int, code: str | None, place: str
) -> None:
    service = Service(MODEL)
    answer = post(service, {**going_on(begun(service), RESULTS), **change})
    details = reply_of(answer)["error"]["details"]
    assert (answer.status, details.get("error_code"), details["place"]) == (status, code, place)


def test_a_refused_continuation_leaves_the_thread_as_it_was() -> None:
    service = Service(MODEL)
    first = begun(service)
    assert post(service, going_on(first, [{"role": "user", "content": "no results"}])).status == 400
    assert exchange(service, going_on(first, RESULTS)).request.body == whole(LOOK)


def test_a_service_without_threads_says_so_in_the_sdk_s_words() -> None:
    answer = post(Service(MODEL, threads=False), first_body(thread={"type": "create"}))
    assert answer.status == 400
    assert reply_of(answer)["error"]["details"]["error_code"] == "thread_unsupported_request"


@pytest.mark.parametrize("threads", [True, False])
def test_a_thread_of_null_is_none(threads: bool) -> None:
    assert post(Service(MODEL, threads=threads), first_body(thread=None)).status == 200
