"""predict: write down what a rung will cost, before it is shown."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from askless.errors import Problem

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from askless.learn.progress import Progress
    from askless.task import Rung, Task

MEASURES = {"round_trips": "Round trips", "tool_calls": "Tool calls", "input_tokens": "Input tokens, in all"}
SURE = "  How sure are you, 0 to 100 %? (Enter to skip) "

T = TypeVar("T")


def add(commands: Any) -> None:
    """Add the commands to the parser."""
    what = "write down what you expect of a rung, before you see it"
    predict = commands.add_parser(
        "predict", help=what, description=f"{what[0].upper()}{what[1:]}. Asks what is not given."
    )
    name_rung(predict)
    for measure, words in MEASURES.items():
        predict.add_argument(_option(measure), metavar="N", help=words[0].lower() + words[1:])
        predict.add_argument(_sure(measure), metavar="PERCENT", help="how sure you are of that number, 0 to 100")
    predict.add_argument("--sure", metavar="PERCENT", help="how sure you are of every number, 0 to 100")
    predict.set_defaults(run=_predict)


def name_rung(command: Any) -> None:
    """The words that name a rung."""
    command.add_argument("task", help="a task's name, or its beginning")
    command.add_argument("rung", help="a rung that has a worked version: v0, v1, ...")


def _option(measure: str) -> str:
    return f"--{measure.replace('_', '-')}"


def _sure(measure: str) -> str:
    return f"{_option(measure)}-sure"


def worked_rung(words: Namespace) -> tuple[Task, Rung]:
    """The task and the rung that were named; a Problem for a rung that has no worked version to measure."""
    from askless import task as tasks

    task = tasks.load(words.task)
    rung = task.rung(words.rung)
    if rung.worked is None:
        worked = ", ".join(each.name for each in task.rungs if each.worked)
        raise Problem(
            f"rung {rung.name} has no worked version, so there is nothing to predict.", f"name one of: {worked}."
        )
    return task, rung


def _predict(words: Namespace) -> int:
    from askless.cli import record
    from askless.learn.prediction import Prediction

    task, rung = worked_rung(words)
    given, sure = _given(words)
    before = record.load(task)
    if len(given) < len(MEASURES):
        _introduce(rung, before)
        _ask(given, sure, words)
    prediction = Prediction(**given, sure=sure or None)
    after = record.change(task, lambda progress: progress.commit(rung.name, prediction))
    print(f"Your prediction for {rung.name}: {_in_words(given, sure)}.")
    print(f"Committed, with the digest {prediction.digest}.{_remark(before, after, rung)}")
    print(f"Next: askless reveal {words.task} {rung.name}")
    return 0


def _given(words: Namespace) -> tuple[dict[str, int], dict[str, int]]:
    """What the options say: numbers, and how sure of each. A measure may be given one without the other."""
    from askless.learn.prediction import read_number, read_percent

    given, sure = dict[str, int](), dict[str, int]()
    for measure in MEASURES:
        typed, percent = getattr(words, measure), getattr(words, f"{measure}_sure")
        if typed is not None:
            given[measure] = _option_value(_option(measure), typed, partial(read_number, measure=measure))
        option, text = ("--sure", words.sure) if percent is None else (_sure(measure), percent)
        found = _option_value(option, text or "", read_percent)
        sure |= {} if found is None else {measure: found}
    return given, sure


def _option_value(option: str, text: str, read: Callable[[str], T]) -> T:
    from askless.learn.prediction import Unclear

    try:
        return read(text)
    except Unclear as unclear:
        raise Problem(f"{option}: {unclear.seen}", f"{unclear.next_act[0].lower()}{unclear.next_act[1:]}") from None


def _introduce(rung: Rung, before: Progress) -> None:
    print(f"{rung.name}: {rung.idea}.")
    print("What do you expect of one run? Tokens are all that is sent, characters divided by four.")
    step = before.rung(rung.name)
    if step.seen:
        print("The measured run was shown already. What you commit now is kept, and it does not count.")
    elif step.predictions:
        print("You have predicted this rung before. That stays on record, and the new numbers count.")


def _ask(given: dict[str, int], sure: dict[str, int], words: Namespace) -> None:
    """Ask for what is missing; whoever stops on the way is told how to go on."""
    from askless.learn.prediction import read_number, read_percent

    try:
        for measure in [each for each in MEASURES if each not in given]:
            given[measure] = _answer(f"{MEASURES[measure]}: ", partial(read_number, measure=measure))
            if measure not in sure and (percent := _answer(SURE, read_percent)) is not None:
                sure[measure] = percent
    except KeyboardInterrupt:
        print(f"\nNothing was committed.\nNext: {_again(given, sure, words)}", file=sys.stderr)
        raise
    except EOFError:
        print()
        seen = "the input ended before all was said, and nothing was committed."
        raise Problem(seen, _again(given, sure, words)) from None


def _answer(question: str, read: Callable[[str], T]) -> T:
    """What was typed, asked for again until it is clear."""
    from askless.learn.prediction import Unclear

    if sys.stdin is None:
        raise EOFError
    while True:
        try:
            return read(_line(question))
        except Unclear as unclear:
            print(f"  {unclear}")


def _line(question: str) -> str:
    """A line that was typed; one that came through a pipe is shown where it would have been typed."""
    line = input(question)
    if not sys.stdin.isatty():
        print(line)
    return line


def _again(given: dict[str, int], sure: dict[str, int], words: Namespace) -> str:
    """The command that goes on from here."""
    said = "".join(
        f" {option(measure)} {numbers[measure]}"
        for measure in MEASURES
        for option, numbers in ((_option, given), (_sure, sure))
        if measure in numbers
    )
    return f"askless predict {words.task} {words.rung}{said}"


def _in_words(given: dict[str, int], sure: dict[str, int]) -> str:
    from askless.check.target import WORDS, counted

    said = [(counted(given[measure], WORDS[measure]), sure.get(measure)) for measure in MEASURES]
    return ", ".join(number if percent is None else f"{number} ({percent} % sure)" for number, percent in said)


def _remark(before: Progress, after: Progress, rung: Rung) -> str:
    step = before.rung(rung.name)
    if after == before:
        return " It is on record already."
    if step.seen:
        return " It came after the run was shown: it is kept, and it does not count."
    return " It counts instead of the one before, which stays on record." if step.predictions else ""
