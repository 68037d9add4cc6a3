"""One agent against one rung: on the desk it knows, and on one drawn from the agent's own file."""

import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any

from askless import ladder
from askless.check.target import Target
from askless.errors import Problem
from askless.judge import ending
from askless.judge.ending import Ran
from askless.judge.noted import LookUp, Noted
from askless.judge.order import Ordered
from askless.judge.room import TIMEOUT_S, Room
from askless.judge.sandbox import End, Sandbox, never
from askless.judge.verdict import Scenario, Verdict
from askless.learn.progress import Last
from askless.model.scripted import Scripted
from askless.service import Service
from askless.task import Numbers, Rung, Task
from askless.trace import Trace

REQUESTS = 200  # the most that a run may send
SOURCE_BYTES = 1 << 20


class StoppedError(Exception):
    """The run was given up, as `stop` asked."""


class Ground:
    """A desk to run on. A rung's target there is worked out when it is asked for, from the worked rungs' runs."""

    def __init__(self, name: str, task: Task, desk: Any, measured: dict[str, Numbers]) -> None:
        self.name = name
        self.desk = desk
        self._task = task
        self._measured = measured

    def target(self, rung: Rung) -> Target:
        """A worked rung's target."""
        for needed in self._task.rungs[max(0, rung.number - 1) : rung.number + 1]:
            if needed.name not in self._measured:
                trace = ladder.run_plain(self._task, needed.name, self.desk)
                self._measured[needed.name] = self._task.measure(trace)
        return Target(rung.name, self._task.target(rung, self._measured))

    @cached_property
    def wanted(self) -> frozenset[LookUp]:
        """The look-ups that the answer takes."""
        noted = Noted(self.desk)
        ladder.run_plain(self._task, self._task.rungs[0].name, noted)
        return frozenset(noted.looked_up)

    def room(self, agent: Path, source: bytes, requests: int, timeout_s: float) -> Room:
        """Where an agent is run on this desk."""
        desk, service = Noted(self.desk, self.wanted), Service(Scripted(self._task.script()))
        return Room(str(agent), source, desk, service, requests, timeout_s, Ordered())

    def ran(self, room: Room, end: End) -> Ran:
        """What a run came to."""
        return ending.ran(self._task, self.name, room, end, partial(self._task.is_right, self.desk), self._task.measure)


@dataclass(frozen=True)
class Practice:
    """A verdict, and what is shown beside it: what the agent printed on the desk it knows, and its run there."""

    verdict: Verdict
    rung: Rung
    targets: tuple[Target, ...]  # one for each scenario
    highest: str | None  # the highest rung whose target is met everywhere
    output: str
    trace: Trace | None = None

    @property
    def last(self) -> Last:
        """What the learner's progress keeps of it."""
        findings = tuple(finding.id for finding in self.verdict.findings)
        return Last(self.rung.name, self.verdict.verdict, self.highest, findings)


def read(agent: Path) -> bytes:
    """An agent's source, as bytes. A Problem where the path cannot be read, or is no file."""
    try:
        kind = agent.stat().st_mode
        if not stat.S_ISREG(kind):
            what = "is a folder" if stat.S_ISDIR(kind) else "is not a file"
            raise Problem(f"{agent} {what}.", "name the file that holds your agent.")
        with agent.open("rb") as file:
            source = file.read(SOURCE_BYTES + 1)
    except FileNotFoundError:
        what = "is a link to a file that does not exist" if agent.is_symlink() else "does not exist"
        raise Problem(
            f"{agent} {what}.", "name the file that holds your agent, or restore it: askless reset."
        ) from None
    except OSError as error:
        raise Problem(f"{agent} cannot be read: {error.strerror}.", "make it readable, or name another file.") from None
    if len(source) > SOURCE_BYTES:
        raise Problem(f"{agent} is longer than {SOURCE_BYTES:,} bytes.", "name the file that holds your agent.")
    return source


def grounds(task: Task, source: bytes) -> tuple[Ground, ...]:
    """The shown desk, whose numbers are known, and one drawn from the agent's source."""
    known = {rung.name: rung.measured for rung in task.rungs if rung.measured}
    return Ground("shown", task, task.desk(), known), Ground("drawn", task, task.desk(sha256(source).digest()), {})


def practise(
    sandbox: Sandbox,
    task: Task,
    rung: Rung,
    agent: Path,
    *,
    timeout_s: float = TIMEOUT_S,
    requests: int = REQUESTS,
    stop: Callable[[], bool] = never,
) -> Practice:
    """Judge an agent. Raises Problem where its file cannot be read, StoppedError where `stop` became true meanwhile."""
    if rung.target is None:
        raise Problem(f"rung {rung.number} has no target.", "name a rung below it.")
    source = read(agent)
    desks = grounds(task, source)
    targets = tuple(ground.target(rung) for ground in desks)  # while the SDK is imported
    rooms = [ground.room(agent, source, requests, timeout_s) for ground in desks]
    ends = _run(sandbox, rooms, stop)
    if any(end.how == "stopped" for end in ends):
        raise StoppedError
    runs = [ground.ran(room, end) for ground, room, end in zip(desks, rooms, ends, strict=True)]
    verdict = Verdict(task.name, rung.name, targets[0].limits, tuple(_scenarios(runs, targets)))
    return Practice(verdict, rung, targets, _highest(task, runs, desks), runs[0].end.output, runs[0].trace)


def not_graded(task: Task, rung: Rung, fault: Exception) -> Practice:
    """The verdict where judging itself failed: it costs the learner nothing."""
    scenario = ending.not_run("shown", f"{type(fault).__name__}: {fault}")
    return Practice(Verdict(task.name, rung.name, {}, (scenario,)), rung, (Target(rung.name, {}),), None, "")


def _run(sandbox: Sandbox, rooms: list[Room], stop: Callable[[], bool]) -> list[End]:
    """All rooms at once, each run by a thread of its own."""
    interrupted = Event()
    sandbox.ready()  # here, where Ctrl-C is heard
    with ThreadPoolExecutor(len(rooms)) as pool:
        try:
            return list(pool.map(lambda room: sandbox.run(room, lambda: interrupted.is_set() or stop()), rooms))
        except BaseException:
            interrupted.set()
            raise


def _scenarios(runs: list[Ran], targets: tuple[Target, ...]) -> Iterator[Scenario]:
    first, *others = runs
    yield ending.shown(first, targets[0])
    for run, target in zip(others, targets[1:], strict=True):
        yield ending.held_back(run, target, first)


def _highest(task: Task, runs: list[Ran], desks: tuple[Ground, ...]) -> str | None:
    for rung in reversed(task.rungs):
        if rung.worked and all(run.meets(ground.target(rung)) for run, ground in zip(runs, desks, strict=True)):
            return rung.name
    return None
