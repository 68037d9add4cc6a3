"""One agent against the production rung: each of its scenarios, and the variants that nobody sees."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Event

from askless.check.target import Finding, Target
from askless.check.waiting import Overlaps, cost_usd, waits
from askless.errors import Problem
from askless.judge import ending
from askless.judge.ending import Ran
from askless.judge.noted import Noted, look_up_of
from askless.judge.practice import REQUESTS, StoppedError, read
from askless.judge.room import TIMEOUT_S, Room
from askless.judge.sandbox import Sandbox, never
from askless.judge.siblings import Siblings
from askless.judge.verdict import Scenario as Row
from askless.judge.verdict import Verdict, worst
from askless.learn.progress import Last
from askless.model.scripted import Scripted
from askless.scenario import Scenario
from askless.service import Service
from askless.task import Numbers, Rung, Task
from askless.trace import Trace

AT_ONCE = 3  # runs: a dropped connection is waited for, and the other scenarios need not wait with it
NO_OVERLAPS = Overlaps()


@dataclass(frozen=True)
class Production:
    """A verdict on the scenarios, in their order, with what may be shown of each run beside it."""

    verdict: Verdict
    rung: Rung
    scenarios: tuple[Scenario, ...]
    runs: tuple[Ran, ...]  # one for each scenario, never of a variant

    @property
    def single(self) -> bool:
        """Whether one scenario was run alone, which says nothing of the rung."""
        return len(self.scenarios) == 1

    @property
    def output(self) -> str:
        """What the agent printed in the only scenario; of twenty it would be too much."""
        return self.runs[0].end.output if self.single else ""

    @property
    def trace(self) -> Trace | None:
        """The run of the only scenario."""
        return self.runs[0].trace if self.single else None

    @property
    def last(self) -> Last | None:
        """What the learner's progress keeps of it: nothing of a scenario alone."""
        if self.single:
            return None
        reached = self.verdict.verdict == "reached"
        findings = tuple(finding.id for finding in self.verdict.findings)
        return Last(self.rung.name, self.verdict.verdict, self.rung.name if reached else None, findings)


def practise(
    sandbox: Sandbox,
    task: Task,
    rung: Rung,
    agent: Path,
    *,
    only: str | None = None,
    timeout_s: float = TIMEOUT_S,
    stop: Callable[[], bool] = never,
    ended: Callable[[int, int], None] = lambda done, of: None,
) -> Production:
    """Judge an agent on every scenario, or on one alone; `ended` hears how many of how many runs are over.

    Raises Problem where its file cannot be read or no scenario has the name, StoppedError where `stop` became true.
    """
    source = read(agent)
    shown = chosen(task.scenarios(), only)
    seed = sha256(source).digest()
    variants = [scenario for scenario in task.scenarios(seed) if scenario.name in {each.name for each in shown}]
    judge = _Judge(sandbox, task, str(agent), source, timeout_s, stop)
    runs = judge.run([*shown, *variants], ended)
    first = tuple(runs[: len(shown)])
    missed = {run.name: run for run, of in zip(runs[len(shown) :], variants, strict=True) if not run.meets(_target(of))}
    rows = tuple(_row(run, of, missed.get(of.name)) for run, of in zip(first, shown, strict=True))
    return Production(Verdict(task.name, rung.name, shown[0].limits, rows), rung, shown, first)


def chosen(scenarios: tuple[Scenario, ...], only: str | None) -> tuple[Scenario, ...]:
    """The scenarios to run: all of them, or the one of a name."""
    some = tuple(scenario for scenario in scenarios if only in (None, scenario.name))
    if not some:
        names = ", ".join(scenario.name for scenario in scenarios)
        raise Problem(f"there is no scenario {only!r}.", f"name one of: {names}.")
    return some


@dataclass(frozen=True)
class _Judge:
    """Runs scenarios of one agent, several at once, each in a process of its own."""

    sandbox: Sandbox
    task: Task
    agent: str
    source: bytes
    timeout_s: float
    stop: Callable[[], bool]

    def run(self, scenarios: list[Scenario], ended: Callable[[int, int], None]) -> list[Ran]:
        """The runs, in the order of the scenarios; the largest are started first."""
        interrupted = Event()
        self.sandbox.ready()  # here, where Ctrl-C is heard
        with ThreadPoolExecutor(AT_ONCE) as pool:
            try:
                largest = sorted(range(len(scenarios)), key=lambda at: -scenarios[at].limits["input_tokens"])
                pending = {pool.submit(self._ran, scenarios[at], interrupted.is_set): at for at in largest}
                runs = {}
                for done, run in enumerate(as_completed(pending), 1):
                    runs[pending[run]] = run.result()
                    ended(done, len(scenarios))
            except BaseException:
                interrupted.set()
                raise
        return [runs[at] for at in range(len(scenarios))]

    def _ran(self, scenario: Scenario, interrupted: Callable[[], bool]) -> Ran:
        service = Service(Scripted(self.task.script()), faults=scenario.faults)
        siblings = Siblings()
        desk = Noted(scenario.desk(), frozenset(look_up_of(*needed) for needed in scenario.needed()))
        room = Room(self.agent, self.source, desk, service, REQUESTS, self.timeout_s, siblings=siblings)
        if self.stop() or interrupted():
            raise StoppedError
        end = self.sandbox.run(room, lambda: interrupted() or self.stop())
        if end.how == "stopped":
            raise StoppedError
        counts = partial(measured, overlaps=siblings.overlaps())
        run = ending.ran(self.task, scenario.name, room, end, scenario.is_right, counts)
        return replace(run, trace=replace(run.trace, rung=scenario.name))


def measured(trace: Trace, overlaps: Overlaps = NO_OVERLAPS) -> Numbers:
    """What a scenario's budget is held against, and the two costs that have none: waiting and money."""
    totals, cost = trace.totals, cost_usd(trace)
    return {
        "round_trips": totals.round_trips,
        "tool_calls": totals.tool_calls,
        "input_tokens": totals.input_tokens,
        "failed_requests": totals.failed_requests,
        "answer_right": trace.answer_right,
        "waits_s": round(waits(trace, overlaps).total_s, 1),
        "cost_usd": None if cost is None else round(cost, 6),
    }


def _target(scenario: Scenario) -> Target:
    return Target(scenario.name, scenario.limits, "scenario")


def _row(run: Ran, scenario: Scenario, variant: Ran | None) -> Row:
    """A scenario's verdict, with the lesson first where it is missed; of a variant nothing but that it was missed."""
    bare = ending.bare(run, _target(scenario))
    if bare.verdict == "not_graded" or (variant is None and bare.verdict == "reached"):
        return bare
    verdicts = [bare.verdict, *([ending.bare(variant, _target(scenario)).verdict] if variant else [])]
    lesson = Finding(scenario.finding, f"{scenario.name}: {scenario.happens}", scenario.teaches)
    findings = (lesson, *bare.findings, *([HELD_BACK] if variant else []))
    return replace(bare, verdict=worst(verdicts), findings=findings)


HELD_BACK = Finding(
    "held_back_variant",
    "another desk with the same trouble, which is held back, was missed",
    "assume nothing that holds on the desk you know alone",
)
