"""Runs that say the same to a model are answered once, and none otherwise than it would be alone."""

import json
import re
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_desk import ANSWER, model, run, v1
from test_scripted_properties import RESULTS, babbling

from askless.api.conversation import Request
from askless.model import Reply
from askless.model.scripted import Scripted
from askless.serve import alike
from askless.serve.alike import Alike

IDS = re.compile(r"toolu_\d+_\w+")
shared = Alike(model())  # by all examples, as by all runs of a server


class Counted:
    """A model that counts what it is asked."""

    def __init__(self, answers: Scripted[Any]) -> None:
        self.asked = 0
        self._answers = answers

    def __call__(self, request: Request) -> Reply:
        self.asked += 1
        return self._answers(request)


def renamed(body: dict[str, Any], prefix: str) -> dict[str, Any]:
    """A body whose calls have other ids, as those of another client."""
    return json.loads(IDS.sub(lambda id_: f"{prefix}{id_[0][::-1]}", json.dumps(body)))


def turned(body: dict[str, Any], by: int) -> dict[str, Any]:
    """A body whose results answer other calls of the same reply."""
    other = deepcopy(body)
    for message in other["messages"]:
        results = [block for block in message["content"] if isinstance(block, dict) and "tool_use_id" in block]
        ids = [block["tool_use_id"] for block in results]
        for at, block in enumerate(results):
            block["tool_use_id"] = ids[(at + by) % len(ids)]
    return other


@given(RESULTS, st.booleans(), st.integers(0, 3), st.sampled_from(["call-", "toolu_0001", "toolu_1x"]))
@settings(max_examples=50)
def test_every_run_is_answered_as_it_would_be_alone(results: list[Any], split: bool, by: int, prefix: str) -> None:
    for body in run(babbling(results), split=split, most_trips=12).bodies:
        for other in (body, turned(body, by), renamed(body, prefix), renamed(turned(body, by), prefix)):
            assert shared(Request.of(other)) == model()(Request.of(other))


def test_runs_that_differ_only_in_the_ids_of_calls_ask_once() -> None:
    counted = Counted(model())
    answers, bodies = Alike(counted), run(v1()).bodies
    for client in range(5):
        replies = [answers(Request.of(renamed(body, f"client{client}-"))) for body in bodies]
        assert replies[-1].content[0]["text"] == ANSWER
    assert counted.asked == len(bodies)


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body["messages"][0].update(content="For customers C1 and C2: the orders?"),
        lambda body: body["messages"][2]["content"][0].update(content="C1 has no orders"),
        lambda body: body["messages"][2]["content"][0].update(is_error=True),
        lambda body: body["messages"][1]["content"][0].update(name="get_status"),
        lambda body: body["messages"][1]["content"][0]["input"].update(customer_id="C9"),
        lambda body: body["tools"].pop(),
        lambda body: body.update(tool_choice={"type": "any"}),
        lambda body: body.update(max_tokens=20),
    ],
)
def test_what_a_run_says_otherwise_is_answered_for_itself(change: Any) -> None:
    counted = Counted(model())
    answers, body = Alike(counted), run(v1()).bodies[1]
    other = deepcopy(body)
    change(other)
    assert answers(Request.of(body)) == model()(Request.of(body))
    assert answers(Request.of(other)) == model()(Request.of(other))
    assert counted.asked == 2


def test_what_was_not_said_for_long_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "REMEMBERED", 2)
    counted = Counted(model())
    answers, bodies = Alike(counted), run(v1()).bodies
    for body in [*bodies[:2], bodies[0], bodies[2], bodies[0], bodies[1]]:
        answers(Request.of(body))
    assert counted.asked == 4


def test_a_long_reply_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "SHORT_CHARS", 10)
    counted = Counted(model())
    answers, body = Alike(counted), run(v1()).bodies[0]
    assert answers(Request.of(body)) == answers(Request.of(body))
    assert counted.asked == 2
