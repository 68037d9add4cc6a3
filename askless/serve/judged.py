"""A run over HTTP against a rung's target: what its model was asked, and what its desk was.

The server sees both: every look-up that the answer takes, made before it, and its facts in the results of calls.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from askless import ladder
from askless.check import honest
from askless.check import target as check
from askless.check.evidence import key, with_made
from askless.check.suspects import suspects
from askless.check.target import Finding, Target
from askless.judge.noted import LookUp, Noted
from askless.judge.practice import Practice
from askless.judge.verdict import Scenario, Verdict
from askless.record import blocks
from askless.serve.runs import Run
from askless.task import Numbers, Rung, Task
from askless.trace import Trace

GROUNDS = 64  # desks whose targets are remembered
SHOWN_LOOK_UPS = 3


@dataclass(frozen=True)
class Ground:
    """What the worked rungs do on a desk: the target of each, by its name, and what has to be looked up."""

    targets: dict[str, Target]
    needed: tuple[LookUp, ...]


class Judge:
    """Judges the runs of one task."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._grounds: dict[str | None, Ground] = {}  # by seed

    def judge(self, run: Run, rung: Rung) -> Practice:
        """A run so far, with its verdict on a rung that has a worked version."""
        trace, ground = run.trace(self._task), self._ground(run.seed)
        target, measured = ground.targets[rung.name], self._task.measure(trace)
        is_right = partial(self._task.is_right, run.desk.noted)
        missing = list(_missing(trace, run, ground)) or honest.findings(trace, run.desk.given, run.desk.left, is_right)
        findings = (*missing, *suspects(trace), *check.findings(measured, target))
        reached = not missing and check.met(measured, target)
        name = "shown" if run.seed is None else "drawn"
        scenario = Scenario(name, "reached" if reached else "missed", measured, findings)
        highest = None if missing else self._highest(measured, ground)
        return Practice(Verdict(self._task.name, rung.name, target.limits, (scenario,)), rung, (target,), highest, "")

    def _highest(self, measured: Numbers, ground: Ground) -> str | None:
        met = [name for name, target in ground.targets.items() if check.met(measured, target)]
        return met[-1] if met else None

    def _ground(self, seed: str | None) -> Ground:
        ground = self._grounds.get(seed) or _measured(self._task, seed)
        self._grounds[seed] = ground
        if len(self._grounds) > GROUNDS:
            self._grounds.pop(next(iter(self._grounds)), None)  # another thread may have done so
        return ground


def _measured(task: Task, seed: str | None) -> Ground:
    desk = Noted(task.desk(None if seed is None else seed.encode()))
    worked = [rung for rung in task.rungs if rung.worked]
    numbers = {rung.name: task.measure(ladder.run_plain(task, rung.name, desk)) for rung in worked}
    limits = {rung.name: rung.target if seed is None else task.target(rung, numbers) for rung in worked}
    return Ground({name: Target(name, limit or {}) for name, limit in limits.items()}, tuple(desk.looked_up))


def _missing(trace: Trace, run: Run, ground: Ground) -> Iterator[Finding]:
    """Why what was seen is no evidence of a whole run."""
    if trace.answer is None:
        what = "the model never gave an answer: no reply ended its turn"
        yield Finding("no_model_answer", what, "send the results back until stop_reason is end_turn")
    made_up = _made_up(trace)
    if made_up is not None:
        what = f"request {made_up} holds a call that the model of this run never made"
        yield Finding("made_up_calls", what, "send the whole conversation to one run, as its model said it")
    if unseen := run.desk.unmade(ground.needed, trace.answer):
        named = ", ".join(f"{name} {given}" for name, given in unseen[:SHOWN_LOOK_UPS])
        more = f" and {len(unseen) - SHOWN_LOOK_UPS} more" if len(unseen) > SHOWN_LOOK_UPS else ""
        yield Finding(
            "not_looked_up",
            f"not looked up before the answer: {named}{more}",
            "let your tools ask the desk of this run",
        )


def _made_up(trace: Trace) -> int | None:
    """The first request whose history holds a call that none of the run's replies made."""
    for trip, made in with_made(trace):
        for message in trip.added:
            if any(key(block) not in made for block in blocks(message, "tool_use")):
                return trip.n
    return None
