"""The zoo: hostile, unlucky and sloppy agents, what each must come to, and how they are judged.

A row of zoo/zoo.json says of an agent, which is a file or a folder beside it: the verdict; findings
that must be among its own; the worked rung that its text is put `after`, so that it is short; a
`timeout_s` where the clock is what ends it; and what it `needs` of the machine to come to that.
"""

import json
import platform
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ladders import load

from askless.judge.practice import Practice, practise
from askless.judge.sandbox import Sandbox

ZOO = Path(__file__).parent / "zoo"
TASK = load("t01_fewer_tool_calls")
AT_ONCE = 4
PATIENT_S = 120.0


@dataclass(frozen=True)
class Animal:
    """One agent and what it must come to."""

    name: str
    verdict: str
    findings: tuple[str, ...] = ()
    after: str | None = None
    needs: str | None = None
    timeout_s: float = PATIENT_S
    scenarios: tuple[str, ...] = ()

    def settle(self, house: Path) -> Path:
        """Put it and what it brings into a folder of its own; the path of its agent."""
        folder = house / self.name
        if (ZOO / self.name).is_dir():
            shutil.copytree(ZOO / self.name, folder, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            folder.mkdir()
            shutil.copy(ZOO / f"{self.name}.py", folder / "agent.py")
        agent = folder / "agent.py"
        if self.after:
            worked = TASK.rung(self.after).worked
            assert worked
            agent.write_bytes(worked.read_bytes() + b"\n\n" + agent.read_bytes())
        return agent

    def judge(self, sandbox: Sandbox, agent: Path) -> Practice:
        """Judge it on the rung that v3 reaches."""
        return practise(sandbox, TASK, TASK.rung("v3"), agent, timeout_s=self.timeout_s)


def animals() -> Iterator[Animal]:
    """All of them, in the order of the table."""
    for name, row in json.loads((ZOO / "zoo.json").read_text("utf-8")).items():
        lists = {key: tuple(row.pop(key, ())) for key in ("findings", "scenarios")}
        yield Animal(name, **lists, **row)


def layers() -> set[str]:
    """What this machine has that an animal may need."""
    if sys.platform != "linux":
        return set()
    from askless.judge.process import calls, isolation

    there = {"filter": platform.machine() in calls.MACHINES, "isolation": not isolation.refusal()}
    return {name for name, is_there in there.items() if is_there}


def judge(chosen: list[Animal], house: Path) -> dict[str, Practice]:
    """Several at once, through one sandbox; the slowest begin first."""
    agents = {animal.name: animal.settle(house) for animal in chosen}
    slowest_first = sorted(chosen, key=lambda animal: animal.timeout_s)
    with Sandbox() as sandbox, ThreadPoolExecutor(AT_ONCE) as pool:
        practices = pool.map(lambda animal: animal.judge(sandbox, agents[animal.name]), slowest_first)
        return dict(zip([animal.name for animal in slowest_first], practices, strict=True))
