"""The recorder: exchanges in, a Trace out."""

from typing import Any

from bodies import COMPACT, QUESTION, call, messages, page_bodies, result, sent
from hypothesis import given
from hypothesis import strategies as st

from askless.api.parts import chars, tokens
from askless.api.wire import Wire
from askless.record import Exchange, Recorder
from askless.trace import Trace

OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def recorded(bodies: list[Any], statuses: dict[int, int] | None = None, replies: dict[int, Any] | None = None) -> Trace:
    """A trace of bodies that came over one wire; every status is 200 and every reply empty unless said."""
    wire, recorder = Wire(), Recorder()
    for index, body in enumerate(bodies):
        reply = (replies or {}).get(index, {})
        recorder.record(Exchange(wire.read(sent(body, **COMPACT)), (statuses or {}).get(index, 200), reply))
    return recorder.trace()


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def test_the_pages_808_reads_as_170_and_260_and_378():
    trace = recorded(page_bodies())
    assert [trace.new_tokens(i) for i in range(3)] == [[170], [170, 260], [170, 260, 378]]
    assert trace.totals.input_tokens == 170 + 430 + 808


def test_each_part_says_which_request_first_sent_it():
    trace = recorded(page_bodies())
    assert [(p.part.kind, p.first_sent) for p in trace.parts(2)] == [
        ("user", 1),
        ("assistant", 2),
        ("results", 2),
        ("assistant", 3),
        ("results", 3),
        ("tools", 1),
        ("rest", 1),
    ]


def test_a_retry_has_the_same_number_and_the_next_attempt_and_its_tokens_count_again():
    first, second, third = page_bodies()
    trace = recorded([first, second, second, second, third], {1: 529, 2: 0})
    assert [(t.n, t.attempt, t.status) for t in trace.round_trips] == [
        (1, 1, 200),
        (2, 1, 529),
        (2, 2, 0),
        (2, 3, 200),
        (3, 1, 200),
    ]
    assert trace.totals.failed_requests == 2
    assert trace.totals.input_tokens == 170 + 3 * 430 + 808
    assert [trace.new_tokens(i) for i in range(5)] == [[170], *[[170, 260]] * 3, [170, 260, 378]]


def test_a_stream_cut_before_its_stop_reason_is_a_failure_and_what_follows_a_retry():
    first = page_bodies()[0]
    begun = {"content": [], "stop_reason": None, "usage": {"output_tokens": 1}}
    trace = recorded([first, first], replies={0: begun, 1: {**begun, "stop_reason": "end_turn"}})
    assert [(trip.n, trip.attempt, trip.cut, trip.failed) for trip in trace.round_trips] == [
        (1, 1, True, True),
        (1, 2, False, False),
    ]
    assert trace.totals.failed_requests == 1


def test_the_same_body_after_a_success_is_a_new_request():
    first = page_bodies()[0]
    assert [trip.n for trip in recorded([first, first]).round_trips] == [1, 2]


def test_another_limit_or_model_after_a_failure_is_a_new_request():
    first = page_bodies()[0]
    trace = recorded([first, {**first, "max_tokens": 1}, {**first, "max_tokens": True}], {0: 429, 1: 429, 2: 429})
    assert [trip.n for trip in trace.round_trips] == [1, 2, 3]
    assert [trace.body(i)["max_tokens"] for i in range(3)] == [1024, 1, True]
    assert trace.body(2)["max_tokens"] is True


def test_trimmed_history_is_split_by_the_requests_that_first_sent_what_is_left():
    body = {"model": "m", "messages": [user("a" * 400)]}
    longer = {**body, "messages": [*body["messages"], {"role": "assistant", "content": "b" * 400}, user("c" * 400)]}
    trimmed = {**body, "messages": [user("c" * 400), user("d" * 400)]}
    trace = recorded([body, longer, trimmed])
    split = trace.new_tokens(2)
    assert sum(split) == trace.round_trips[2].input_tokens
    assert min(split[1:]) > 100
    assert split[0] < 20  # of the first request only the frame is left


def test_the_same_words_said_twice_in_one_conversation_are_two_messages():
    body = {"model": "m", "messages": [user("go on")]}
    again = {**body, "messages": [user("go on"), {"role": "assistant", "content": "?"}, user("go on")]}
    assert [part.first_sent for part in recorded([body, again]).parts(1)][:3] == [1, 2, 2]


def test_a_call_carries_the_result_that_a_later_request_gave_it():
    asked = call(1, "get_orders", customer_id="C4")
    body = {"messages": [user(QUESTION)]}
    answered = {
        "messages": [
            user(QUESTION),
            {"role": "assistant", "content": [asked]},
            {"role": "user", "content": [result(asked, "'C4' not found", is_error=True)]},
        ]
    }
    trace = recorded([body, answered], replies={0: {"content": [asked]}, 1: {"content": [call(2, "get_orders")]}})
    (done,), (open_call,) = (trip.calls for trip in trace.round_trips)
    assert (done.result, done.is_error, open_call.result) == ("'C4' not found", True, None)
    assert trace.totals.tool_calls == 2


def test_calls_that_an_agent_made_up_count_for_nothing():
    assert recorded(page_bodies()).totals.tool_calls == 0


bodies = st.lists(messages, min_size=1, max_size=4).map(lambda said: {"model": "m", "messages": said})


@given(st.lists(bodies, min_size=1, max_size=6), st.data())
def test_any_run_can_be_read_back_from_its_trace_and_every_split_adds_up(runs, data):
    sequence = data.draw(st.lists(st.sampled_from(runs).flatmap(_cut), min_size=1, max_size=8))
    statuses = {index: data.draw(st.sampled_from([200, 400, 529])) for index in range(len(sequence))}
    trace = recorded(sequence, statuses)
    for index, body in enumerate(sequence):
        trip = trace.round_trips[index]
        assert trace.body(index) == body
        assert sum(sent.part.chars for sent in trace.parts(index)) == trip.chars
        assert sum(trace.new_tokens(index)) == trip.input_tokens == tokens(trip.chars)
        assert all(count >= 0 for count in trace.new_tokens(index))


def _cut(body: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.integers(1, len(body["messages"])).map(lambda n: {**body, "messages": body["messages"][:n]})


def test_chars_of_a_trace_are_chars_of_the_requests():
    wire = Wire()
    trace = recorded(page_bodies())
    assert [t.chars for t in trace.round_trips] == [chars(wire.read(sent(b))) for b in page_bodies()]
