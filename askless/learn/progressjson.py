"""The progress record as JSON text, and records of older versions brought up to date."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from askless.learn.prediction import MEASURES, Prediction
from askless.learn.progress import Committed, Last, Progress, Step

NAME = "askless.progress"
VERSION = 1

Document = dict[str, Any]
Migrations = Mapping[int, Callable[[Document], Document]]  # from that version to the next

MIGRATIONS: Migrations = MappingProxyType({})


class Damaged(ValueError):  # noqa: N818 - what it says of the record
    """The text holds no progress record."""


class TooNew(ValueError):  # noqa: N818 - what it says of the record
    """The record was written by a later askless."""


def write(progress: Progress, task: str) -> str:
    """A task's record as text."""
    document = {
        "schema": f"{NAME}/{VERSION}",
        "task": task,
        "rungs": {name: _step_document(step) for name, step in progress.rungs.items()},
        "last": asdict(progress.last) if progress.last else None,
        "hints": dict(progress.hints),
        "notes": dict(progress.notes),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _step_document(step: Step) -> Document:
    return {**asdict(step), "predictions": [_committed_document(committed) for committed in step.predictions]}


def _committed_document(committed: Committed) -> Document:
    prediction = committed.prediction
    sure = dict(prediction.sure or {})
    return {**prediction.numbers, "sure": sure, "digest": committed.digest, "after_reveal": committed.after_reveal}


def read(text: str, migrations: Migrations = MIGRATIONS, version: int = VERSION) -> tuple[Progress, str]:
    """The record and its task's name. Raises Damaged or TooNew."""
    try:
        document = _up_to_date(json.loads(text), migrations, version)
        return _progress(document), _of(str, document.get("task", ""))
    except TooNew:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise Damaged(str(error)) from None


def _up_to_date(document: Document, migrations: Migrations, version: int) -> Document:
    name, _, number = document["schema"].partition("/")
    if name != NAME or not number.isdecimal():
        raise Damaged(f"schema {document['schema']!r}")
    if int(number) > version:
        raise TooNew(document["schema"])
    for older in range(int(number), version):
        document = migrations[older](document)
    return document


def _progress(document: Document) -> Progress:
    last = document["last"]
    hints = {step: _count(shown) for step, shown in _of(dict, document["hints"]).items()}
    rungs = {name: _step(step) for name, step in _of(dict, document["rungs"]).items()}
    notes = {name: _of(str, text) for name, text in _of(dict, document.get("notes", {})).items()}
    return Progress(None if last is None else _last(last), hints, rungs, notes)


def _last(document: Document) -> Last:
    highest = document["highest"]
    findings = tuple(_of(str, finding) for finding in _of(list, document["findings"]))
    return Last(_of(str, document["rung"]), _of(str, document["verdict"]), highest and _of(str, highest), findings)


def _step(document: Document) -> Step:
    predictions = tuple(map(_committed, _of(list, document["predictions"])))
    return Step(predictions, _of(bool, document["revealed"]), _of(bool, document["shown_without_predicting"]))


def _committed(document: Document) -> Committed:
    numbers = {measure: _count(document[measure]) for measure in MEASURES}
    sure = {measure: _count(percent) for measure, percent in _of(dict, document["sure"]).items()}
    prediction = Prediction(**numbers, sure=sure or None)
    return Committed(prediction, _of(str, document["digest"]), _of(bool, document["after_reveal"]))


def _count(value: Any) -> int:
    if _of(int, value) < 0:
        raise Damaged(f"{value} is below zero")
    return int(value)


def _of(kind: Any, value: Any) -> Any:
    if type(value) is not kind:
        raise Damaged(f"{value!r} is no {kind.__name__}")
    return value
