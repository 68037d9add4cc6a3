"""What messages say, ids aside: told only of messages that are right, and the digest that follows from it."""

import json
from typing import Any

import pytest
from bodies import fields, json_values, messages, page_bodies
from hypothesis import given
from hypothesis import strategies as st

from askless.api import blocks
from askless.api.conversation import Conversation, Request
from askless.api.said import TOLD, digest, said

IDS = st.sampled_from(["toolu_1", "toolu_2", "a b", "", "é"]) | json_values
call_blocks = st.fixed_dictionaries(
    {"type": st.just("tool_use"), "id": IDS, "name": st.sampled_from(["f", "", "n" * 201, 3]), "input": json_values},
    optional={"cache_control": json_values},
)
result_blocks = st.fixed_dictionaries(
    {"type": st.just("tool_result"), "tool_use_id": IDS},
    optional={"content": st.sampled_from(["ok", "", []]), "is_error": st.booleans() | json_values, "more": json_values},
)
texts = st.fixed_dictionaries({"type": st.just("text"), "text": st.sampled_from(["hello", "", " \n", 3])})
blocks_of_all_kinds = st.lists(call_blocks | result_blocks | texts | json_values, max_size=3)
any_message = messages | json_values
any_message |= st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", 1]), "content": blocks_of_all_kinds},
    optional={"name": json_values},
)


@given(any_message)
def test_a_message_is_told_at_a_glance_only_where_its_shape_is_right(message):
    if said(message) is not None:
        assert blocks.refusal(0, message) is None
        assert "cache_control" not in json.dumps(message)


def test_the_pages_messages_are_all_told_with_their_ids():
    *_, body = page_bodies()
    told = Request.of(body).read(TOLD)
    assert told.usual
    assert [id_.split("_")[1] for id_ in told.ids] == [f"{n:04}" for n in [*range(1, 5)] * 2 + [*range(5, 11)] * 2]


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


@given(fields, st.lists(any_message, min_size=1, max_size=5), st.data())
def test_a_digest_along_a_growing_conversation_is_that_of_the_whole(frame, conversation, data):
    growing = Conversation([])
    for length in sorted(data.draw(st.sets(st.integers(1, len(conversation)), min_size=1))):
        growing.messages.extend(conversation[len(growing.messages) : length])
        body: dict[str, Any] = {**frame, "messages": conversation[:length]}
        assert digest(Request({**frame, "messages": []}, growing, length)) == digest(Request.of(body))
