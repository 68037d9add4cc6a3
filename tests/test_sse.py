"""A message as server-sent events and back."""

import json
from typing import Any

import pytest
from bodies import json_values, texts
from hypothesis import given
from hypothesis import strategies as st

from askless import sse

inputs = st.dictionaries(texts, json_values, max_size=4)
text_blocks = st.builds(lambda text: {"type": "text", "text": text}, texts.map(lambda text: text * 3))
calls = st.builds(lambda value: {"type": "tool_use", "id": "toolu_1", "name": "look", "input": value}, inputs)


def message(content: list[dict[str, Any]], output_tokens: int = 7) -> dict[str, Any]:
    usage = {
        "input_tokens": 170,
        "cache_read_input_tokens": 0,
        "output_tokens": output_tokens,
        "service_tier": "standard",
    }
    stop = {"stop_reason": "tool_use", "stop_sequence": None, "stop_details": None}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": content,
        **stop,
        "usage": usage,
    }


def stream(*events: dict[str, Any]) -> str:
    return "".join(f"event: {event['type']}\r\ndata: {json.dumps(event)}\r\n\r\n" for event in events)


@given(st.lists(text_blocks | calls, max_size=4), st.integers(0, 900))
def test_a_message_read_from_its_own_stream_is_the_same(content: list[dict[str, Any]], tokens: int) -> None:
    sent = message(content, tokens)
    assert sse.decode(sse.encode(sent).decode()) == (200, sent)


@given(st.lists(text_blocks | calls, max_size=3), st.data())
def test_a_stream_cut_anywhere_gives_the_blocks_that_were_whole(
    content: list[dict[str, Any]], data: st.DataObject
) -> None:
    text = sse.encode(message(content)).decode()
    status, reply = sse.decode(text[: data.draw(st.integers(0, len(text)))])
    got = reply.get("content", [])
    assert status == 200
    for sent, arrived in zip(content, got, strict=False):
        whole = arrived == sent
        assert whole or (arrived is got[-1] and arrived["type"] == "text" and sent["text"].startswith(arrived["text"]))


def test_events_come_in_the_documented_order_and_show_nothing_too_early() -> None:
    text = {"type": "text", "text": "Let me look them up, both."}
    call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"ids": ["a", "b", "c", "d"]}}
    events = list(sse.events(message([text, call])))
    kinds = [event["type"] for event in events]
    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    assert list(dict.fromkeys(kinds)) == ["message_start", "ping", *block, "message_delta", "message_stop"]
    assert events[0]["message"]["content"] == []
    assert events[0]["message"]["stop_reason"] is None
    assert events[-2]["delta"]["stop_reason"] == "tool_use"
    assert events[-2]["usage"] == {"input_tokens": 170, "cache_read_input_tokens": 0, "output_tokens": 7}
    assert [e["content_block"] for e in events if e["type"] == block[0]] == [
        {**text, "text": ""},
        {**call, "input": {}},
    ]
    pieces = [e["delta"]["partial_json"] for e in events if e["type"] == block[1] and e["index"] == 1]
    assert len([piece for piece in pieces if piece]) > 1
    assert json.loads("".join(pieces)) == call["input"]


@pytest.mark.parametrize(
    ("kind", "status"), [("overloaded_error", 529), ("rate_limit_error", 429), ("api_error", 500), ("new_error", 500)]
)
def test_an_error_in_a_stream_is_a_failure_of_its_kind(kind: str, status: int) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "no"}, "request_id": "req_1"}
    begun = list(sse.events(message([{"type": "text", "text": "a"}])))[:4]
    assert sse.decode(stream(*begun, error)) == (status, error)


def test_what_the_lab_s_own_model_never_sends_is_read_too() -> None:
    deltas = [
        {"type": "thinking_delta", "thinking": "hm"},
        {"type": "signature_delta", "signature": "s"},
        {"type": "something_new", "value": 1},
    ]
    thinking = {"type": "thinking", "thinking": "", "signature": ""}
    cited = {"type": "citations_delta", "citation": {"type": "char_location"}}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message([])},
        {"type": "content_block_start", "index": 0, "content_block": thinking},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {"type": "something_new"},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": cited},
        {"type": "content_block_stop", "index": 1},
    ]
    _, reply = sse.decode(": a comment\r\n\r\n" + stream(*events))
    assert reply["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "", "citations": [{"type": "char_location"}]},
    ]


def test_an_input_that_is_no_json_is_kept_as_text() -> None:
    call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    delta = {"type": "input_json_delta", "partial_json": '{"a": '}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message([])},
        {"type": "content_block_start", "index": 0, "content_block": call},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
    ]
    assert sse.decode(stream(*events))[1]["content"] == [{**call, "input": '{"a": '}]


def test_a_stream_of_something_else_is_nothing() -> None:
    assert sse.decode("data: <html>\n\nnothing: here\n\n") == (200, {})
