"""The plain client: the same rules, counts and trace as through the SDK, without it."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import anthropic
import pytest
from bodies import call, json_values, result, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from stand_in import ASKED, DONE, MODEL, first_body, saying

from askless import ladder, task
from askless.client import connect
from askless.errors import Problem
from askless.model import Model, Reply
from askless.plain import PlainClient, Refused
from askless.record import Recorder
from askless.service import Service
from askless.trace import Trace

Act = Callable[[Any], None]
TOOLS = first_body()["tools"]


def plainly(model: Model, act: Act, **options: Any) -> Trace:
    recorder = Recorder()
    client = PlainClient(model, recorder, **options)
    act(client)
    client.verify()
    return recorder.trace()


def through_the_sdk(model: Model, act: Act, **options: Any) -> Trace:
    recorder = Recorder()
    with connect(Service(model, **options), recorder) as client:
        act(client)
    return recorder.trace()


def ask(client: Any, messages: list[Any], **fields: Any) -> Any:
    """One request; None when it is refused."""
    body = {"tools": TOOLS, "messages": messages, "model": "claude-sonnet-5", "max_tokens": 1024, **fields}
    try:
        return client.messages.create(**body)
    except (Refused, anthropic.APIStatusError):
        return None


words = texts.filter(str.strip)
inputs = st.dictionaries(words, json_values, max_size=2)
said = st.builds(lambda text: {"type": "text", "text": text}, words)
steps = st.sampled_from(["append", "split", "copy", "again", "bare", "shorter", "shorter copy", "new", "wider"])


@st.composite
def models(draw: st.DrawFn) -> Model:
    """A model of a few turns, each some text and some calls."""
    replies = []
    for turn in range(draw(st.integers(1, 3))):
        calls = [
            {**call(10 * turn + n, "get_orders"), "input": value}
            for n, value in enumerate(draw(st.lists(inputs, max_size=3)))
        ]
        replies.append(Reply((*draw(st.lists(said, max_size=1)), *calls), "tool_use" if calls else "end_turn"))
    return saying(*replies, DONE)


def conversation(client: Any, plan: list[tuple[str, str]]) -> None:
    """An agent that does all that an agent may do with its list of messages."""
    messages: list[Any] = [{"role": "user", "content": "What is open?"}]
    for at, (step, text) in enumerate(plan):
        reply = ask(client, messages, max_tokens=1024 + at * (step == "wider"))
        if reply is not None and step != "again":
            messages = gone_on(messages, reply, step, text)
    ask(client, messages)


def gone_on(messages: list[Any], reply: Any, step: str, text: str) -> list[Any]:
    """The messages of the next request."""
    answers = [result({"id": block.id}, text) for block in reply.content if block.type == "tool_use"]
    more: list[Any] = answers or [{"type": "text", "text": text}]
    users = [[block] for block in more] if step == "split" else [more]
    if step == "bare":  # calls without results: the next request is refused
        users = []
    messages = list(messages) if step in {"copy", "shorter copy"} else messages
    messages += [
        {"role": "assistant", "content": reply.content},
        *({"role": "user", "content": user} for user in users),
    ]
    if step in {"shorter", "shorter copy"}:
        del messages[1:-1]
    return [{"role": "user", "content": text}] if step == "new" else messages


@settings(max_examples=60, deadline=None)
@given(models(), st.lists(st.tuples(steps, words), min_size=1, max_size=7), st.booleans())
def test_any_conversation_leaves_the_same_trace_as_through_the_sdk(
    model: Model, plan: list[tuple[str, str]], strict: bool
) -> None:
    def act(client: Any) -> None:
        conversation(client, plan)

    assert plainly(model, act, strict_backend=strict) == through_the_sdk(model, act, strict_backend=strict)


@pytest.mark.parametrize("rung", [rung.name for rung in task.load("t01").rungs if rung.worked])
def test_a_worked_rung_leaves_the_same_trace_either_way(rung: str) -> None:
    order_desk = task.load("t01")
    assert ladder.run_plain(order_desk, rung) == ladder.run(order_desk, rung)


def test_a_reply_reads_like_the_sdk_s() -> None:
    reply = PlainClient(MODEL, Recorder()).messages.create(**first_body())
    assert (reply.stop_reason, reply.usage.input_tokens, reply.content[1].input) == ("tool_use", 170, ASKED[0]["input"])
    assert [block.type for block in reply.content] == ["text", "tool_use", "tool_use"]
    assert not hasattr(reply, "colour")


def test_a_refusal_is_raised_with_the_api_s_envelope_and_recorded() -> None:
    recorder = Recorder()
    with pytest.raises(Refused, match="400: messages") as caught:
        PlainClient(MODEL, recorder).messages.create(**first_body(messages=[]))
    assert caught.value.status == 400
    assert caught.value.envelope == recorder.trace().round_trips[0].reply


@pytest.mark.parametrize("change", [{"messages": "hi"}, {"messages": None}, {"model": "gpt-5"}, {"max_tokens": None}])
def test_a_body_of_the_wrong_shape_is_refused_as_the_service_refuses_it(change: dict[str, Any]) -> None:
    body = first_body(**change)
    answer = Service(MODEL).post(
        "/v1/messages", {"x-api-key": "k", "anthropic-version": "v"}, json.dumps(body).encode()
    )
    assert answer.exchange
    with pytest.raises(Refused) as caught:
        PlainClient(MODEL, Recorder()).messages.create(**body)
    assert caught.value.envelope["error"] == answer.exchange.reply["error"]


@pytest.mark.parametrize("change", [{"stream": True}, {"thread": {"type": "create"}}])
def test_what_only_the_sdk_s_client_does_is_a_type_error(change: dict[str, Any]) -> None:
    recorder = Recorder()
    with pytest.raises(TypeError):
        PlainClient(MODEL, recorder).messages.create(**first_body(**change))
    assert len(recorder) == 0


def test_each_message_of_a_growing_list_is_read_once() -> None:
    looks = [Reply((call(number, "get_orders", customer_id="C1"),), "tool_use") for number in range(50)]
    recorder = Recorder()
    client = PlainClient(saying(*looks, DONE), recorder)
    messages: list[Any] = first_body()["messages"]
    while (reply := ask(client, messages)).stop_reason == "tool_use":
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": [result(reply.content[0], "[]")]})
    assert [len(trip.added) for trip in recorder.trace().round_trips] == [1, *[2] * 50]


def replace_an_early_message(messages: list[Any]) -> None:
    messages[0] = {"role": "user", "content": "Something else."}


def edit_an_early_message(messages: list[Any]) -> None:
    messages[0]["content"] = "Something else."


@pytest.mark.parametrize("edit", [replace_an_early_message, edit_an_early_message])
def test_history_edited_in_place_is_found_at_the_end(edit: Callable[[list[Any]], None]) -> None:
    client = PlainClient(MODEL, Recorder())
    messages: list[Any] = [*first_body()["messages"], {"role": "user", "content": "Today's."}]
    reply = ask(client, messages)
    messages += [
        {"role": "assistant", "content": reply.content},
        {"role": "user", "content": [result(block, "[]") for block in reply.content if block.type == "tool_use"]},
    ]
    edit(messages)
    ask(client, messages)
    with pytest.raises(Problem, match="edited messages"):
        client.verify()


def test_an_untouched_history_is_left_in_peace() -> None:
    client = PlainClient(MODEL, Recorder())
    ask(client, first_body()["messages"])
    client.verify()


def test_the_sdk_and_http_stay_out() -> None:
    heavy = "{'anthropic', 'httpx2', 'pydantic'} & set(sys.modules)"
    seen = f"import askless.plain, askless.service, sys; print(sorted({heavy}))"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
