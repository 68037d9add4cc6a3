"""What code can check of a learner's explanation, without a model and without a key.

Only what holds in any language is looked for (the form's lines, numbers, names of rungs), and pairs of numbers that
are said in English to be before and after: "from 8 to 3 round trips", "tool calls: 10 -> 2".
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import Any

from askless.check.target import WORDS, Finding, counted
from askless.learn.explanation import Explanation
from askless.learn.measures import pairs
from askless.learn.reading import numbers, tokens
from askless.task import Task
from askless.trace import Trace

MOST_CHARS = 20_000
KEY = re.compile(r"\bsk-ant-[\w-]{8,}")

MOST_FINDINGS = 5  # of one kind, where a text could bring any number


def facts(explanation: Explanation, task: Task, trace: Trace | None) -> list[Finding]:
    """What is missing or wrong, in the order of the form; `trace` is the learner's last practice run."""
    if KEY.search(explanation.text):
        act = "delete it there; if anybody else has seen it, make another and delete it in the Claude Console, too"
        return [Finding("holds_key", "a key of the API stands in it", act)]
    if not explanation.own:
        what = "there is nothing of your own in it yet"
        return [Finding("empty", what, "answer each question in a few sentences, with the numbers of your own runs")]
    if len(explanation.text) > MOST_CHARS:
        what = f"it holds {len(explanation.text):,} characters, and no more than {MOST_CHARS:,} are looked into"
        return [Finding("too_long", what, "keep a few sentences for each question")]
    found = [*_sections(explanation), *_few(_rungs(explanation.own, task))]
    if trace is None:
        act = f"askless practice {task.name}, then this again"
        return [*found, Finding("not_run", "your agent has not run yet: there is nothing to hold your numbers to", act)]
    return [*found, *_numbers(explanation.own, task, task.measure(trace))]


def _few(findings: Iterator[Finding]) -> list[Finding]:
    return list(islice(dict.fromkeys(findings), MOST_FINDINGS))


def _sections(explanation: Explanation) -> Iterator[Finding]:
    for section in explanation.sections:
        if section.unfilled:
            what = f"the form's own words still stand under “{section.heading}”"
            yield Finding("placeholder", what, "write your answer there, and delete those in brackets")
        elif not section.own:
            what = f"nothing stands under “{section.heading}”, or that heading is gone"
            yield Finding("unanswered", what, "answer it in a few sentences")


def _rungs(text: str, task: Task) -> Iterator[Finding]:
    known = {rung.name for rung in task.rungs}
    shapes = {re.sub(r"\d+", r"\\d+", name) for name in known}
    said = dict.fromkeys(token.text for token in tokens(text))
    for name in said:
        if name.lower() not in known and any(re.fullmatch(shape, name.lower()) for shape in shapes):
            yield Finding("unknown_rung", f"there is no rung {name}", f"name one of: {', '.join(sorted(known))}")


def _numbers(text: str, task: Task, after: Mapping[str, Any]) -> Iterator[Finding]:
    """Whether each cost that moved is told with the number before and the number after, and each pair was measured."""
    held = _with_points(numbers(text))
    worked = [rung.measured for rung in task.rungs if rung.measured]
    for measure, words in WORDS.items():
        if measure not in after or after[measure] == worked[0][measure]:
            continue
        if after[measure] not in held:
            what = f"your last practice run took {counted(after[measure], words)}, and that number is not in your text"
            yield Finding("no_after", what, "write it, or run askless practice again if your agent has changed")
        if not held & ({row[measure] for row in worked} - {after[measure]}):
            what = f"from how many the {words} moved is not in your text"
            yield Finding("no_before", what, f"write the number before the change: askless ladder {task.name}")
    line = " ".join(text.split())
    yield from _few(_pairs(line, [*worked, after]))
    yield from _few(_swapped(line, after))


def _with_points(held: set[Decimal]) -> set[Decimal]:
    """With 4.958 read as 4,958, too: so it is written in other languages."""
    return held | {number * 1000 for number in held if number.as_tuple().exponent == -3}


def _pairs(text: str, runs: list[Mapping[str, Any]]) -> Iterator[Finding]:
    for words, measure, both in pairs(text):
        known = {run[measure] for run in runs}
        for number in sorted(set(both) - known):
            what = f"“{words}”: none of the runs took {number:,} {WORDS[measure]}"
            yield Finding("not_measured", what, "take the numbers from askless ladder and from your last practice run")


def _swapped(text: str, after: Mapping[str, Any]) -> Iterator[Finding]:
    """Pairs that begin with what the last run took and rise, where the same is nowhere told the other way round."""
    told = {(measure, both) for _, measure, both in pairs(text)}
    for words, measure, (first, second) in pairs(text):
        if first == after[measure] < second and (measure, (second, first)) not in told:
            what = f"“{words}”: {first:,} {WORDS[measure]} is what your last run took, so it is the number after"
            yield Finding("swapped", what, "write the number before the change first")
