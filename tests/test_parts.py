"""Counting: the page's numbers, and what holds for every request."""

import json

import pytest
from bodies import fields, messages, page_bodies
from hypothesis import given
from hypothesis import strategies as st

from askless.api import parts
from askless.api.conversation import Conversation, Request

PAGE = [
    ({"user": [173], "tools": [432], "rest": [75]}, 680, 170),
    ({"user": [173], "assistant": [462], "results": [576], "tools": [432], "rest": [79]}, 1722, 430),
    ({"user": [173], "assistant": [462, 688], "results": [576, 819], "tools": [432], "rest": [83]}, 3233, 808),
]


@pytest.mark.parametrize(("body", "expected"), list(zip(page_bodies(), PAGE, strict=True)))
def test_the_pages_requests_count_as_the_page_says(body, expected):
    sizes, chars, tokens = expected
    request = Request.of(body)
    found: dict[str, list[int]] = {}
    for part in parts.split(request):
        found.setdefault(part.kind, []).append(part.chars)
    assert (found, parts.chars(request), parts.input_tokens(request)) == (sizes, chars, tokens)


@given(fields, st.lists(messages, max_size=5))
def test_the_parts_of_any_request_add_up_to_its_json(frame, conversation):
    body = {**frame, "messages": conversation}
    request = Request.of(body)
    whole = len(json.dumps(body, ensure_ascii=False))
    assert parts.chars(request) == whole
    assert sum(part.chars for part in parts.split(request)) == whole


@given(fields, st.lists(messages, min_size=1, max_size=6), st.data())
def test_counting_along_a_growing_conversation_equals_counting_afresh(frame, conversation, data):
    growing = Conversation([])
    for length in sorted(data.draw(st.sets(st.integers(1, len(conversation)), min_size=1))):
        growing.messages.extend(conversation[len(growing.messages) : length])
        request = Request({**frame, "messages": []}, growing, length)
        assert parts.split(request) == parts.split(Request.of({**frame, "messages": conversation[:length]}))


def test_an_earlier_request_is_still_counted_right_after_its_conversation_went_on():
    first, _, last = (Request.of(body) for body in page_bodies())
    earlier = Request(first.fields, last.conversation, first.length)
    assert parts.chars(last) == 3233
    assert parts.chars(earlier) == 680


def test_a_body_without_a_list_of_messages_is_counted_as_sent():
    for body in ({}, {"messages": "hello"}, {"messages": None, "model": "m"}):
        assert parts.chars(Request.of(body)) == len(json.dumps(body))
