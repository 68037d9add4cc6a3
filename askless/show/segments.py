"""What the figures draw, as numbers: who first sent what, what each part cost, how far off each prediction was."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf

from askless.api.parts import Kind, Part
from askless.learn.prediction import MEASURES, Prediction
from askless.trace import RoundTrip, Sent, Trace

NAMES: dict[Kind, str] = {
    "user": "user's text",
    "assistant": "model's replies",
    "results": "tool results",
    "system": "system prompt",
    "tools": "tools offered",
    "rest": "the rest",
}


@dataclass(frozen=True)
class Segment:
    """A piece of a bar. A retry has a bar of its own and the request number of the one it repeats."""

    bar: int  # 1 is the run's first request
    first_sent: int  # the request that first sent these tokens
    tokens: int


@dataclass(frozen=True)
class Panel:
    """A run to draw, what somebody predicted of it, and how they imagine its requests if a known belief gives that."""

    trace: Trace
    predicted: Prediction | None = None
    imagined_tokens: tuple[int, ...] = ()  # one for each imagined request
    parts_at: int | None = None  # the first bar that is not as imagined

    @property
    def expected(self) -> list[float]:
        """The predicted tokens by request: as imagined, else the same for each of the predicted requests."""
        if self.predicted is None:
            return []
        trips, total = self.predicted.round_trips, self.predicted.input_tokens
        if len(self.imagined_tokens) == trips and sum(self.imagined_tokens) == total:
            return [float(each) for each in self.imagined_tokens]
        return [total / trips] * trips

    @property
    def guess(self) -> str:
        """What stands for the predicted requests, in words."""
        if not self.expected:
            return ""
        imagined = self.expected == [*map(float, self.imagined_tokens)]
        return "the requests as that idea has them" if imagined else "your total, spread evenly over your requests"


@dataclass(frozen=True)
class Cost:
    """What one kind of part cost over a run; the costs of all kinds add up to the run's input tokens."""

    kind: Kind
    first_tokens: int  # sent for the first time
    again_tokens: int  # sent before

    @property
    def tokens(self) -> int:
        """All that it cost."""
        return self.first_tokens + self.again_tokens


@dataclass(frozen=True)
class Guess:
    """A measure of a rung as it was predicted and as it was measured."""

    rung: str
    measure: str
    predicted: int
    measured: int
    sure_percent: int | None = None

    @property
    def ratio(self) -> float:
        """How many times the measured number was predicted: 1 is right."""
        if self.predicted == self.measured:
            return 1.0
        return self.predicted / self.measured if self.measured else inf


@dataclass(frozen=True)
class Table:
    """The numbers of a figure for those who read rather than look; the first cell of a row names it."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def aligned(table: Table) -> Iterator[str]:
    """The rows as text; those of one name stand together, named where they begin."""
    rows = [table.head, *table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    before = ""
    for name, *cells in rows:
        right = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        yield "  ".join([("" if name == before else name).ljust(widths[0]), *right])
        before = name


def segments(trace: Trace) -> tuple[Segment, ...]:
    """Every bar's pieces, from the bottom up: a request of 808 tokens reads as 170 + 260 + 378."""
    return tuple(
        Segment(index + 1, first_sent, count)
        for index in range(len(trace.round_trips))
        for first_sent, count in enumerate(trace.new_tokens(index), start=1)
        if count
    )


def split(trace: Trace, index: int) -> str:
    """A request's tokens by the request that brought them, in words: 170 + 260 + 378."""
    return " + ".join(f"{count:,}" for count in trace.new_tokens(index))


def costs(trace: Trace) -> tuple[Cost, ...]:
    """What each kind of part cost over the run, in the order in which a request shows its parts."""
    first, again = Counter[Kind](), Counter[Kind]()
    for index, trip in enumerate(trace.round_trips):
        new = _new_tokens(trace, index)
        first.update(_shares(new, (sent.part for sent in trace.parts(index) if _is_new(sent, trip))))
        again.update(
            _shares(trip.input_tokens - new, (sent.part for sent in trace.parts(index) if not _is_new(sent, trip)))
        )
    return tuple(Cost(kind, first[kind], again[kind]) for kind in NAMES if first[kind] or again[kind])


def new_tokens(trace: Trace) -> int:
    """The tokens that were sent for the first time; the rest of the run's were sent again."""
    return sum(_new_tokens(trace, index) for index in range(len(trace.round_trips)))


def _new_tokens(trace: Trace, index: int) -> int:
    return trace.new_tokens(index)[-1] if trace.round_trips[index].attempt == 1 else 0


def _is_new(sent: Sent, trip: RoundTrip) -> bool:
    return sent.first_sent == trip.n and trip.attempt == 1


def _shares(count: int, parts: Iterable[Part]) -> Counter[Kind]:
    """So many tokens, shared among the parts by their characters; the shares add up."""
    shares = Counter[Kind]()
    parts = list(parts)
    whole = sum(part.chars for part in parts)
    upto = accumulate((part.chars for part in parts), initial=0)
    for part, (before, after) in zip(parts, pairwise(upto), strict=True):
        shares[part.kind] += count * after // whole - count * before // whole
    return shares


def guesses(panels: Iterable[Panel]) -> tuple[Guess, ...]:
    """Every measure of every predicted run, in the order of the panels."""
    return tuple(_guess(panel.trace, panel.predicted, name) for panel in panels if panel.predicted for name in MEASURES)


def _guess(trace: Trace, predicted: Prediction, measure: str) -> Guess:
    sure = (predicted.sure or {}).get(measure)
    return Guess(trace.rung, measure, predicted.numbers[measure], getattr(trace.totals, measure), sure)
