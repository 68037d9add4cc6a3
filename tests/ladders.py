"""The tasks, their rungs and the rungs' runs, each run once, for tests."""

from functools import cache

from askless import ladder, task
from askless.check.target import Target, met
from askless.task import Desk, Numbers, Rung, Task
from askless.trace import Trace

TASKS = task.names()
RUNGS = [(name, rung.name) for name in TASKS for rung in task.load(name).rungs if rung.worked]
STEPS = [(name, rung.number) for name in TASKS for rung in task.load(name).rungs if rung.worked and rung.number]


@cache
def load(name: str) -> Task:
    return task.load(name)


@cache
def run(name: str, rung: str) -> Trace:
    return ladder.run(load(name), rung)


def numbers_on(desk: Desk, of: Task) -> dict[str, Numbers]:
    """What each worked rung measures on a desk."""
    return {rung.name: of.measure(ladder.run_plain(of, rung.name, desk)) for rung in of.rungs if rung.worked}


def reaches(numbers: Numbers, rung: Rung, target: Numbers | None) -> bool:
    return met(numbers, Target(rung.name, target or {}))
