"""The production rung as text: a row for each scenario, the first missed one explained, and one run in full."""

import sys
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from askless.api.faults import Plan
from askless.check.target import Finding
from askless.judge.ending import Ran
from askless.judge.process.crash import WRONG_FILE
from askless.judge.production import HELD_BACK, Production
from askless.judge.verdict import Scenario, Status
from askless.scenario import Scenario as Planned
from askless.show.text import NOTE, Line, request_lines
from askless.show.verdict import WORDS, cut, plain, printed
from askless.trace import Trace

MARKS: dict[Status, str] = {"reached": "+", "missed": "x", "timed_out": "~", "crashed": "!", "not_graded": "?"}
COLUMNS = {
    "round_trips": "trips",
    "tool_calls": "calls",
    "input_tokens": "tokens",
    "failed_requests": "failed",
    "answer_right": "answer",
    "waits_s": "waits (s)",
    "cost_usd": "cost ($)",
}
COSTS = (
    "Waits are simulated seconds, each request after the one before; tokens and cost are estimates. "
    "* is over the scenario's budget."
)
LINE_CHARS = 300  # of a trace with much in it
SHOWN_REQUESTS = 12
BAR = 20


def text(practice: Production) -> str:
    """The verdict in a word, a row for each scenario, what the first missed one is about, and one act."""
    return "\n".join(_lines(practice))


def trace_lines(practice: Production) -> Iterator[Line]:
    """The run of the first scenario, with what was planned drawn at each request that it befell."""
    scenario, run = practice.scenarios[0], practice.runs[0]
    yield Line(0, f"Scenario {scenario.name}: {scenario.happens}", "bold")
    yield from _drawn(scenario, run)
    for index, fault in zip(range(SHOWN_REQUESTS), _met(run.trace, scenario.faults), strict=False):
        yield Line(0, "")
        yield from ([Line(0, f">>> {fault}", "yellow")] if fault else [])
        yield from (
            Line(line.indent, cut(line.text, LINE_CHARS), line.style) for line in request_lines(run.trace, index)
        )
    left_out = len(run.trace.round_trips) - SHOWN_REQUESTS
    yield from ([Line(0, f"… and {left_out:,} requests more")] if left_out > 0 else [])
    yield Line(0, "")
    yield Line(0, NOTE, "dim")
    yield Line(0, "")


def _drawn(scenario: Planned, run: Ran) -> Iterator[Line]:
    """What was planned, on the API's side and on the desk's, and what the run met of it."""
    if scenario.faults.faults:
        yield Line(0, f"planned: {scenario.faults}")
        yield Line(0, f"met:     {drawn(run.trace, scenario.faults)}")
    desk = run.room.desk.noted
    if planned := getattr(desk, "planned", None):
        yield Line(0, f"planned: {planned}")
        yield Line(0, f"met:     {desk.met}")


def drawn(trace: Trace, plan: Plan) -> str:
    """A run's requests in a row, each a dot where nothing was planned for it, and what happened where something was."""
    return " ".join(f"{at}:{f'[{fault.words}]' if fault else '.'}" for at, fault in enumerate(_met(trace, plan), 1))


def tell(done: int, of: int) -> None:
    """A line that is written over, for a person who waits at a terminal."""
    if sys.stderr.isatty():
        bar = "#" * (BAR * done // of)
        end = "\r\033[K" if done == of else ""
        print(f"\r[{bar:.<{BAR}}] {done} of {of} runs{end}", end="", file=sys.stderr, flush=True)


def _met(trace: Trace, plan: Plan) -> Iterator[Any]:
    """What was planned for each request of a trace; those of a batch are none that a plan counts."""
    numbers = count(1)
    return (plan.at(next(numbers)) if trip.batch is None else None for trip in trace.round_trips)


def _lines(practice: Production) -> Iterator[str]:
    verdict = practice.verdict
    yield f"{verdict.verdict.replace('_', ' ').upper()}: rung {verdict.rung} ({practice.rung.idea})"
    yield ""
    yield from _table(practice)
    reached = sum(row.verdict == "reached" for row in verdict.scenarios)
    yield f"{reached} of {len(verdict.scenarios)} scenarios reached. {COSTS}"
    missed = _first_missed(practice)
    if missed:
        yield ""
        yield from _explained(missed, practice)
    if practice.output:
        yield ""
        yield from printed(practice.output)
    yield ""
    yield f"Next: {next_act(practice)}"


def _first_missed(practice: Production) -> Scenario | None:
    return next((row for row in practice.verdict.scenarios if row.verdict != "reached"), None)


def rows(practice: Production) -> list[list[str]]:
    """A row for each scenario, under a row of heads: how it went in one sign, its name, and what it cost."""
    table = [["", "scenario", *COLUMNS.values()]]
    for row, scenario in zip(practice.verdict.scenarios, practice.scenarios, strict=True):
        cells = [_cell(row.measured.get(name), scenario.limits.get(name), name) for name in COLUMNS]
        table.append([MARKS[row.verdict], row.name, *cells])
    return table


def _table(practice: Production) -> Iterator[str]:
    table = rows(practice)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for mark, name, *cells in table:
        right = [cell.rjust(width) for cell, width in zip(cells, widths[2:], strict=True)]
        yield "  ".join([mark.ljust(widths[0]), name.ljust(widths[1]), *right]).rstrip()


def _cell(value: Any, limit: Any, name: str) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "right" if value else "wrong*"
    over = "*" if limit is not None and value > limit else ""
    return f"{value:,.4f}" if name == "cost_usd" else f"{value:,}{over}"


def _explained(row: Scenario, practice: Production) -> Iterator[str]:
    """The first scenario that was missed: what happens there, and what was found."""
    scenario = next(each for each in practice.scenarios if each.name == row.name)
    yield f"First missed: {row.name} ({row.verdict.replace('_', ' ')}). What happens there: {scenario.happens}."
    if scenario.faults.faults:
        yield f"  planned: {scenario.faults}"
    yield f"  the most it may cost: {_budget(scenario.limits)}"
    for finding in row.findings[1:]:
        yield from _found(finding)


def _found(finding: Finding) -> Iterator[str]:
    first, *more = plain(cut(finding.what)).split("\n")
    yield f"- {finding.id}: {first}"
    yield from (f"  | {line}" for line in more)


def _budget(limits: Mapping[str, Any]) -> str:
    numbers = {name: limit for name, limit in limits.items() if not isinstance(limit, bool)}
    return ", ".join(f"{limit:,} {WORDS.get(name, name.replace('_', ' '))}" for name, limit in numbers.items())


def next_act(practice: Production) -> str:
    """What the first missed scenario teaches, and how to see its run."""
    missed = _first_missed(practice)
    if missed is None:
        done = "say in learner/explain.md why each part of your agent is there"
        return "run them all: leave --scenario out" if practice.single else done
    see = (
        "" if practice.single or not missed.measured.get("round_trips") else f". See that run: --scenario {missed.name}"
    )
    return f"{plain(_act(missed, practice))}{see}"


def _act(missed: Scenario, practice: Production) -> str:
    """What to do first: mend what no scenario gets past, else what the first missed one teaches."""
    lesson, *found = missed.findings
    others = [row.findings for row in practice.verdict.scenarios]
    in_all = [each for each in found if len(others) > 1 and all(each in findings for findings in others)]
    unread = [each for each in found if each.id in WRONG_FILE]
    return next((each.next for each in (*unread, *in_all) if each.id != HELD_BACK.id), lesson.next)
