"""A prediction beside a trace: how far off it is, which wrong belief gives its numbers, and where the two part ways."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from askless.learn.prediction import MEASURES, Prediction
from askless.learn.retell import Imagined, as_measured, numbers
from askless.trace import Trace

NEAR = 0.03  # how far a number of tokens may be from a belief's and still be called close to it


@dataclass(frozen=True)
class Belief:
    """A wrong idea of how a run goes. `imagine` gives the run that a person who holds it would see."""

    id: str
    says: str  # the idea, as its holder would put it
    truth: str  # what holds instead
    imagine: Callable[[Trace], list[Imagined]]


@dataclass(frozen=True)
class Parting:
    """The first request, counted from 0, at which an imagined run is not the measured one; None where it has none."""

    index: int
    imagined: Imagined | None
    measured: Imagined | None


@dataclass(frozen=True)
class Match:
    """A belief that gives a number, or one close to it, and where it leaves the measured run."""

    belief: Belief
    number: int
    parting: Parting


@dataclass(frozen=True)
class Compared:
    """One measure: predicted, measured, and the beliefs that give a wrong number. More than one is ambiguous."""

    measure: str
    predicted: int
    measured: int
    sure: int | None
    matches: tuple[Match, ...]
    parting: Parting | None  # by counting alone, for a number that no belief gives; None when it is right

    @property
    def difference(self) -> int:
        """Predicted less measured: above zero is too many."""
        return self.predicted - self.measured

    @property
    def right(self) -> bool:
        """Whether the number is the measured one."""
        return self.difference == 0

    @property
    def ambiguous(self) -> bool:
        """Whether more than one belief gives it."""
        return len(self.matches) > 1


@dataclass(frozen=True)
class Explanation:
    """Every measure compared, and the beliefs that give all the numbers at once: the likeliest by far."""

    compared: tuple[Compared, ...]
    whole: tuple[Match, ...]

    @property
    def parting(self) -> Parting | None:
        """Where prediction and run first part ways; None when every number is right."""
        found = [match.parting for match in self.whole]
        for compared in self.compared:
            found += [match.parting for match in compared.matches] or ([compared.parting] if compared.parting else [])
        return min(found[: len(self.whole)] or found, key=lambda parting: parting.index, default=None)


def explain(prediction: Prediction, trace: Trace, beliefs: Iterable[Belief]) -> Explanation:
    """What a prediction got right and wrong of a run, and which beliefs would have predicted the same."""
    run = as_measured(trace)
    told = [(belief, imagined, numbers(imagined)) for belief in beliefs if (imagined := belief.imagine(trace)) != run]
    compared = tuple(_compare(measure, prediction, run, told) for measure in MEASURES)
    whole = [_match(told_one, run, "round_trips") for told_one in told if told_one[2] == prediction.numbers]
    return Explanation(compared, () if numbers(run) == prediction.numbers else tuple(whole))


_Told = tuple[Belief, list[Imagined], dict[str, int]]


def _compare(measure: str, prediction: Prediction, run: list[Imagined], told: list[_Told]) -> Compared:
    predicted, measured = prediction.numbers[measure], numbers(run)[measure]
    sure = (prediction.sure or {}).get(measure)
    if predicted == measured:
        return Compared(measure, predicted, measured, sure, (), None)
    giving = [one for one in told if one[2][measure] == predicted]
    if not giving and measure == "input_tokens":
        giving = _close(told, predicted, measured)
    matches = tuple(_match(one, run, measure) for one in giving)
    return Compared(measure, predicted, measured, sure, matches, _counted(measure, predicted, run))


def _close(told: list[_Told], predicted: int, measured: int) -> list[_Told]:
    """The beliefs nearest to a number of tokens, if they are close to it and closer than the truth."""
    gaps = [abs(own["input_tokens"] - predicted) for _, _, own in told]
    nearest = min(gaps, default=predicted)
    if nearest > NEAR * predicted or nearest >= abs(measured - predicted):
        return []
    return [one for one, gap in zip(told, gaps, strict=True) if gap == nearest]


def _match(told: _Told, run: list[Imagined], measure: str) -> Match:
    belief, imagined, own = told
    return Match(belief, own[measure], part(imagined, run))


def part(imagined: Sequence[Imagined], run: Sequence[Imagined]) -> Parting:
    """Where two runs that differ first do so."""
    pairs = enumerate(zip_longest(imagined, run))
    return next(Parting(index, ours, theirs) for index, (ours, theirs) in pairs if ours != theirs)


def _counted(measure: str, predicted: int, run: list[Imagined]) -> Parting:
    """The request that goes past a number, or the place after the last one when none does."""
    for index in range(len(run)):
        if numbers(run[: index + 1])[measure] > predicted:
            return Parting(index, None, run[index])
    return Parting(len(run), None, None)
