"""A scenario: one run that an agent has to get through, and what may go wrong in it. Each task offers its own."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from askless.api.faults import NO_FAULTS, Plan


@dataclass(frozen=True)
class Scenario:
    """A question on a desk, planned faults, and the most that the run may cost.

    `desk` makes a new one for each run, since a desk may remember what it was asked; `needed` names the look-ups
    that the answer takes, each with what it is given;
    `limits` are a target's, by measure; `finding` is the id under which hints stand.
    """

    name: str
    happens: str  # what is unusual, in one line
    teaches: str  # what to do about it, in one line: said where the scenario is missed
    finding: str
    desk: Callable[[], Any]
    is_right: Callable[[str], bool]
    needed: Callable[[], Iterable[tuple[str, Mapping[str, Any]]]]
    limits: Mapping[str, Any]
    faults: Plan = NO_FAULTS
