"""Any conversation that an honest loop makes is taken; any fault in it is found, whole or appended to."""

from copy import deepcopy
from typing import Any

import pytest
from bodies import json_values, page_bodies
from hypothesis import given
from hypothesis import strategies as st

from askless.api.conversation import Conversation, Request
from askless.api.rules import refusal

FIELDS = {name: value for name, value in page_bodies()[0].items() if name != "messages"}
words = st.text(min_size=1, max_size=8).filter(str.strip)


def request(messages: list[Any], **fields: Any) -> Request:
    return Request.of({**FIELDS, **fields, "messages": messages})


# What a result brings: a text, blocks, an error, or nothing.
brought = st.one_of(
    words.map(lambda text: {"content": text}),
    words.map(lambda text: {"content": [{"type": "text", "text": text}]}),
    words.map(lambda text: {"content": text, "is_error": True}),
    st.just({}),
)


@st.composite
def conversations(draw: st.DrawFn, *, split: bool = False) -> list[dict[str, Any]]:
    """A question, then replies with calls, each answered; the results of a reply in one message, or in several."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": draw(words)}]
    number = 0
    for _ in range(draw(st.integers(0, 4))):
        calls = []
        for _ in range(draw(st.integers(1, 4))):
            number += 1
            calls.append({"type": "tool_use", "id": f"toolu_{number}", "name": "get_orders", "input": {}})
        said = [{"type": "text", "text": draw(words)}] if draw(st.booleans()) else []
        messages.append({"role": "assistant", "content": [*said, *calls]})
        results = [result_of(call, draw(brought)) for call in draw(st.permutations(calls))]
        cuts = sorted(draw(st.sets(st.integers(1, len(results)), max_size=3))) if split else []
        for start, end in zip([0, *cuts], [*cuts, len(results)], strict=True):
            if results[start:end]:
                messages.append({"role": "user", "content": results[start:end]})
        if draw(st.booleans()):  # text after the last result, in the same turn
            messages.append({"role": "user", "content": draw(words)})
    return messages


@given(conversations(split=True))
def test_an_honest_loop_is_never_refused_however_its_results_are_split(messages):
    assert refusal(request(messages)) is None


@given(conversations())
def test_a_strict_backend_takes_results_that_come_together(messages):
    assert refusal(request(messages), strict_backend=True) is None


@given(conversations(split=True))
def test_a_strict_backend_refuses_the_first_message_that_brings_more_results(messages):
    held = [isinstance(message["content"], list) and message["role"] == "user" for message in messages]
    second = next((at for at in range(1, len(messages)) if held[at - 1] and held[at]), None)
    found = refusal(request(messages), strict_backend=True)
    assert (found and (found.rule, found.place)) == (second and ("results-split", f"messages.{second}"))


def result_of(call: dict[str, Any], brings: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call["id"], **brings}


def blocks_of(messages: list[dict[str, Any]], kind: str) -> list[tuple[int, int]]:
    """Where the blocks of one type stand."""
    lists = [(at, message["content"]) for at, message in enumerate(messages) if isinstance(message["content"], list)]
    return [(at, n) for at, content in lists for n, block in enumerate(content) if block["type"] == kind]


with_calls = conversations(split=True).filter(lambda messages: blocks_of(messages, "tool_use"))


@given(with_calls, st.data())
def test_a_result_left_out_is_missed_at_its_reply(messages, data):
    at, n = data.draw(st.sampled_from(blocks_of(messages, "tool_result")))
    id_ = messages[at]["content"].pop(n)["tool_use_id"]
    messages = [message for message in messages if message["content"]]
    turn = next(at for at, k in blocks_of(messages, "tool_use") if messages[at]["content"][k]["id"] == id_)
    found = refusal(request(messages))
    assert found is not None
    assert (found.rule, found.place) == ("result-missing", f"messages.{turn}")
    assert id_ in found.message


@given(with_calls, st.data())
def test_a_result_sent_twice_is_refused_where_it_comes_again(messages, data):
    at, n = data.draw(st.sampled_from(blocks_of(messages, "tool_result")))
    content = messages[at]["content"]
    content.insert(n + 1, deepcopy(content[n]))
    found = refusal(request(messages))
    assert found is not None
    assert (found.rule, found.place) == ("result-twice", f"messages.{at}.content.{n + 1}")


@given(with_calls, st.data(), words)
def test_a_text_before_a_result_is_refused_where_it_stands(messages, data, text):
    at, n = data.draw(st.sampled_from(blocks_of(messages, "tool_result")))
    messages[at]["content"].insert(n, {"type": "text", "text": text})
    found = refusal(request(messages))
    assert found is not None
    assert (found.rule, found.place) == ("text-before-result", f"messages.{at}.content.{n}")


@given(with_calls, st.data())
def test_a_result_under_another_id_is_refused_where_it_stands(messages, data):
    at, n = data.draw(st.sampled_from(blocks_of(messages, "tool_result")))
    messages[at]["content"][n]["tool_use_id"] = "toolu_0"
    found = refusal(request(messages))
    assert found is not None
    assert (found.rule, found.place) == ("result-unexpected", f"messages.{at}.content.{n}")


@given(with_calls, st.data())
def test_a_call_under_a_known_id_is_refused_where_it_stands(messages, data):
    first, *others = blocks_of(messages, "tool_use")
    if others:
        at, n = data.draw(st.sampled_from(others))
        messages[at]["content"][n]["id"] = messages[first[0]]["content"][first[1]]["id"]
        found = refusal(request(messages))
        assert found is not None
        assert (found.rule, found.place) == ("call-ids-unique", f"messages.{at}.content.{n}")


roles = st.sampled_from(["user", "assistant", "system"]) | json_values
kinds = st.sampled_from(["text", "tool_use", "tool_result", "image", "thinking"]) | json_values
rubbish_blocks = st.fixed_dictionaries(
    {"type": kinds},
    optional={
        "text": json_values,
        "id": st.sampled_from(["a", "b"]) | json_values,
        "tool_use_id": st.sampled_from(["a", "b"]) | json_values,
        "name": st.just("f") | json_values,
        "input": st.just({}) | json_values,
        "content": json_values,
        "is_error": json_values,
        "cache_control": st.just({"type": "ephemeral"}) | json_values,
    },
)
rubbish = st.fixed_dictionaries(
    {}, optional={"role": roles, "content": json_values | st.lists(rubbish_blocks | json_values, max_size=4)}
)
steps = st.lists(st.lists(rubbish | json_values, max_size=3), max_size=4)


@given(st.one_of(conversations(split=True).map(lambda messages: [messages[:2], messages[2:]]), steps), st.booleans())
def test_an_appended_conversation_is_judged_as_a_fresh_one(added, strict):
    conversation = Conversation([])
    for messages in added:
        conversation.messages.extend(messages)
        grown = Request({**FIELDS, "messages": []}, conversation, len(conversation.messages))
        whole = request(list(conversation.messages))
        assert refusal(grown, strict_backend=strict) == refusal(whole, strict_backend=strict)


@given(steps)
def test_an_earlier_request_of_a_conversation_that_went_on_is_judged_by_its_own_messages(added):
    conversation = Conversation([message for messages in added for message in messages])
    for length in range(len(conversation.messages) + 1):
        early = Request({**FIELDS, "messages": []}, conversation, length)
        assert refusal(early) == refusal(request(conversation.messages[:length]))


names = [*FIELDS, "messages", "system", "tool_choice", "stop_sequences", "thinking", "output_config", "cache_control"]
rubbish_tools = st.fixed_dictionaries(
    {"name": st.just("f") | json_values},
    optional={
        "input_schema": st.just({"type": "object"})
        | st.fixed_dictionaries({"type": st.just("object"), "properties": json_values}),
        "strict": st.booleans() | json_values,
        "input_examples": json_values | st.lists(st.dictionaries(words, json_values), max_size=2),
    },
)
rubbish_fields = st.dictionaries(
    st.sampled_from(names) | words,
    json_values | st.lists(rubbish_tools, max_size=2) | st.just({"type": "any"}),
    max_size=4,
)


@given(rubbish_fields, st.lists(rubbish, max_size=3), st.booleans())
def test_no_json_of_any_shape_raises(fields, messages, counting):
    refusal(Request.of({**FIELDS, "messages": messages, **fields}), counting=counting)
    refusal(Request.of(fields), counting=counting)


@pytest.mark.parametrize("levels", [300, 5_000])
def test_what_is_nested_too_deeply_for_json_does_not_raise(levels):
    schema: Any = {"type": "object"}
    value: Any = {}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
        value = {"a": value}
    tools = [{"name": "f", "input_schema": schema, "input_examples": [value]}]
    asked = {"type": "tool_use", "id": "a", "name": "f", "input": value}
    messages = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": [asked]}]
    assert refusal(request(messages)) is not None
    assert refusal(request(messages, tools=tools)) is not None
