"""A prediction beside a trace: how far off it is, which wrong belief gives its numbers, and where the two part ways."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from askless.learn.prediction import MEASURES, Prediction
from askless.learn.retell import Imagined, as_measured, numbers
from askless.trace import Trace

ROUNDED = 0.05  # how far, of its own size, a rounded number of tokens may be from the one that was rounded


@dataclass(frozen=True)
class Belief:
    """A wrong idea of how a run goes. `imagine` gives the run that a person who holds it would see."""

    id: str
    says: str  # the idea, as its holder would put it
    truth: str  # what holds instead
    imagine: Callable[[Trace], list[Imagined]]


@dataclass(frozen=True)
class Parting:
    """The first request, counted from 0, at which a count is not the measured run's.

    Where a belief gives the count, it is the first that is imagined otherwise (None where one side has no such
    request). Where none does, it is the one that goes past the number of `measure`, or the place after the last.
    """

    index: int
    imagined: Imagined | None = None
    measured: Imagined | None = None
    measure: str | None = None


@dataclass(frozen=True)
class Match:
    """A belief, the numbers it gives by measure, and where it leaves the measured run. Typed tokens may be rounded."""

    belief: Belief
    numbers: Mapping[str, int]
    parting: Parting
    run: tuple[Imagined, ...] = ()


@dataclass(frozen=True)
class Compared:
    """One measure: predicted, measured, and the beliefs that give a wrong number. More than one is ambiguous."""

    measure: str
    predicted: int
    measured: int
    sure: int | None
    matches: tuple[Match, ...]
    parting: Parting | None  # by counting alone; None for a right number, rounded or not

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
    """Every measure compared, and the beliefs that give all three numbers at once: the likeliest ones."""

    compared: tuple[Compared, ...]
    whole: tuple[Match, ...]

    @property
    def held(self) -> tuple[Match, ...]:
        """The beliefs that explain the prediction: those that give it whole, else those that give a wrong number."""
        return self.whole or tuple(match for one in self.compared for match in one.matches)

    @property
    def partings(self) -> tuple[Parting, ...]:
        """Where each of them leaves the run, the earliest first, each once; more than one says that it depends."""
        return tuple(sorted({match.parting: None for match in self.held}, key=lambda parting: parting.index))

    @property
    def parting(self) -> Parting | None:
        """Where prediction and run first part ways; None when every number is right."""
        counted = [one.parting for one in self.compared if one.parting]
        return min(self.partings or counted, key=lambda parting: parting.index, default=None)


def unchanged(rung: str, beside: Trace) -> Belief:
    """The idea that a rung costs what the one beside it does. It tells that one's numbers, once they are shown."""
    return Belief(
        "unchanged",
        f"nothing that is counted changes between {beside.rung} and {rung}",
        "the change in the code, shown below, changes this",
        lambda _: as_measured(beside),
    )


@dataclass(frozen=True)
class _Told:
    """A belief's run."""

    belief: Belief
    run: list[Imagined]
    numbers: dict[str, int]


def explain(prediction: Prediction, trace: Trace, beliefs: Iterable[Belief]) -> Explanation:
    """What a prediction got right and wrong of a run, and which beliefs would have predicted the same."""
    run = as_measured(trace)
    imagined = [(belief, belief.imagine(trace)) for belief in beliefs]
    told = [_Told(belief, own, numbers(own)) for belief, own in imagined if own != run]
    compared = tuple(_compare(measure, prediction, run, told) for measure in MEASURES)
    whole = _giving(told, prediction.numbers) if any(one.parting for one in compared) else []
    return Explanation(compared, tuple(_match(each, run) for each in whole))


def _compare(measure: str, prediction: Prediction, run: list[Imagined], told: list[_Told]) -> Compared:
    predicted, measured = prediction.numbers[measure], numbers(run)[measure]
    sure = (prediction.sure or {}).get(measure)
    if predicted == measured or _rounded(measure, measured, predicted):
        return Compared(measure, predicted, measured, sure, (), None)
    matches = [_match(each, run) for each in _giving(told, {measure: predicted})]
    return Compared(measure, predicted, measured, sure, tuple(matches), _counted(measure, predicted, run))


def _match(told: _Told, run: list[Imagined]) -> Match:
    return Match(told.belief, told.numbers, part(told.run, run), tuple(told.run))


def _giving(told: list[_Told], typed: Mapping[str, int]) -> list[_Told]:
    """The runs that come to these numbers; where there are none, those that come to them rounded."""
    exact = [each for each in told if all(each.numbers[measure] == number for measure, number in typed.items())]
    return exact or [
        each
        for each in told
        if all(
            each.numbers[name] == number or _rounded(name, each.numbers[name], number) for name, number in typed.items()
        )
    ]


def _rounded(measure: str, number: int, typed: int) -> bool:
    """Tokens are often typed rounded; trips and calls are small enough to be counted."""
    return measure == "input_tokens" and rounds_to(number, typed)


def rounds_to(number: int, typed: int) -> bool:
    """Whether a typed number that ends in zeros is the other one, rounded and not far from it."""
    zeros = len(str(typed)) - len(str(typed).rstrip("0"))
    unit = int(10**zeros)
    return 1 < unit <= typed and abs(number - typed) <= min(unit / 2, ROUNDED * typed)


def part(imagined: Sequence[Imagined], run: Sequence[Imagined]) -> Parting:
    """Where two runs that differ first do so."""
    pairs = enumerate(zip_longest(imagined, run))
    return next(Parting(index, ours, theirs) for index, (ours, theirs) in pairs if ours != theirs)


def _counted(measure: str, predicted: int, run: list[Imagined]) -> Parting:
    """The request that goes past a number, or the place after the last one when none does."""
    for index in range(len(run)):
        if numbers(run[: index + 1])[measure] > predicted:
            return Parting(index, measured=run[index], measure=measure)
    return Parting(len(run), measure=measure)
