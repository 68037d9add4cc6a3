"""Why a prediction and a run differ, in words: the wrong ideas that give the numbers, and where each leaves the run."""

from collections.abc import Iterator

from askless.check.target import WORDS, counted
from askless.learn.belief import Compared, Explanation, Match, Parting
from askless.learn.retell import Imagined
from askless.show.text import Line


def reasons(explanation: Explanation) -> Iterator[Line]:
    """The wrong ideas that give the numbers, and what holds instead."""
    if explanation.parting is None:
        yield from (Line(0, ""), Line(0, "All three numbers are right.", "green"))
    elif explanation.whole:
        said = _given("all three of your numbers together", explanation.whole)
        yield from (Line(0, ""), Line(0, said, "bold"), *_ideas(explanation.whole, explanation))
    else:
        for one in explanation.compared:
            if one.matches:
                yield from (Line(0, ""), Line(0, why(one), "bold"), *_ideas(one.matches, explanation))
        if unknown := unexplained(explanation):
            yield from (Line(0, ""), Line(0, unknown))


def why(one: Compared) -> str:
    """How many wrong ideas give a number that has some."""
    numbers = {match.numbers[one.measure]: f"{match.numbers[one.measure]:,}" for match in one.matches}
    rounded = "" if one.predicted in numbers else f" (which may be {' or '.join(numbers.values())} rounded)"
    return _given(f"{counted(one.predicted, WORDS[one.measure])}{rounded}", one.matches)


def unexplained(explanation: Explanation) -> str:
    """The wrong numbers that no belief gives, in a sentence; nothing where there are none."""
    alone = [one for one in explanation.compared if one.parting and not one.matches]
    numbers = [counted(one.predicted, WORDS[one.measure]) for one in alone]
    return f"No wrong idea that this lab knows gives {' or '.join(numbers)}." if numbers else ""


def _given(numbers: str, matches: tuple[Match, ...]) -> str:
    if len(matches) == 1:
        return f"One wrong idea gives {numbers}:"
    return f"Any of {len(matches)} wrong ideas gives {numbers}, and only you know which was yours:"


def _ideas(matches: tuple[Match, ...], explanation: Explanation) -> Iterator[Line]:
    for match in matches:
        yield Line(2, f"- {match.belief.says[0].upper()}{match.belief.says[1:]}.")
        yield Line(4, f"But {match.belief.truth}.")
        if len(explanation.partings) > 1:
            yield Line(4, leaves(match.parting))


def leaves(parting: Parting) -> str:
    """Where the count of one idea leaves the run."""
    n = parting.index + 1
    if parting.measured is None:
        return f"Such a count goes on after request {parting.index}, the run's last."
    if parting.imagined is None:
        return f"Such a count ends before request {n}, which is sent all the same."
    counts = f"{_counts(parting.imagined)} by that count, {_counts(parting.measured)} in the run"
    return f"Such a count leaves the run at request {n}: {counts}."


def where(explanation: Explanation, trips: int) -> str:
    """Where the prediction and a run of so many round trips first part, in words; empty where they do not."""
    partings, parting = explanation.partings, explanation.parting
    if parting is None:
        return ""
    if len(partings) > 1:
        return (
            f"Which idea was yours decides where you left the run; the earliest place is request {_at(parting, trips)}."
        )
    return _where(parting, trips)


def _at(parting: Parting, trips: int) -> int:
    """The request to look at: the one where they part, or the run's last."""
    return min(parting.index + 1, trips)


def _where(parting: Parting, last: int) -> str:
    n = parting.index + 1
    if parting.measure and n > last:
        return (
            f"The run is over before it comes to your number of {WORDS[parting.measure]}. Its last request is {last}."
        )
    if parting.measure:
        return f"Request {n} is the first one that goes past your number of {WORDS[parting.measure]}."
    if parting.measured is None:
        return f"Your count goes on after request {last}, but the run is over: this is its last request."
    if parting.imagined is None:
        return f"Your count ends before request {n}, which is sent all the same."
    counts = f"{_counts(parting.imagined)} in your count, {_counts(parting.measured)} in the run"
    return f"Count and measure first part at request {n}: {counts}."


def _counts(request: Imagined) -> str:
    return f"{counted(request.input_tokens, 'tokens')} and {counted(request.tool_calls, 'tool calls')}"
