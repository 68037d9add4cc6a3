"""Judging many learners' agents, isolated and with their limits, against the ways that are plain."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from time import perf_counter

from askless import ladder
from askless.judge.room import Room
from askless.judge.sandbox import Sandbox
from askless.model.scripted import Scripted
from askless.service import Service
from askless.task import Task
from bench.agents import order_desk
from bench.figure import Figure, fresh, in_turn
from bench.graders import present

ROUNDS = 3
WORKERS = 2
RUNS = 40  # by each worker
FRESH_RUNS = 2
SUBMISSIONS = 2  # by each worker, after one that does not count
PEER_LIMIT = 1 / 10  # twice what was seen (0.041 and 0.051, one round on a busy machine): a kernel's start varies
RUNG = "v3"
REQUESTS = 200

FRESH = f"from askless import ladder, task; ladder.run(task.load({order_desk().name!r}), {RUNG!r})"


def figures() -> Iterator[Figure]:
    """Wall-clock seconds for a run of a worked agent; two workers judge, or start interpreters."""
    legs: dict[str, Callable[[], float]] = {
        "judged": partial(fresh, judged),
        "a fresh interpreter each": in_interpreters,
        "in process": partial(fresh, in_process),
    }
    peers = {f"a submission graded by {grader.name}": grader for grader in present()}
    legs |= {name: partial(grader.seconds, WORKERS, SUBMISSIONS) for name, grader in peers.items()}
    own, interpreter, bare, *others = (sorted(seconds)[ROUNDS // 2] for seconds in in_turn(ROUNDS, legs).values())
    yield Figure("a run judged in isolation", own / interpreter, 1 / 20, "a fresh interpreter that imports the SDK")
    yield Figure("a run judged in isolation", own / bare, 5.0, "the same run in process, with nothing around it")
    for name, other in zip(peers, others, strict=True):
        yield Figure("a run judged in isolation", own / other, PEER_LIMIT, name)


def judged() -> float:
    """By workers with a sandbox each, both warm."""
    with ExitStack() as opened:
        sandboxes = [opened.enter_context(Sandbox(isolated=True)) for _ in range(WORKERS)]
        act = partial(_judge, order_desk())
        for sandbox in sandboxes:
            act(sandbox)
        return _seconds(WORKERS * RUNS, lambda: _by_all(sandboxes, act))


def _by_all(sandboxes: list[Sandbox], act: Callable[[Sandbox], None]) -> None:
    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(lambda sandbox: [*map(act, [sandbox] * RUNS)], sandboxes))


def _judge(task: Task, sandbox: Sandbox) -> None:
    """One run, counted and compared as practice does."""
    worked = task.rung(RUNG).worked
    assert worked
    room = Room(str(worked), worked.read_bytes(), task.desk(), Service(Scripted(task.script())), REQUESTS)
    end = sandbox.run(room)
    assert (end.how, end.status) == ("exited", 0), (end, room.fault)
    assert room.outcome
    trace = room.recorder.trace(answer=room.outcome.text)
    assert task.measure(trace)["round_trips"] == trace.totals.round_trips


def in_interpreters() -> float:
    """As many workers, an interpreter for each run."""
    command = [sys.executable, "-c", FRESH]
    with ThreadPoolExecutor(WORKERS) as workers:
        start = lambda _: subprocess.run(command, check=True)  # noqa: E731
        return _seconds(WORKERS * FRESH_RUNS, lambda: list(workers.map(start, range(WORKERS * FRESH_RUNS))))


def in_process() -> float:
    """One after the other in one interpreter."""
    task = order_desk()
    ladder.run(task, RUNG)
    return _seconds(RUNS, lambda: [ladder.run(task, RUNG) for _ in range(RUNS)])


def _seconds(runs: int, act: Callable[[], object]) -> float:
    start = perf_counter()
    act()
    return (perf_counter() - start) / runs
