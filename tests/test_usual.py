"""Messages told at a glance to be of a usual form: only where they are right."""

import json

from bodies import json_values, messages, page_bodies
from hypothesis import given
from hypothesis import strategies as st

from askless.api import blocks
from askless.api.usual import is_usual

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
    if is_usual(message):
        assert blocks.refusal(0, message) is None
        assert "cache_control" not in json.dumps(message)


def test_the_pages_messages_are_all_told():
    *_, body = page_bodies()
    assert all(map(is_usual, body["messages"]))
