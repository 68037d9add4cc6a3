"""Reading bodies off the wire: the same as json.loads, but the known prefix is not parsed again."""

import json

import pytest
from bodies import COMPACT, fields, messages, page_bodies, sent
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.api.depth import MOST_LEVELS
from askless.api.wire import REMEMBERED, Wire

styles = st.sampled_from([COMPACT, {}, {"indent": 1}, {"ensure_ascii": False}])


def test_a_resent_conversation_shares_the_messages_already_read():
    wire = Wire()
    first, second, third = (wire.read(sent(body, **COMPACT)) for body in page_bodies())
    assert first.conversation is second.conversation is third.conversation
    assert [request.length for request in (first, second, third)] == [1, 3, 5]
    assert third.messages == page_bodies()[2]["messages"]


@given(st.lists(st.tuples(fields, st.lists(messages, max_size=4)), min_size=1, max_size=5), styles, st.booleans())
def test_any_sequence_of_bodies_is_read_as_json_reads_it(requests, style, messages_first):
    wire = Wire()
    history: list[object] = []
    for frame, added in requests:
        history = [*history, *added]
        body = {"messages": history, **frame} if messages_first else {**frame, "messages": history}
        assert wire.read(sent(body, **style)).body == json.loads(sent(body, **style))


@given(st.lists(st.lists(messages, min_size=1, max_size=4), min_size=2, max_size=3 * REMEMBERED), st.data())
def test_interleaved_and_trimmed_conversations_are_told_apart(conversations, data):
    wire = Wire()
    for _ in range(2 * len(conversations)):
        conversation = data.draw(st.sampled_from(conversations))
        length = data.draw(st.integers(1, len(conversation)))
        body = {"model": "m", "messages": conversation[:length]}
        assert wire.read(sent(body, **COMPACT)).body == body


def test_a_field_given_twice_counts_with_its_last_value():
    data = b'{"model":"a","messages":[{"role":"user","content":"x"}],"model":"b"}'
    assert Wire().read(data).body == json.loads(data)


def test_messages_named_inside_another_value_are_not_the_messages():
    for body in (
        {"metadata": {"messages": [1]}, "messages": [{"role": "user", "content": "x"}]},
        {"system": 'say "messages":[', "messages": [{"role": "user", "content": "x"}]},
        {"messages": [{"role": "user", "content": [{"messages": []}]}]},
    ):
        wire = Wire()
        assert wire.read(sent(body)).body == body
        grown = {**body, "messages": [*body["messages"], {"role": "assistant", "content": "y"}]}
        assert wire.read(sent(grown)).body == grown


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b'"messages"',
        b"{",
        b'{"messages":[}',
        b'{"messages":[{}],}',
        b'{"messages":[{},]}',
        b'{"a":NaN}',
        b'{"messages":[NaN]}',
        b"\xff{}",
        b'{"messages":' + b"[" * 100_000,
        b'{"messages":[{}]} {}',
        b'{,"messages":[{}]}',
        b'{"a":1 "messages":[{}]}',
        b'{"a":1,,"messages":[{}]}',
        b'{"messages":[{}] "a":1}',
        '{"messages"\u00a0:[{}]}'.encode(),
        '{"messages":\u2003[{}]}'.encode(),
        b'{"messages":\x1c[{}]}',
    ],
)
def test_what_is_no_json_object_is_refused_with_a_value_error(data):
    with pytest.raises(ValueError, match=r".+"):
        Wire().read(data)


PIECES = [
    '"messages"',
    r'"mess\u0061ges"',
    ":",
    ",",
    "[",
    "]",
    "{",
    "}",
    "null",
    '"hi"',
    "1",
    "\\",
    '"',
    "\u00a0",
    "\u2028",
]
PIECES += ["\x0b", "\x1c", "\ufeff", " ", "\n", '{"role":"user","content":"x"}', r'"\u0000":null', '"messages":null,']


def read_by_json(data: bytes) -> object:
    """What the standard library reads, an object that holds no NaN; or None."""
    try:
        value = json.loads(data.decode(), parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        return None
    return value if isinstance(value, dict) else None


@settings(max_examples=400)
@given(st.data(), st.booleans(), styles)
def test_no_slip_in_a_body_is_read_otherwise_than_json_reads_it(data, known, style):
    first, second, third = page_bodies()
    wire = Wire()
    for body in (first, second) if known else ():
        wire.read(sent(body, **style))
    text = sent(third, **style).decode()
    for _ in range(data.draw(st.integers(1, 2))):
        near = [at for mark in ('"messages"', "[", "]") for at in (text.find(mark), text.rfind(mark))]
        at = max(0, data.draw(st.sampled_from(near)) + data.draw(st.sampled_from([0, 1, 10, 11, 12])))
        cut = data.draw(st.sampled_from([0, 0, 0, 1, 2, 12]))
        text = text[:at] + data.draw(st.sampled_from(PIECES)) + text[at + cut :]
    try:
        found = wire.read(text.encode()).body
    except ValueError:
        found = None
    assert found == read_by_json(text.encode())


def test_a_broken_body_leaves_the_known_conversation_as_it_was():
    wire = Wire()
    body = {"messages": [{"role": "user", "content": "x"}]}
    kept = wire.read(sent(body, **COMPACT))
    with pytest.raises(ValueError, match=r".+"):
        wire.read(b'{"messages":[{"role":"user","content":"x"},{"role":"user"')
    assert kept.messages == body["messages"]
    assert wire.read(sent(body, **COMPACT)).body == body


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("body", ['{{"max_tokens": {}, "messages": []}}', '{{"messages": [{{"role": {}}}]}}'])
def test_what_is_no_number_of_json_is_refused_wherever_it_stands(number, body):
    with pytest.raises(ValueError, match="is not JSON"):
        Wire().read(body.format(number).encode())


@given(st.integers(1, 2_000), st.sampled_from(["[]", '{"a":}']))
def test_what_nests_too_deeply_is_refused_wherever_it_stands_and_all_else_is_read(levels, pair):
    opening, closing = pair[:-1], pair[-1]
    deep = f"{opening * levels}0{closing * levels}"
    for body in (f'{{"messages": [{deep}]}}', f'{{"messages": [], "tools": {deep}}}', f'{{"tools": {deep}}}'):
        if levels < MOST_LEVELS:
            assert Wire().read(body.encode()).body == json.loads(body)
        elif levels > MOST_LEVELS + 2:
            with pytest.raises(ValueError, match="nested too deeply"):
                Wire().read(body.encode())
