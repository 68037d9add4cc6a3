"""The digest of a request: what makes its id, so that a trace is the same each time."""

from typing import Any

import pytest
from bodies import fields, json_values, messages, page_bodies
from hypothesis import given
from hypothesis import strategies as st

from askless.api.conversation import Conversation, Request
from askless.api.parts import digest


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body["messages"][0].update(content="another"),
        lambda body: body["messages"][1]["content"][0].update(id="toolu_9"),
        lambda body: body["messages"][1]["content"][0].update(name="get"),
        lambda body: body["messages"][1]["content"][0].update(input={}),
        lambda body: body["messages"][2]["content"][3].update(is_error=False),
        lambda body: body["messages"][2]["content"][0].update(content="{}"),
        lambda body: body["messages"].pop(),
        lambda body: body.update(max_tokens=1),
    ],
)
def test_another_body_has_another_digest(change):
    body = page_bodies()[2]
    before = digest(Request.of(page_bodies()[2]))
    change(body)
    assert digest(Request.of(body)) != before


@given(fields, st.lists(messages | json_values, min_size=1, max_size=5), st.data())
def test_a_digest_along_a_growing_conversation_is_that_of_the_whole(frame, conversation, data):
    growing = Conversation([])
    for length in sorted(data.draw(st.sets(st.integers(1, len(conversation)), min_size=1))):
        growing.messages.extend(conversation[len(growing.messages) : length])
        body: dict[str, Any] = {**frame, "messages": conversation[:length]}
        assert digest(Request({**frame, "messages": []}, growing, length)) == digest(Request.of(body))
