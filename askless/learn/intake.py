"""What another record may not bring along: rungs that the task lacks, and numbers that nobody can have committed."""

from collections.abc import Collection, Iterator

from askless.learn.prediction import LARGEST, MEASURES
from askless.learn.progress import Committed, Progress

MOST = 1_000  # predictions of a rung in a record from elsewhere


def faults(progress: Progress, rungs: Collection[str]) -> Iterator[str]:
    """Each thing that is wrong with an exported record, in words; a record that this lab wrote has none."""
    if many := {name: len(step.predictions) for name, step in progress.rungs.items() if len(step.predictions) > MOST}:
        yield from (
            f"{name} has {n:,} predictions, and {MOST:,} are the most that are taken in" for name, n in many.items()
        )
        return
    last = progress.last
    named = [*progress.rungs, *([last.rung, last.highest] if last else [])]
    for name in dict.fromkeys(named):
        if name is not None and name not in rungs:
            yield f"the task has no rung {name}"
    for name, step in progress.rungs.items():
        for number, committed in enumerate(step.predictions, 1):
            yield from (f"{name}, prediction {number}: {what}" for what in _wrong(committed))


def _wrong(committed: Committed) -> Iterator[str]:
    prediction = committed.prediction
    if committed.edited:
        yield f"edited since it was committed (its digest is {prediction.digest}, not {committed.digest})"
    for number in prediction.numbers.values():
        if number > LARGEST:
            yield f"{number:,} is more than any run here could reach"
    for measure, percent in (prediction.sure or {}).items():
        if measure not in MEASURES:
            yield f"how sure of {measure}, which is no measure"
        elif percent > 100:
            yield f"{percent} % sure, which is no share of 100"
