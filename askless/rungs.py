"""rungs.json: the title, the measures and the rungs of a task, read and checked."""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from askless.errors import Problem
from askless.trace import Totals

KNOWN = {field.name for field in fields(Totals)} | {"answer_right"}


@dataclass(frozen=True)
class Measure:
    """How a target follows from a worked rung's number: at most so many times it, or, without `at_most`, equal."""

    name: str
    at_most: float | None
    below_the_rung_before: bool

    def limit(self, own: Any, before: Any) -> Any:
        """The target, from the worked rung's own value and the one of the rung before (None where there is none)."""
        if self.at_most is None:
            return own
        limit = int(own * self.at_most)
        return min(limit, before - 1) if self.below_the_rung_before and before is not None else limit


@dataclass(frozen=True)
class Row:
    """One rung as the file has it; `measured` is None for the rung without a worked version."""

    name: str
    idea: str
    measured: dict[str, Any] | None
    sources: tuple[str, ...]  # of the idea, as ids in the catalog


class _DamagedError(Exception):
    """What is wrong, and a text that stands on the line where."""


def read(path: Path) -> tuple[str, tuple[Measure, ...], tuple[Row, ...]]:
    """The title, the measures and the rungs; a Problem names the file and the line where it is damaged."""
    text = _text(path)
    try:
        document = json.loads(text)
        measures = tuple(_measure(name, rule) for name, rule in _field(document, "measures", dict, "{").items())
        rows = tuple(_row(row, measures) for row in _field(document, "rungs", list, "{"))
        for name, read_ in (("measures", measures), ("rungs", rows)):
            if not read_:
                raise _DamagedError(f"there are no {name}", f'"{name}"')
        return _field(document, "title", str, "{"), measures, rows
    except json.JSONDecodeError as error:
        raise _problem(path, error.lineno, error.msg) from None
    except RecursionError:
        raise _problem(path, 1, "nested too deeply") from None
    except _DamagedError as error:
        what, near = error.args
        raise _problem(path, text[: max(0, text.find(near))].count("\n") + 1, what) from None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _problem(path, 1, str(error)) from None


def _problem(path: Path, line: int, what: str) -> Problem:
    return Problem(f"{path}, line {line}: {what}.", f"mend that line, or restore the file: git checkout -- {path}")


def _measure(name: str, rule: Any) -> Measure:
    if name not in KNOWN:
        raise _DamagedError(f"{name} is no measure; the measures are {', '.join(sorted(KNOWN))}", f'"{name}"')
    if rule == {"equal": True}:
        return Measure(name, None, False)
    return Measure(
        name, float(_field(rule, "at_most", (int, float), f'"{name}"')), bool(rule.get("below_the_rung_before"))
    )


def _row(row: Any, measures: tuple[Measure, ...]) -> Row:
    name = _field(row, "name", str, '"rungs"')
    near = f'"{name}"'
    measured = _field(row, "measured", (dict, type(None)), near)
    for measure in measures if measured is not None else ():
        _field(measured, measure.name, (int, float), near)
    sources = _field({"sources": [], **row}, "sources", list, near)
    return Row(name, _field(row, "idea", str, near), measured, tuple(map(str, sources)))


def _field(value: Any, key: str, kind: Any, near: str) -> Any:
    if not isinstance(value, dict) or key not in value:
        raise _DamagedError(f"there is no {key!r}", near)
    if not isinstance(value[key], kind):
        raise _DamagedError(f"{key!r} is not as it should be: {value[key]!r}", near)
    return value[key]
