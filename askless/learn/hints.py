"""Hints: one more each time, for the step that the last practice run showed to be next."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple  # a dataclass would cost these commands as much as all else they load

from askless.errors import Problem

FEWEST = 4


class Step(NamedTuple):
    """Hints for one step: to rung `rung`, or after a run with the finding `name`."""

    name: str
    rung: str | None
    hints: tuple[str, ...]


class Hint(NamedTuple):
    """One hint: the `number`th of `of` for a step."""

    step: str
    number: int
    of: int
    text: str


def read(path: Path) -> tuple[Step, ...]:
    """The steps in a task's hints.json, the ladder's in its order. A Problem where it is damaged."""
    try:
        document = json.loads(path.read_text("utf-8"))
        return _ladder(_step(name, each) for name, each in document.items())
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        seen = f"{path} is damaged: {type(error).__name__}: {error}."
        raise Problem(seen, f"restore the file: git checkout -- {path}") from None


def _ladder(steps: Iterable[Step]) -> tuple[Step, ...]:
    read = tuple(steps)
    if not any(step.rung for step in read):
        raise ValueError("no step leads to a rung")
    return read


def _step(name: str, step: Mapping[str, Any]) -> Step:
    hints = tuple(map(str, step["hints"]))
    if len(hints) < FEWEST:
        raise ValueError(f"{name} has {len(hints)} hints, not {FEWEST}")
    return Step(name, step.get("rung"), hints)


def step_for(steps: Sequence[Step], findings: Iterable[str], highest: str | None) -> Step:
    """The step that comes next: the first finding that has hints, else the rung above the highest that was met."""
    named = {step.name: step for step in steps}
    for finding in findings:
        if finding in named:
            return named[finding]
    ladder = [step for step in steps if step.rung]
    rungs = [step.rung for step in ladder]
    met = rungs.index(highest) + 1 if highest in rungs else 0
    return ladder[min(met, len(ladder) - 1)]


def next_hint(step: Step, shown: int) -> Hint:
    """The hint after those that were shown; after the last one, the last again."""
    number = min(shown + 1, len(step.hints))
    return Hint(step.name, number, len(step.hints), step.hints[number - 1])
