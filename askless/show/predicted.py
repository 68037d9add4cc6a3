"""What the page's script needs to explain a prediction: each rung's measured run, and the run each belief imagines.

Measured when the page is built; in the browser nothing runs but a comparison of numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from askless.learn.belief import Belief, unchanged
from askless.learn.retell import Imagined, as_measured
from askless.show import lesson
from askless.show.reveal import neighbour
from askless.task import Task
from askless.trace import Trace

Data = dict[str, Any]


def data(task: Task, traces: Mapping[str, Trace]) -> Data:
    """A task's rungs, each with its runs as pairs of tool calls and input tokens, one pair a request.

    `tells` are the rungs whose numbers a rung's reveal shows, and `walked` those that the page itself does.
    """
    beliefs = task.beliefs()
    asked = lesson.told_by_reveals(task.page.read_text("utf-8"))
    return {
        "task": task.name,
        "names": [rung.name for rung in task.rungs],
        "walked": [name for name in traces if name not in asked],
        "rungs": {name: _rung(task, name, traces, beliefs) for name in traces},
    }


def _rung(task: Task, name: str, traces: Mapping[str, Trace], beliefs: Iterable[Belief]) -> Data:
    rung, trace = task.rung(name), traces[name]
    beside = neighbour(task, rung).name
    carried = [{**each, "needs": beside} for each in _told(trace, [unchanged(name, traces[beside])])]
    told = [*_told(trace, beliefs), *carried]
    return {"run": _pairs(as_measured(trace)), "beliefs": told, "tells": lesson.tells(task, name)}


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
