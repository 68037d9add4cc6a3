"""A reveal: what was predicted beside what was measured, and why the two differ. As data, and as the terminal's lines.

Another rung's numbers stand in it only where the record says that its run was shown before.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from askless import catalog
from askless.check.target import WORDS
from askless.learn.belief import Compared, Explanation, explain, unchanged
from askless.learn.progress import Committed, Progress, Step
from askless.show.bars import bars
from askless.show.lesson import Measured
from askless.show.reasons import reasons, where
from askless.show.segments import Panel
from askless.show.tables import code_difference
from askless.show.text import NOTE, Line, request_lines
from askless.task import Rung, Task
from askless.trace import Trace

WITHOUT = "You saw this run without predicting it. The record says so."


@dataclass(frozen=True)
class Reveal:
    """All that is shown of one rung once its run may be seen."""

    rung: Rung
    trace: Trace
    step: Step
    explanation: Explanation | None  # None where no prediction counts
    beside: Rung
    beside_trace: Trace | None  # None where it was not shown yet
    sources: tuple[catalog.Source, ...]

    @property
    def request(self) -> int | None:
        """The index of the request to look at: where count and measure part, or the run's last."""
        parting = self.explanation.parting if self.explanation else None
        return None if parting is None else min(parting.index, len(self.trace.round_trips) - 1)

    @property
    def pair(self) -> tuple[Rung, Rung]:
        """The two rungs whose code is compared, in the order of the ladder."""
        return (self.rung, self.beside) if self.rung.number < self.beside.number else (self.beside, self.rung)

    @property
    def code(self) -> list[str]:
        """Their difference, as a unified diff."""
        left, right = (rung.worked.read_text("utf-8") if rung.worked else "" for rung in self.pair)
        return code_difference(left, right, (self.pair[0].name, self.pair[1].name))

    @property
    def panels(self) -> list[Panel]:
        """The runs to draw, in the order of the ladder; where ideas part at several requests, none is marked."""
        found = self.explanation
        alone = found.parting if found and len(found.partings) < 2 else None
        at = alone.index + 1 if alone and alone.index < len(self.trace.round_trips) else None
        imagined = {tuple(request.input_tokens for request in match.run) for match in found.whole} if found else set()
        tokens = imagined.pop() if len(imagined) == 1 else ()
        own = Panel(self.trace, self.step.counting.prediction if self.step.counting else None, tokens, at)
        others = [Panel(self.beside_trace)] if self.beside_trace else []
        return sorted([own, *others], key=lambda panel: panel.trace.rung != self.pair[0].name)


def reveal(task: Task, rung: Rung, measured: Measured, kept: Progress) -> Reveal:
    """A rung's reveal; the prediction that stood when the run was shown is the one that is compared."""
    beside, counting = neighbour(task, rung), kept.counts(rung.name)
    trace = measured(rung.name)
    other = measured(beside.name) if kept.rung(beside.name).seen else None
    beliefs = (*task.beliefs(), *([unchanged(rung.name, other)] if other else []))
    known = catalog.sources()
    return Reveal(
        rung,
        trace,
        kept.rung(rung.name),
        explain(counting.prediction, trace, beliefs) if counting else None,
        beside,
        other,
        tuple(known[source] for source in rung.sources if source in known),
    )


def neighbour(task: Task, rung: Rung) -> Rung:
    """The rung to compare with: the one below, and for the first the one above."""
    rungs = [each for each in task.rungs if each.worked]
    at = rungs.index(rung)
    return rungs[at - 1] if at else rungs[1]


def lines(shown: Reveal) -> Iterator[Line]:
    """The whole reveal as text."""
    yield Line(0, f"{shown.trace.task} {shown.rung.name}: {shown.rung.idea}", "bold")
    yield Line(0, "")
    yield from _numbers(shown)
    yield from (Line(0, said) for said in history(shown.step))
    if shown.explanation:
        yield from reasons(shown.explanation)
    yield Line(0, "")
    yield from bars(shown.panels)
    yield from place(shown)
    yield from _difference(shown)
    yield from _sources(shown)
    yield Line(0, "")
    yield Line(0, NOTE, "dim")


def _numbers(shown: Reveal) -> Iterator[Line]:
    if shown.explanation is None:
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
    predictions = step.predictions
    if len(predictions) == 1 and step.counting:
        yield f"Committed: {numbers_of(predictions[0])}"
    elif predictions:
        many = "1 prediction" if len(predictions) == 1 else f"{len(predictions)} predictions"
        yield f"You committed {many}, and {_which(step)}:"
        yield from (f"  {number}. {numbers_of(each)}" for number, each in enumerate(predictions, 1))
    if step.shown_without_predicting:
        yield "You had asked to see this run without predicting it." if step.counting else WITHOUT


def _which(step: Step) -> str:
    """Which of several predictions counts."""
    if step.counting is None:
        return "none counts"
    number = max(at for at, each in enumerate(step.predictions, 1) if each is step.counting)
    if number == len(step.predictions):
        return "the last one counts"
    return f"number {number} counts, which stood when the run was shown"


def numbers_of(committed: Committed) -> str:
    """A stored prediction, its digest, and what is to be said of it."""
    numbers = " / ".join(f"{number:,}" for number in committed.prediction.numbers.values())
    remarks = [f"digest {committed.digest}"]
    remarks += ["after the reveal"] if committed.after_reveal else []
    remarks += ["edited in the file since it was committed"] if committed.edited else []
    return f"{numbers} ({', '.join(remarks)})"


def place(shown: Reveal) -> Iterator[Line]:
    """Where count and run part, and the request there."""
    if shown.explanation is None or shown.request is None:
        return
    yield Line(0, "")
    yield Line(0, where(shown.explanation, len(shown.trace.round_trips)), "bold")
    yield from request_lines(shown.trace, shown.request)


def changes(shown: Reveal) -> str:
    """The heading of the code's difference."""
    return f"What changes in the code from {' to '.join(rung.name for rung in shown.pair)}"


def _difference(shown: Reveal) -> Iterator[Line]:
    styles = {"+": "green", "-": "red", "@": "cyan"}
    yield Line(0, "")
    yield Line(0, changes(shown), "bold")
    yield from (Line(0, line, styles.get(line[:1], ""), whole=True) for line in shown.code)


def _sources(shown: Reveal) -> Iterator[Line]:
    if shown.sources:
        yield Line(0, "")
        yield Line(0, "Where the rule stands", "bold")
    for source in shown.sources:
        yield Line(2, f"{source.title}. {source.publisher}, as of {source.as_of}.")
        yield Line(4, source.claim)
        yield Line(4, source.address, whole=True)
