"""A learner's progress in words and as data: the ladder with what was predicted, what was measured, how far off."""

from collections.abc import Iterator
from typing import Any

from askless.check.target import WORDS
from askless.learn.prediction import MEASURES, Prediction
from askless.learn.progress import Last, Progress, Step
from askless.show.text import Line
from askless.task import Rung, Task


def document(task: Task, progress: Progress) -> dict[str, Any]:
    """The same for a program. What was not shown to the learner yet is null."""
    return {
        "task": task.name,
        "title": task.title,
        "rungs": [_rung_document(rung, progress.rung(rung.name)) for rung in task.rungs],
        "practice": _practice_document(progress.last) if progress.last else None,
        "hints": dict(progress.hints),
    }


def _rung_document(rung: Rung, step: Step) -> dict[str, Any]:
    return {
        "name": rung.name,
        "idea": rung.idea,
        "worked": rung.worked is not None,
        "predictions": [
            {
                **each.prediction.numbers,
                "sure": dict(each.prediction.sure or {}),
                "digest": each.digest,
                "after_reveal": each.after_reveal,
                "edited": each.edited,
                "counts": each is step.counting,
            }
            for each in step.predictions
        ],
        "revealed": step.revealed,
        "shown_without_predicting": step.shown_without_predicting,
        "measured": _measured(rung, step) or None,
    }


def _practice_document(last: Last) -> dict[str, Any]:
    return {"rung": last.rung, "verdict": last.verdict, "highest": last.highest}


def lines(task: Task, progress: Progress) -> Iterator[Line]:
    """The ladder in words, within 80 columns."""
    yield Line(0, f"{task.name}: {task.title}", "bold")
    yield Line(0, "")
    yield Line(0, f"{'rung':<5} {'measure':<13} {'predicted':>10} {'measured':>10}   {'off by':<14} sure", "bold")
    for rung in task.rungs:
        yield from (
            Line(0, f"{rung.name if first else '':<5} {said}".rstrip())
            for first, said in _rung(rung, progress.rung(rung.name))
        )
    yield Line(0, "")
    yield from (Line(0, said) for said in _practice(progress))
    yield Line(0, f"Next: {next_act(task, progress)}")


def _rung(rung: Rung, step: Step) -> Iterator[tuple[bool, str]]:
    """The rung's lines, and whether each is its first."""
    said = list(_numbers(rung, step, step.counting.prediction)) if step.counting else [_uncounted(rung, step)]
    said += [f"({remark})" for remark in _remarks(step)]
    return ((number == 0, each) for number, each in enumerate(said))


def _numbers(rung: Rung, step: Step, prediction: Prediction) -> Iterator[str]:
    measured = _measured(rung, step)
    for measure, predicted in prediction.numbers.items():
        own = measured.get(measure)
        sure = (prediction.sure or {}).get(measure)
        cells = [f"{WORDS[measure]:<13} {predicted:>10,}", f"{'?' if own is None else f'{own:,}':>10}"]
        yield f"{' '.join(cells)}   {_off(own, predicted):<14} {'' if sure is None else f'{sure} %'}".rstrip()


def _measured(rung: Rung, step: Step) -> dict[str, int]:
    """What the learner may know of the measured run."""
    return (
        {name: rung.measured[name] for name in MEASURES if name in rung.measured} if rung.measured and step.seen else {}
    )


def _off(own: int | None, predicted: int) -> str:
    if own is None:
        return "not revealed"
    return f"{predicted - own:+,} ({(predicted - own) / own:+.0%})" if predicted != own else "nothing"


def _uncounted(rung: Rung, step: Step) -> str:
    if rung.worked is None:
        return "no worked version: build it, and practise"
    if step.predictions:
        return "no prediction that counts"
    return "not predicted" if step.seen else "not predicted yet"


def _remarks(step: Step) -> Iterator[str]:
    late = sum(each.after_reveal for each in step.predictions)
    early = len(step.predictions) - late
    if step.shown_without_predicting:
        yield "shown without predicting"
    if early > 1:
        yield f"the last of {early} predictions"
    if late:
        yield f"{late} more came after the run was shown and {'does' if late == 1 else 'do'} not count"
    if any(each.edited for each in step.predictions):
        yield "a stored prediction was edited in the file and does not count"


def _practice(progress: Progress) -> Iterator[str]:
    if progress.last is None:
        yield "Practice: not run yet."
    else:
        verdict = progress.last.verdict.replace("_", " ")
        highest = progress.last.highest
        yield f"Practice: rung {progress.last.rung} {verdict}; highest rung met: {highest or 'none yet'}."
    if progress.hints:
        yield f"Hints shown: {sum(progress.hints.values())}."


def next_act(task: Task, progress: Progress) -> str:
    """The first thing that is still to do on the ladder."""
    for rung in task.rungs:
        step = progress.rung(rung.name)
        if rung.worked and not step.seen:
            return f"askless {'reveal' if step.predictions else 'predict'} {task.name} {rung.name}"
    return f"askless practice {task.name}"
