"""What the page's script needs to explain a prediction: each rung's measured run, and the run each belief imagines.

Measured when the page is built; in the browser nothing runs but a comparison of numbers.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from askless.learn.belief import Belief
from askless.learn.retell import Imagined, as_measured
from askless.task import Task
from askless.trace import Trace

Data = dict[str, Any]


def data(task: Task, traces: Iterable[Trace]) -> Data:
    """A task's rungs, each with its runs as pairs of tool calls and input tokens, one pair a request."""
    beliefs = task.beliefs()
    return {
        "task": task.name,
        "rungs": {
            trace.rung: {"run": _pairs(as_measured(trace)), "beliefs": _told(trace, beliefs)} for trace in traces
        },
    }


def _told(trace: Trace, beliefs: Iterable[Belief]) -> list[Data]:
    """The beliefs under which this run would have gone another way."""
    run = as_measured(trace)
    imagined = [(belief, belief.imagine(trace)) for belief in beliefs]
    return [
        {"id": belief.id, "says": belief.says, "truth": belief.truth, "run": _pairs(own)}
        for belief, own in imagined
        if own != run
    ]


def _pairs(run: Sequence[Imagined]) -> list[tuple[int, int]]:
    return [(request.tool_calls, request.input_tokens) for request in run]
