"""A practice run as text: words, no colour, nothing that a terminal could take for a command."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from askless.check.target import Target
from askless.judge.practice import Practice
from askless.judge.verdict import Verdict

PRINTED_CHARS = 2_000
SHOWN_SUSPECTS = 3

WORDS = {
    "round_trips": "round trips",
    "tool_calls": "tool calls",
    "input_tokens": "input tokens (estimate)",
    "answer_right": "answer",
}
CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff]"
)


def text(practice: Practice) -> str:
    """The verdict in a word, yours beside the target, what it comes from, and one act."""
    return "\n".join(_lines(practice))


def as_json(verdict: Verdict) -> str:
    """The verdict alone, as one line."""
    return json.dumps(verdict.document())


def plain(said: str) -> str:
    """A stranger's text with its control characters spelt out."""
    return CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), said.replace("\r\n", "\n"))


def cut(said: str, most: int = PRINTED_CHARS) -> str:
    """A long text without its middle."""
    half = most // 2
    return said if len(said) <= most else f"{said[:half]}\n…\n{said[-half:]}"


def _lines(practice: Practice) -> Iterator[str]:
    verdict = practice.verdict
    yield f"{verdict.verdict.replace('_', ' ').upper()}: rung {verdict.rung} ({practice.rung.idea})"
    yield ""
    yield from _table(rows(practice))
    yield f"Highest rung met: {practice.highest or 'none yet'}"
    if practice.trace:
        yield f"Its trace: askless trace {verdict.task} learner"
    if verdict.findings:
        yield ""
        yield from _findings(practice)
    if practice.output:
        yield ""
        yield from printed(practice.output)
    yield ""
    yield f"Next: {next_act(practice)}"


def next_act(practice: Practice) -> str:
    """The one act that helps most: the first finding's, or after success the next rung."""
    verdict = practice.verdict
    if verdict.verdict == "reached":
        return f"read all hints and the worked rung (askless hint {verdict.task}), or go on to a higher one (--rung)"
    return plain(verdict.findings[0].next)


def rows(practice: Practice) -> list[list[str]]:
    """A column of yours and of the target for each desk that was counted, under a row of heads; none where none was."""
    pairs = zip(practice.verdict.scenarios, practice.targets, strict=True)
    counted = [(scenario, target) for scenario, target in pairs if any(scenario.measured.values())]
    heads = ["", *(head for scenario, _ in counted for head in (f"{scenario.name} desk", "target"))]
    measures = counted[0][1].limits if counted else ()
    cells = [[cell for run, target in counted for cell in _cells(name, run.measured, target)] for name in measures]
    named = [[WORDS.get(name, name.replace("_", " ")), *row] for name, row in zip(measures, cells, strict=True)]
    return [heads, *named] if counted else []


def _table(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield "   ".join([first.ljust(widths[0]), *cells]).rstrip()


def _cells(name: str, measured: Mapping[str, Any], target: Target) -> tuple[str, str]:
    limit = target.limits[name]
    return _value(measured.get(name)), _value(limit) if isinstance(limit, bool) else f"at most {_value(limit)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "right" if value else "wrong"
    return "-" if value is None else f"{value:,}"


def _findings(practice: Practice) -> Iterator[str]:
    """What was found, in the order of what it cost; the table has said already which limits were not kept."""
    table = set(practice.targets[0].limits)
    found = [finding for finding in practice.verdict.findings if finding.id not in table]
    yield (
        "What was found, costliest first:" if found else "No one request stands out: compare your trace with a rung's."
    )
    for finding in found[:SHOWN_SUSPECTS]:
        first, *more = plain(cut(finding.what)).split("\n")
        yield f"- {finding.id}: {first}"
        yield from (f"  | {line}" for line in more)
        yield f"    -> {plain(finding.next)}"
    if len(found) > SHOWN_SUSPECTS:
        yield f"- and {len(found) - SHOWN_SUSPECTS} more (--json names them all)"


def printed(output: str) -> Iterator[str]:
    """What an agent printed, each line marked as its own."""
    more = f", the first {PRINTED_CHARS:,} of them" if len(output) > PRINTED_CHARS else ""
    yield f"Your program printed {len(output):,} characters{more}:"
    yield from (f"  | {line}" for line in plain(output[:PRINTED_CHARS]).split("\n") if line)
