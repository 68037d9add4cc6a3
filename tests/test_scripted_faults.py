"""The order desk's model and an agent that minds its stop reasons get over every planned fault."""

import json
from typing import Any

import anthropic
import pytest
from bodies import page_bodies
from ladders import load

from askless.api.faults import Fault, Plan
from askless.client import connect
from askless.model.scripted import Scripted
from askless.record import Recorder
from askless.service import Service
from askless.trace import Trace

TASK = load("t01_fewer_tool_calls")
DESK = TASK.desk()
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
TOOLS: Any = [*page_bodies()[0]["tools"], SEARCH]
LOOK_UPS = {"get_orders": DESK.orders, "get_status": DESK.status}


def result(block: Any) -> dict[str, Any]:
    """What the desk says to a call, or an error that says what is wrong with it."""
    wrong = [f"{name} must be a string" for name, value in block.input.items() if not isinstance(value, str)]
    try:
        if block.name not in LOOK_UPS:
            raise KeyError(f"no tool is called {block.name}")
        if wrong:
            raise KeyError(wrong[0])
        return {"content": json.dumps(LOOK_UPS[block.name](*block.input.values()))}
    except KeyError as error:
        return {"content": str(error), "is_error": True}


def answer(client: anthropic.Anthropic) -> str:
    """A loop that runs no call of a reply that was not whole, and asks again."""
    messages: list[Any] = [{"role": "user", "content": DESK.question}]
    for _ in range(10):
        with client.messages.stream(model="claude-sonnet-5", max_tokens=1024, tools=TOOLS, messages=messages) as events:
            reply = events.get_final_message()
        if reply.stop_reason == "end_turn":
            return "".join(block.text for block in reply.content if block.type == "text")
        if reply.stop_reason in ("tool_use", "pause_turn"):
            calls = [block for block in reply.content if block.type == "tool_use"]
            results = [{"type": "tool_result", "tool_use_id": block.id, **result(block)} for block in calls]
            messages.append({"role": "assistant", "content": reply.content})
            messages += [{"role": "user", "content": results}] if results else []
    return ""


def run(*faults: Fault) -> tuple[str, Trace]:
    recorder = Recorder()
    with connect(Service(Scripted(TASK.script()), faults=Plan(faults)), recorder) as client:
        return answer(client), recorder.trace()


@pytest.mark.parametrize("request_number", [1, 2])
@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("slow", {"delay_s": 60}),
        ("status", {"status": 529}),
        ("cut_stream", {"after_events": 6}),
        ("refusal", {}),
        ("refusal", {"after_output": True}),
        ("max_tokens", {}),
        ("context_window", {}),
        ("pause_turn", {}),
        ("unknown_tool", {}),
        ("bad_input", {}),
    ],
)
def test_a_fault_costs_a_trip_and_the_answer_is_right(kind: Any, fields: dict[str, Any], request_number: int) -> None:
    said, trace = run(Fault(request_number, kind, **fields))
    assert TASK.is_right(DESK, said)
    assert trace.totals.round_trips == (3 if kind == "slow" else 4)


def test_an_error_of_a_tool_that_is_offered_is_still_read() -> None:
    said, trace = run()
    assert "C4: could not be found" in said
    assert trace.totals.tool_calls == 10


@pytest.mark.parametrize("kept", [True, False])
def test_a_conversation_is_refused_for_as_long_as_it_holds_a_refused_reply(kept: bool) -> None:
    messages: list[Any] = [{"role": "user", "content": "Which customers are there?"}]
    with connect(Service(Scripted(TASK.script()), faults=Plan((Fault(1, "refusal", after_output=True),)))) as client:
        for stops in ("refusal", "refusal" if kept else "end_turn", "refusal" if kept else "end_turn"):
            reply = client.messages.create(model="claude-sonnet-5", max_tokens=1024, messages=messages)
            assert reply.stop_reason == stops
            said: list[Any] = [
                {"role": "assistant", "content": reply.content or "-"},
                {"role": "user", "content": "On."},
            ]
            messages += said if kept else []
        assert client.messages.create(model="claude-sonnet-5", max_tokens=1024, messages=messages[:1]).content
