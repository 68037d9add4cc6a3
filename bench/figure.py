"""A figure of the benchmark, and how its legs are run: in turn, in fresh interpreters."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One ratio and the limit it must not pass; `against` says what it is held against."""

    name: str
    ratio: float
    limit: float
    against: str

    @property
    def good(self) -> bool:
        """Whether the ratio is at or below its limit."""
        return self.ratio <= self.limit


def in_turn(rounds: int, legs: Mapping[str, Callable[[], Any]]) -> dict[str, list[Any]]:
    """What each leg gave in each round; the legs take turns (A B A B), so that a busy machine slows all alike."""
    results: dict[str, list[Any]] = {name: [] for name in legs}
    for turn in range(rounds):
        _say(f"bench: {', '.join(legs)}: round {turn + 1} of {rounds}")
        for name, leg in legs.items():
            results[name].append(leg())
    _say("")
    return results


def _say(line: str) -> None:
    """One line that is written over, for a person who waits."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


def fresh(leg: Callable[..., Any], *arguments: Any) -> Any:
    """What a function of this package returns in an interpreter of its own; it comes back through JSON."""
    module = leg.__module__
    program = f"import json, sys, {module} as m; print(json.dumps(m.{leg.__name__}(*json.loads(sys.argv[1]))))"
    command = [sys.executable, "-c", program, json.dumps(arguments)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def middle(results: list[dict[str, Any]], key: str) -> float:
    """The median of one measure over the rounds."""
    return float(median(result[key] for result in results))
