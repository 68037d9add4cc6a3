"""A reveal: what was predicted beside what was measured, and why the two differ. As data, for every face to draw."""

from collections.abc import Iterator
from dataclasses import dataclass

from askless import catalog
from askless.check.target import WORDS
from askless.learn.belief import Compared, Explanation, Match, Parting, explain
from askless.learn.progress import Committed, Step
from askless.learn.retell import Imagined
from askless.show.tables import code_difference
from askless.show.text import NOTE, Line, request_lines
from askless.task import Rung, Task
from askless.trace import Trace


@dataclass(frozen=True)
class Reveal:
    """All that is shown of one rung once its run may be seen."""

    rung: Rung
    trace: Trace
    step: Step
    explanation: Explanation | None  # None where nothing was predicted
    below: Rung | None
    code: tuple[str, ...]  # the difference from the rung below, as a unified diff
    sources: tuple[catalog.Source, ...]

    @property
    def request(self) -> int | None:
        """The index of the request to look at: where count and measure part, or the run's last."""
        parting = self.explanation.parting if self.explanation else None
        return None if parting is None else min(parting.index, len(self.trace.round_trips) - 1)


def reveal(task: Task, rung: Rung, trace: Trace, step: Step) -> Reveal:
    """A rung's reveal; the last committed prediction is the one that is compared."""
    prediction = step.predictions[-1].prediction if step.predictions else None
    below = task.rungs[rung.number - 1] if rung.number else None
    known = catalog.sources()
    return Reveal(
        rung,
        trace,
        step,
        explain(prediction, trace, task.beliefs()) if prediction else None,
        below,
        tuple(_code(below, rung)) if below else (),
        tuple(known[source] for source in rung.sources if source in known),
    )


def _code(below: Rung, rung: Rung) -> list[str]:
    left, right = (each.worked.read_text("utf-8") if each.worked else "" for each in (below, rung))
    return code_difference(left, right, (below.name, rung.name))


def lines(shown: Reveal) -> Iterator[Line]:
    """The whole reveal as text."""
    yield Line(0, f"{shown.trace.task} {shown.rung.name}: {shown.rung.idea}", "bold")
    yield Line(0, "")
    yield from _numbers(shown)
    yield from (Line(0, said) for said in history(shown.step))
    if shown.explanation:
        yield from reasons(shown.explanation)
    yield from place(shown)
    yield from _difference(shown)
    yield from _sources(shown)
    yield Line(0, "")
    yield Line(0, NOTE, "dim")


def _numbers(shown: Reveal) -> Iterator[Line]:
    if shown.explanation is None:
        yield Line(0, "You chose to see this without predicting it. The record says so.")
        totals = shown.trace.totals
        yield from (Line(0, f"{words:<12} {getattr(totals, name):>11,}") for name, words in WORDS.items())
        return
    yield Line(0, f"{'':<12} {'predicted':>11} {'measured':>11}   {'difference':<22} how sure", "bold")
    for one in shown.explanation.compared:
        sure = "" if one.sure is None else f"{one.sure} %"
        numbers = f"{one.predicted:>11,} {one.measured:>11,}"
        yield Line(0, f"{WORDS[one.measure]:<12} {numbers}   {off(one):<22} {sure}".rstrip())


def off(one: Compared) -> str:
    """How far off a number is, in words."""
    if one.right:
        return "right"
    if not one.parting:
        return f"right, rounded ({one.difference:+,})"
    return f"{abs(one.difference):,} too {'many' if one.difference > 0 else 'few'}"


def history(step: Step) -> Iterator[str]:
    """What a reader of the numbers should know of how the prediction came about."""
    if len(step.predictions) > 1:
        yield f"You committed {len(step.predictions)} predictions, and the last one counts:"
        yield from (f"  {number}. {numbers_of(each)}" for number, each in enumerate(step.predictions, 1))
    elif step.predictions:
        yield f"Committed: {numbers_of(step.predictions[0])}"
    if step.shown_without_predicting and step.predictions:
        yield "You had asked to see this run without predicting it."


def numbers_of(committed: Committed) -> str:
    """A stored prediction, its digest, and what is to be said of it."""
    numbers = " / ".join(f"{number:,}" for number in committed.prediction.numbers.values())
    remarks = [f"digest {committed.digest}"]
    remarks += ["after the reveal"] if committed.after_reveal else []
    remarks += ["edited in the file since it was committed"] if committed.edited else []
    return f"{numbers} ({', '.join(remarks)})"


def reasons(explanation: Explanation) -> Iterator[Line]:
    """The wrong ideas that give the numbers, and what holds instead."""
    if explanation.parting is None:
        yield from (Line(0, ""), Line(0, "All three numbers are right.", "green"))
    elif explanation.whole:
        said = f"All three of your numbers together {_follow(explanation.whole)}:"
        yield from (Line(0, ""), Line(0, said, "bold"), *_ideas(explanation.whole))
    else:
        for one in explanation.compared:
            if one.matches:
                yield from (Line(0, ""), Line(0, why(one), "bold"), *_ideas(one.matches))
        if unknown := unexplained(explanation):
            yield from (Line(0, ""), Line(0, unknown))


def why(one: Compared) -> str:
    """How many wrong ideas give a number that has some."""
    numbers = {match.numbers[one.measure]: f"{match.numbers[one.measure]:,}" for match in one.matches}
    rounded = "" if one.predicted in numbers else f", which may be {' or '.join(numbers.values())} rounded,"
    return f"{one.predicted:,} {WORDS[one.measure]}{rounded} {_follow(one.matches)}:"


def unexplained(explanation: Explanation) -> str:
    """The wrong numbers that no belief gives, in a sentence; nothing where there are none."""
    alone = [one for one in explanation.compared if one.parting and not one.matches]
    numbers = [f"{one.predicted:,} {WORDS[one.measure]}" for one in alone]
    return f"No wrong idea that this lab knows gives {' or '.join(numbers)}." if numbers else ""


def _follow(matches: tuple[Match, ...]) -> str:
    if len(matches) == 1:
        return "follow from a wrong idea"
    return f"follow from any of {len(matches)} wrong ideas, and only you know which was yours"


def _ideas(matches: tuple[Match, ...]) -> Iterator[Line]:
    for match in matches:
        yield Line(2, f"- {match.belief.says[0].upper()}{match.belief.says[1:]}.")
        yield Line(4, f"But {match.belief.truth}.")


def place(shown: Reveal) -> Iterator[Line]:
    """Where count and run part, and the request there."""
    parting = shown.explanation.parting if shown.explanation else None
    if parting is None or shown.request is None:
        return
    yield Line(0, "")
    yield Line(0, where(parting, shown.trace), "bold")
    yield from request_lines(shown.trace, shown.request)


def where(parting: Parting, trace: Trace) -> str:
    """Where a count and the measured run first part, in words."""
    n, last = parting.index + 1, len(trace.round_trips)
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
    calls = f"{request.tool_calls} tool call{'' if request.tool_calls == 1 else 's'}"
    return f"{request.input_tokens:,} tokens and {calls}"


def _difference(shown: Reveal) -> Iterator[Line]:
    yield Line(0, "")
    if shown.below is None:
        yield Line(0, f"{shown.rung.name} is the first rung: there is no code below it to compare with.")
        return
    styles = {"+": "green", "-": "red", "@": "cyan"}
    yield Line(0, f"What changes in the code from {shown.below.name} to {shown.rung.name}", "bold")
    yield from (Line(0, line, styles.get(line[:1], ""), whole=True) for line in shown.code)


def _sources(shown: Reveal) -> Iterator[Line]:
    if shown.sources:
        yield Line(0, "")
        yield Line(0, "Where the rule stands", "bold")
    for source in shown.sources:
        yield Line(2, f"{source.title}. {source.publisher}, as of {source.as_of}.")
        yield Line(4, source.claim)
        yield Line(4, source.address, whole=True)
