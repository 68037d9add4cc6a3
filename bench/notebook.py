"""What a learner waits for in a notebook whose kernel is warm, and for its first cell."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import StringIO
from statistics import median
from time import perf_counter, process_time
from typing import Any

from askless.ladder import Agent
from bench.agents import order_desk
from bench.figure import Figure, fresh, in_turn

RUNS, REVEALS, STARTS = 100, 25, 7
RUNGS = ("v0", "v1", "v3")
FIRST_CELL = "from askless.show.notebook import compare, desk, interview, ladder, practice, predict, progress, reveal"


def figures() -> Iterator[Figure]:
    """CPU seconds in one interpreter each; for the first cell, wall-clock seconds of fresh ones."""
    measured, revealed = fresh(measure), fresh(reveal)
    yield Figure("v0, v1 and v3 measured again", measured["lab"] / measured["raw"], 1.15, "the raw SDK loop")
    yield Figure(
        "reveal of v0, figure included", revealed["lab"] / revealed["bare"], 2.0, "a bare savefig of as many bars"
    )
    legs = {name: partial(_start, name) for name in (FIRST_CELL, "import matplotlib, ipywidgets")}
    seconds = in_turn(STARTS, legs)
    lab, floor = (median(seconds[name]) for name in (FIRST_CELL, "import matplotlib, ipywidgets"))
    yield Figure("first cell", lab / floor, 1.3, "import matplotlib, ipywidgets")


def _start(program: str) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return perf_counter() - start


def _seconds(act: Callable[[], object]) -> float:
    start = process_time()
    act()
    return process_time() - start


def _medians(rounds: int, legs: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    for act in legs.values():
        act()
    seconds = in_turn(rounds, {name: partial(_seconds, act) for name, act in legs.items()})
    return {name: median(each) for name, each in seconds.items()}


def measure() -> dict[str, float]:
    """A run of each rung in the lab, and in the SDK alone with the same scripted model behind it."""
    from askless import ladder

    task = order_desk()
    agents = {rung: ladder.load_agent(path) for rung in RUNGS if (path := task.rung(rung).worked)}
    return _medians(RUNS, {"lab": lambda: [ladder.run(task, rung) for rung in RUNGS], "raw": partial(_raw, agents)})


def _raw(agents: dict[str, Agent]) -> None:
    task = order_desk()
    shown = task.desk()
    for agent in agents.values():
        agent(_raw_client(task.script()), shown, shown.question)


def _raw_client(script: Any) -> Any:
    """The SDK over a transport that parses a body, asks the model, and answers: nothing is checked, counted or kept."""
    from anthropic import Anthropic
    from httpx2 import Client, MockTransport, Response

    from askless.api.conversation import Request
    from askless.model.scripted import Scripted

    model = Scripted(script)
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": "msg",
        "type": "message",
        "role": "assistant",
        "model": "any",
        "stop_sequence": None,
        "usage": usage,
    }

    def answer(request: Any) -> Any:
        reply = model(Request.of(json.loads(request.content)))
        return Response(200, json={**message, "content": list(reply.content), "stop_reason": reply.stop_reason})

    return Anthropic(api_key="none", base_url="http://lab", http_client=Client(transport=MockTransport(answer)))


def reveal() -> dict[str, float]:
    """A reveal of v0 with a wrong prediction, and as many bars drawn with nothing else."""
    from askless import ladder
    from askless.learn.prediction import Prediction
    from askless.learn.progress import Progress
    from askless.show import revealed
    from askless.show.segments import segments

    task = order_desk()
    kept = Progress().commit("v0", Prediction(11, 10, 1408, {"round_trips": 80})).show("v0", "v1")
    bars = [piece for rung in ("v0", "v1") for piece in segments(ladder.run(task, rung))]
    legs = {
        "lab": lambda: revealed.shown(task, task.rung("v0"), kept),
        "bare": lambda: _bare([piece.tokens for piece in bars]),
    }
    return _medians(REVEALS, legs)


def _bare(heights: list[int]) -> None:
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet()
    sheet.subplots().bar(range(len(heights)), heights)
    sheet.savefig(StringIO(), format="svg")
