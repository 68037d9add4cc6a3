"""Verdict: what is said of one agent on one rung, and the exit code that says it."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from askless.check.target import Finding

SCHEMA = "askless.verdict/1"

Status = Literal["reached", "missed", "timed_out", "crashed", "not_graded"]  # from the best to the worst

EXIT_CODES: dict[Status, int] = {"reached": 0, "missed": 1, "timed_out": 1, "crashed": 1, "not_graded": 3}


def worst(statuses: Iterable[Status]) -> Status:
    """The worst of all; of none at all, `not_graded`."""
    order: tuple[Status, ...] = get_args(Status)
    return max(statuses, key=order.index, default="not_graded")


@dataclass(frozen=True)
class Scenario:
    """One run of the agent. `measured` is empty where the counts say nothing, as after the clock stopped it."""

    name: str
    verdict: Status
    measured: Mapping[str, Any]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Verdict:
    """One agent against one rung: the first scenario's numbers, the worst scenario's verdict."""

    task: str
    rung: str
    target: Mapping[str, Any]
    scenarios: tuple[Scenario, ...]

    @property
    def verdict(self) -> Status:
        """The worst of the scenarios."""
        return worst(scenario.verdict for scenario in self.scenarios)

    @property
    def measured(self) -> Mapping[str, Any]:
        """What the first scenario, the shown desk, measured."""
        return self.scenarios[0].measured if self.scenarios else {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The first scenario's findings, then from each other one those of a kind that is new."""
        found: list[Finding] = []
        for scenario in self.scenarios:
            known = {finding.id for finding in found}
            found += [finding for finding in scenario.findings if finding.id not in known]
        return tuple(found)

    @property
    def exit_code(self) -> int:
        """0 reached; 1 missed, timed out or crashed; 3 not graded."""
        return EXIT_CODES[self.verdict]

    def document(self) -> dict[str, Any]:
        """The verdict as plain data: `askless.verdict/1`."""
        return {
            "schema": SCHEMA,
            "task": self.task,
            "rung": self.rung,
            "verdict": self.verdict,
            "measured": dict(self.measured),
            "target": dict(self.target),
            "findings": [asdict(finding) for finding in self.findings],
            "scenarios": [asdict(scenario) for scenario in self.scenarios],
        }
