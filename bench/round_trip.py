"""A round trip in process: the scripted model, the counting and the recording, against the bare SDK."""

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any

from askless.client import connect
from askless.ladder import Agent
from askless.model.scripted import Scripted
from askless.record import Recorder
from askless.service import Service
from bench.agents import bare_sdk, order_desk, replies_of, worked
from bench.figure import Figure, fresh, in_turn

ROUNDS = 300
RUNGS = (0, 1)


def figures() -> Iterator[Figure]:
    """The worked rungs v0 and v1 on the shown desk, 11 round trips in all."""
    for rung, (lab, bare) in zip(RUNGS, fresh(legs, RUNGS), strict=True):
        yield Figure(
            f"v{rung} in process", lab / bare, 1.25, "the same loop on the bare SDK, nothing parsed or recorded"
        )


def legs(rungs: list[int]) -> list[tuple[float, float]]:
    """For each rung, the CPU seconds of a run in the lab and on the bare SDK; in one interpreter."""
    return [_pair(worked(rung)) for rung in rungs]


def _pair(agent: Agent) -> tuple[float, float]:
    recorder = Recorder()
    _seconds(agent, _lab(recorder))
    replies = replies_of(recorder.trace())
    legs = {"lab": lambda: _seconds(agent, _lab(Recorder())), "bare SDK": lambda: _seconds(agent, bare_sdk(replies))}
    seconds = in_turn(ROUNDS, legs)
    return median(seconds["lab"]), median(seconds["bare SDK"])


def _lab(recorder: Recorder) -> Any:
    return connect(Service(Scripted(order_desk().script())), recorder)


def _seconds(agent: Agent, client: Any) -> float:
    shown = order_desk().desk(None)
    start = process_time()
    agent(client, shown, shown.question)
    return process_time() - start
