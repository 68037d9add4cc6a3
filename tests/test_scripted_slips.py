"""Invalid input where a script says so: instructive errors mend it, bare ones end in an apology, strict never slips."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from order_desk import Run, Tool, ToolError, run

from askless.model.plan import Call
from askless.model.reading import Result
from askless.model.scripted import Ask, Say, Scripted


@dataclass
class Heard:
    """What the small script below knows."""

    answer: str = ""
    results: list[Result] = field(default_factory=list)


class Adding:
    """A script that wants one sum, and gets its input wrong at first."""

    def __init__(self, slip: dict[str, Any]) -> None:
        self.slip = slip

    def start(self) -> Heard:
        return Heard()

    def hear(self, known: Heard, text: str, fresh: bool) -> Heard:
        return known

    def read(self, known: Heard, call: Call, result: Result) -> Heard:
        known.answer = known.answer if result.is_error else result.text
        return known

    def want(self, known: Heard, tools: Sequence[Any], parallel: bool) -> Ask | Say:
        return Say(known.answer) if known.answer else Ask([Call("add", {"a": 2, "b": 3}, slip=self.slip)])


NUMBERS = {"a": {"type": "integer"}, "b": {"type": "integer"}}


def adding(slip: dict[str, Any], error: Callable[[dict[str, Any]], str], strict: bool = False) -> Run:
    def add(**given: Any) -> Any:
        if given != {"a": 2, "b": 3}:
            raise ToolError(error(given))
        return str(given["a"] + given["b"])

    tool = Tool("add", "Adds.", NUMBERS, add, strict=strict)
    return run([tool], "2 + 3?", answers=Scripted(Adding(slip)))


SLIPS = [{"a": "2", "b": 3}, {"a": 2}]


@pytest.mark.parametrize("slip", SLIPS, ids=["ill-typed", "incomplete"])
@pytest.mark.parametrize("error", ["a must be a whole number", "a and b are needed", "expected two numbers"])
def test_an_instructive_error_mends_an_input_in_one_more_trip(slip: dict[str, Any], error: str) -> None:
    done = adding(slip, lambda given: error)
    assert ([given for _, given in done.calls], done.answer, done.trips) == ([slip, {"a": 2, "b": 3}], "5", 3)


@pytest.mark.parametrize("slip", SLIPS, ids=["ill-typed", "incomplete"])
def test_a_bare_error_costs_three_tries_and_then_an_apology(slip: dict[str, Any]) -> None:
    done = adding(slip, lambda given: "failed")
    assert ([given for _, given in done.calls], done.trips) == ([slip, slip, slip], 4)
    assert (done.answer or "").startswith("I am sorry")


@pytest.mark.parametrize("slip", SLIPS, ids=["ill-typed", "incomplete"])
def test_a_strict_tool_never_gets_an_invalid_input(slip: dict[str, Any]) -> None:
    done = adding(slip, lambda given: "failed", strict=True)
    assert ([given for _, given in done.calls], done.answer, done.trips) == ([{"a": 2, "b": 3}], "5", 2)
