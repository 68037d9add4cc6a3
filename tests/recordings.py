"""Traces of every shape a recorder can make, for tests."""

from typing import Any

from bodies import COMPACT, call, fields, json_values, messages, result, sent, texts
from hypothesis import strategies as st

from askless.api.wire import Wire
from askless.record import Exchange, Recorder
from askless.trace import Trace

NAMES = ("get_orders", "get_status")
calls = st.builds(call, st.integers(1, 9), st.sampled_from(NAMES), customer_id=texts)
results = st.builds(result, calls, json_values, is_error=st.booleans())
replies = st.fixed_dictionaries(
    {
        "content": st.lists(calls | json_values, max_size=3),
        "stop_reason": st.sampled_from(["tool_use", None]),
        "usage": st.just({"output_tokens": 7}),
    }
)
spoken = messages | st.fixed_dictionaries({"role": st.just("user"), "content": st.lists(results, max_size=2)})
served = st.fixed_dictionaries(
    {},
    optional={
        "delay_s": st.sampled_from([0.0, 2.5]),
        "retry_after_s": st.sampled_from([None, 0.0, 7.0]),
        "batch": st.sampled_from([None, "msgbatch_1"]),
    },
)
headers = st.fixed_dictionaries(
    {
        "task": texts,
        "rung": texts,
        "model": st.sampled_from(["scripted", "live", "replay", "other"]),
        "question": texts,
        "answer": st.none() | texts,
        "answer_right": st.none() | st.booleans(),
    }
)


@st.composite
def bodies(draw: Any) -> list[Any]:
    """Requests of up to two agents that append, resend, forget, or send rubbish."""
    held: list[list[Any]] = [[], []]
    made: list[Any] = []
    for _ in range(draw(st.integers(0, 6))):
        who = draw(st.integers(0, 1))
        kept = draw(st.integers(0, len(held[who])))
        held[who] = [*(held[who] if draw(st.booleans()) else held[who][kept:]), *draw(st.lists(spoken, max_size=2))]
        rubbish = draw(st.integers(0, 9)) == 0
        made.append({**draw(fields), "messages": draw(json_values) if rubbish else list(held[who])})
    return made


@st.composite
def traces(draw: Any) -> Trace:
    """What a recorder can make of any requests and any replies."""
    wire, recorder = Wire(), Recorder()
    for body in draw(bodies()):
        status = draw(st.sampled_from([200, 200, 529, 400, 0]))
        reply = draw(replies) if status == 200 else {}
        recorder.record(Exchange(wire.read(sent(body, **COMPACT)), status, reply, **draw(served)))
    return recorder.trace(**draw(headers))
