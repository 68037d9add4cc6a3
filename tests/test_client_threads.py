"""Several clients at once: in threads, over one service and over one each."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from bodies import call, result
from stand_in import DONE, first_body, saying

from askless.client import connect
from askless.model import Reply
from askless.plain import PlainClient
from askless.record import Recorder
from askless.service import Service
from askless.trace import Trace

AGENTS = 8
MODEL = saying(*(Reply((call(number, "get_orders", customer_id="C1"),), "tool_use") for number in range(6)), DONE)


@pytest.fixture(autouse=True)
def _hurry() -> Iterator[None]:
    """Threads that change places as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def agent(client: Any, question: str) -> None:
    """A run of seven requests."""
    messages: list[Any] = [{"role": "user", "content": question}]
    while (reply := client.messages.create(**first_body(messages=messages))).stop_reason == "tool_use":
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": [result({"id": block.id}, "[]") for block in reply.content]})


def alone(question: str) -> Trace:
    recorder = Recorder()
    agent(PlainClient(MODEL, recorder), question)
    return recorder.trace()


def run(service: Service, question: str, recorder: Recorder) -> Trace:
    with connect(service, recorder) as client:
        agent(client, question)
    return recorder.trace()


@pytest.mark.parametrize("questions", [["What is open?"] * AGENTS, [f"What is open, {n}?" for n in range(AGENTS)]])
def test_agents_at_once_leave_each_the_trace_of_one_alone(questions: list[str]) -> None:
    expected = [alone(question) for question in questions]
    with ThreadPoolExecutor(AGENTS) as pool:
        own = list(pool.map(lambda question: run(Service(MODEL), question, Recorder()), questions))
    assert own == expected
    shared = Service(MODEL)
    with ThreadPoolExecutor(AGENTS) as pool:
        together = list(pool.map(lambda question: run(shared, question, Recorder()), questions))
    assert together == expected


@pytest.mark.parametrize("same", [True, False])
def test_one_client_and_one_recorder_serve_agents_at_once(same: bool) -> None:
    questions = ["What is open?" if same else f"What is open, {n}?" for n in range(AGENTS)]
    recorder = Recorder()
    with connect(Service(MODEL), recorder) as client, ThreadPoolExecutor(AGENTS) as pool:
        list(pool.map(lambda question: agent(client, question), questions))
    trace = recorder.trace()
    counts = sorted(trip.chars for trip in trace.round_trips)
    assert counts == sorted(trip.chars for question in questions for trip in alone(question).round_trips)
    bodies = [trace.messages(index) for index in range(len(trace.round_trips))]
    assert sorted(map(len, bodies)) == sorted([1, 3, 5, 7, 9, 11, 13] * AGENTS)
    assert {str(body[0]["content"]) for body in bodies} == set(questions)
