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
    """A prediction as it was stored, and whether the measured run had been shown by then."""

    prediction: Prediction
    digest: str
    after_reveal: bool = False

    @property
    def edited(self) -> bool:
        """Whether the stored numbers were changed after they were committed."""
        return self.digest != self.prediction.digest


@dataclass(frozen=True)
class Step:
    """What was done on one rung. Every prediction ever committed is kept, in order; the last one counts."""

    predictions: tuple[Committed, ...] = ()
    revealed: bool = False
    shown_without_predicting: bool = False

    @property
    def seen(self) -> bool:
        """Whether the measured run was shown, either way."""
        return self.revealed or self.shown_without_predicting


@dataclass(frozen=True)
class Progress:
    """What is remembered. `hints` is how many hints of each step were shown, by the step's name.

    `aside` is where a damaged record was moved just now, for the reader to be told; it is not stored.
    """

    last: Last | None = None
    hints: Mapping[str, int] = field(default_factory=dict)
    rungs: Mapping[str, Step] = field(default_factory=dict)
    aside: Path | None = field(default=None, compare=False)

    def rung(self, name: str) -> Step:
        """What was done on a rung."""
        return self.rungs.get(name, Step())

    def predictions(self, name: str) -> tuple[Committed, ...]:
        """Every prediction of a rung, in the order in which they were committed."""
        return self.rung(name).predictions

    def counts(self, name: str) -> Committed | None:
        """The prediction of a rung that counts: the last one."""
        return self.predictions(name)[-1] if self.predictions(name) else None

    def commit(self, name: str, prediction: Prediction) -> "Progress":
        """With one more prediction, marked if the run was shown before; the one that counts is not stored twice."""
        before = self.rung(name)
        committed = Committed(prediction, prediction.digest, before.seen)
        if committed == self.counts(name):
            return self
        return self._with(name, replace(before, predictions=(*before.predictions, committed)))

    def reveal(self, name: str) -> "Progress":
        """With the run shown after a prediction."""
        return self._with(name, replace(self.rung(name), revealed=True))

    def show_without(self, name: str) -> "Progress":
        """With the run shown to somebody who chose not to predict."""
        return self._with(name, replace(self.rung(name), shown_without_predicting=True))

    def show(self, name: str) -> "Progress":
        """With the run shown, either way: after a prediction, or without one."""
        return self.reveal(name) if self.predictions(name) else self.show_without(name)

    def merge(self, other: "Progress") -> "Progress":
        """With all that another record of the task has besides; the same record again adds nothing."""
        hints = {step: max(self.hints.get(step, 0), other.hints.get(step, 0)) for step in {**self.hints, **other.hints}}
        rungs = {name: _merged(self.rung(name), other.rung(name)) for name in {**self.rungs, **other.rungs}}
        return replace(self, last=self.last or other.last, hints=hints, rungs=rungs)

    def _with(self, name: str, step: Step) -> "Progress":
        return replace(self, rungs={**self.rungs, name: step})


def _merged(ours: Step, theirs: Step) -> Step:
    added = tuple(committed for committed in theirs.predictions if committed not in ours.predictions)
    return Step(
        (*ours.predictions, *added),
        ours.revealed or theirs.revealed,
        ours.shown_without_predicting or theirs.shown_without_predicting,
    )
