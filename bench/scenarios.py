"""The production rung's twenty scenarios in process, against the same agent on the bare SDK with the same replies."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from askless import ladder
from askless.answer import AT_ONCE
from askless.client import connect
from askless.model.scripted import Scripted
from askless.record import Recorder
from askless.scenario import Scenario
from askless.service import Service
from askless.trace import NO_RESPONSE, RoundTrip, Trace
from bench.agents import order_desk
from bench.figure import Figure, fresh, in_turn

ROUNDS = 9
SOLUTION = Path(__file__).parent.parent / "tests" / "t01_fewer_tool_calls" / "rung4_reference.py"


def figures() -> Iterator[Figure]:
    """CPU seconds of all twenty runs; what the SDK waits between two attempts is in neither."""
    lab, bare = fresh(legs)
    yield Figure("twenty scenarios in process", lab / bare, 3, "the same runs on the bare SDK, its replies at hand")


def legs() -> tuple[float, float]:
    """The CPU seconds of the twenty in the lab and on the bare SDK; in one interpreter."""
    agent, scenarios = ladder.load_agent(SOLUTION), order_desk().scenarios()
    traces = [_recorded(agent, scenario) for scenario in scenarios]

    def lab() -> float:
        return sum(_seconds(agent, scenario, partial(_lab, scenario, Recorder())) for scenario in scenarios)

    def bare() -> float:
        return sum(_seconds(agent, run, partial(_bare, trace)) for run, trace in zip(scenarios, traces, strict=True))

    seconds = in_turn(ROUNDS, {"lab": lab, "bare SDK": bare})
    return median(seconds["lab"]), median(seconds["bare SDK"])


def _recorded(agent: ladder.Agent, scenario: Scenario) -> Trace:
    recorder = Recorder()
    _seconds(agent, scenario, partial(_lab, scenario, recorder))
    return recorder.trace()


def _lab(scenario: Scenario, recorder: Recorder) -> Any:
    service = Service(Scripted(order_desk().script()), faults=scenario.faults)
    return connect(service, recorder)


def _bare(trace: Trace) -> Any:
    """The SDK's client over a transport that gives a run's replies again, its failures included."""
    from anthropic import Anthropic
    from httpx2 import Client, MockTransport, ReadError, Response

    replies = iter([(trip.status, json.dumps(trip.reply).encode(), _headers(trip)) for trip in trace.round_trips])

    def answer(_: Any) -> Response:
        status, body, headers = next(replies)
        if status == NO_RESPONSE:
            raise ReadError("the connection broke")
        return Response(status, content=body, headers=headers)

    http = Client(transport=MockTransport(answer))
    return Anthropic(api_key="none", base_url="http://lab", http_client=http)


def _headers(trip: RoundTrip) -> dict[str, str]:
    return {"content-type": "application/json", **(AT_ONCE if trip.failed else {})}


def _seconds(agent: ladder.Agent, scenario: Scenario, made: Callable[[], Any]) -> float:
    """A run, its client's making included."""
    desk = scenario.desk()
    start = process_time()
    agent(made(), desk, desk.question)
    return process_time() - start
