"""What a learner has done in one task, as a value; progressfile.py keeps it for terminal, notebook and page alike."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from askless.learn.prediction import Prediction


@dataclass(frozen=True)
class Last:
    """The last practice run: its rung, its verdict, the highest rung met, and the ids of its findings in order."""

    rung: str
    verdict: str
    highest: str | None
    findings: tuple[str, ...]


@dataclass(frozen=True)
class Committed:
    """A prediction as it was stored, and whether this record had shown the measured run by then."""

    prediction: Prediction
    digest: str
    after_reveal: bool = False

    @property
    def edited(self) -> bool:
        """Whether the stored numbers were changed after they were committed."""
        return self.digest != self.prediction.digest

    @property
    def may_count(self) -> bool:
        """Whether it is as it was committed, before the run was shown."""
        return not (self.after_reveal or self.edited)


@dataclass(frozen=True)
class Step:
    """What was done on one rung. Every prediction ever committed is kept, in order."""

    predictions: tuple[Committed, ...] = ()
    revealed: bool = False
    shown_without_predicting: bool = False

    @property
    def seen(self) -> bool:
        """Whether the measured run was shown, either way."""
        return self.revealed or self.shown_without_predicting

    @property
    def counting(self) -> Committed | None:
        """The prediction that counts: the last one from before the run was shown."""
        return next((each for each in reversed(self.predictions) if each.may_count), None)

    @property
    def known(self) -> set[str]:
        """The digests of the one that counts and of the last one: to commit these numbers again adds nothing."""
        ends = (self.counting, *self.predictions[-1:])
        return {each.digest for each in ends if each and not each.edited}


@dataclass(frozen=True)
class Progress:
    """What is remembered. `hints` is how many hints of each step were shown, by the step's name.

    `notes` are the reader's own words about a rung, by its name; only the page asks for them.
    `aside` is where a damaged record was moved just now, for the reader to be told; it is not stored.
    """

    last: Last | None = None
    hints: Mapping[str, int] = field(default_factory=dict)
    rungs: Mapping[str, Step] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    aside: Path | None = field(default=None, compare=False)

    def rung(self, name: str) -> Step:
        """What was done on a rung."""
        return self.rungs.get(name, Step())

    def predictions(self, name: str) -> tuple[Committed, ...]:
        """Every prediction of a rung, in the order in which they were committed."""
        return self.rung(name).predictions

    def counts(self, name: str) -> Committed | None:
        """The prediction of a rung that counts: the last one from before the run was shown."""
        return self.rung(name).counting

    def commit(self, name: str, prediction: Prediction) -> "Progress":
        """With one more prediction, marked if the run was shown before; what stands there already is not repeated."""
        before = self.rung(name)
        if prediction.digest in before.known:
            return self
        committed = Committed(prediction, prediction.digest, before.seen)
        return self._with(name, replace(before, predictions=(*before.predictions, committed)))

    def reveal(self, name: str) -> "Progress":
        """With the run shown after a prediction."""
        return self._with(name, replace(self.rung(name), revealed=True))

    def show_without(self, name: str) -> "Progress":
        """With the run shown to somebody who chose not to predict."""
        return self._with(name, replace(self.rung(name), shown_without_predicting=True))

    def show(self, *names: str) -> "Progress":
        """With these runs shown, each either way: after a prediction, or without one. Once shown it stays so."""
        shown = self
        for name in names:
            if not self.rung(name).seen:
                shown = shown.reveal(name) if self.predictions(name) else shown.show_without(name)
        return shown

    def merge(self, other: "Progress") -> "Progress":
        """With all that another record of the task has besides; the same record again adds nothing."""
        hints = {step: max(self.hints.get(step, 0), other.hints.get(step, 0)) for step in {**self.hints, **other.hints}}
        rungs = {name: _merged(self.rung(name), other.rung(name)) for name in {**self.rungs, **other.rungs}}
        notes = {**other.notes, **self.notes}
        last = max(filter(None, (self.last, other.last)), key=lambda each: each.highest or "", default=None)
        return replace(self, last=last, hints=hints, rungs=rungs, notes=notes)

    def _with(self, name: str, step: Step) -> "Progress":
        return replace(self, rungs={**self.rungs, name: step})


def _merged(ours: Step, theirs: Step) -> Step:
    """Both records of a rung. No clock is asked: what each record knows is what it had shown before.

    The record in which a prediction stood when the run was shown goes first, else the one in which it was shown, else
    yours, or theirs where it goes on from yours. What the other adds comes after it, and after a run that was shown.
    """
    first, second = (theirs, ours) if _leads(theirs, ours) else (ours, theirs)
    known = {(each.digest, each.prediction.digest) for each in first.predictions}
    added = [each for each in second.predictions if (each.digest, each.prediction.digest) not in known]
    late = dict.fromkeys(replace(each, after_reveal=True) for each in added)
    return Step(
        (*first.predictions, *late) if first.seen else (*dict.fromkeys(added), *first.predictions),
        ours.revealed or theirs.revealed,
        ours.shown_without_predicting or theirs.shown_without_predicting,
    )


def _leads(theirs: Step, ours: Step) -> bool:
    """Whether another record's predictions go before ours."""
    if _rank(theirs) != _rank(ours):
        return _rank(theirs) > _rank(ours)
    return theirs.predictions[: len(ours.predictions)] == ours.predictions


def _rank(step: Step) -> tuple[bool, bool]:
    return step.seen and step.counting is not None, step.seen
