"""Hints: one more each time, for the step that the last practice run showed to be next."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from askless.errors import Problem
from askless.learn.progress import Last, Progress

FEWEST = 4


@dataclass(frozen=True)
class Step:
    """Hints for one step: to rung `rung`, or after a run with the finding `name`."""

    name: str
    rung: str | None
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Hint:
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
        raise Problem(
            f"{path} is damaged: {type(error).__name__}: {error}.", f"restore the file: git checkout -- {path}"
        ) from None


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


def step_for(steps: tuple[Step, ...], last: Last | None) -> Step:
    """The step that comes next: the first finding that has hints, else the rung above the highest that was met."""
    findings = last.findings if last else ()
    named = {step.name: step for step in steps}
    for finding in findings:
        if finding in named:
            return named[finding]
    ladder = [step for step in steps if step.rung]
    rungs = [step.rung for step in ladder]
    met = rungs.index(last.highest) + 1 if last and last.highest in rungs else 0
    return ladder[min(met, len(ladder) - 1)]


def next_hint(steps: tuple[Step, ...], progress: Progress) -> tuple[Hint, Progress]:
    """One more hint, and the progress that remembers it; after the last one, the last again."""
    step = step_for(steps, progress.last)
    number = min(progress.hints.get(step.name, 0) + 1, len(step.hints))
    hint = Hint(step.name, number, len(step.hints), step.hints[number - 1])
    return hint, replace(progress, hints={**progress.hints, step.name: number})
