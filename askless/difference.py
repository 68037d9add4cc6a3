"""Two traces held side by side: where they part, and what each kind of part cost."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any, get_args

from askless.api.parts import Kind, Part
from askless.trace import RoundTrip, Sent, Trace

NAMED = ("messages", "system", "tools")  # the fields that are parts of their own


@dataclass(frozen=True)
class Parting:
    """The first part in which two runs differ: the request's place in both traces, and the part on each side."""

    index: int
    left: Part | None  # None where that side has no such part, or no such request
    right: Part | None


@dataclass(frozen=True)
class Row:
    """One number on both sides."""

    name: str
    left: int
    right: int

    @property
    def change(self) -> int:
        """From left to right."""
        return self.right - self.left


def first_difference(left: Trace, right: Trace) -> Parting | None:
    """Where the requests of two runs part, message by message and then frame; None when they are the same."""
    for index in range(max(len(left.round_trips), len(right.round_trips))):
        if not _same(left, right, index):
            ours, theirs = (_parts(trace, index) for trace in (left, right))
            for one, other in zip_longest(ours, theirs):
                if one is None or other is None or not _equal(one, other):
                    return Parting(index, one, other)
    return None


def totals(left: Trace, right: Trace) -> list[Row]:
    """The totals of both."""
    theirs = asdict(right.totals)
    return [Row(name, value, theirs[name]) for name, value in asdict(left.totals).items()]


def chars_by_kind(left: Trace, right: Trace) -> list[Row]:
    """The characters sent in each kind of part, over all requests; a part that is sent again counts again."""
    ours, theirs = _chars(left), _chars(right)
    return [Row(kind, ours[kind], theirs[kind]) for kind in get_args(Kind) if ours[kind] or theirs[kind]]


def part_value(trace: Trace, index: int, part: Part) -> Any:
    """What a part of a request holds: the message, the field, or the body's other fields."""
    name, _, number = part.label.partition(".")
    if number:
        return trace.messages(index)[int(number)]
    fields = trace.round_trips[index].fields
    return fields[name] if name != "rest" else {key: fields[key] for key in fields if key not in NAMED}


def _same(left: Trace, right: Trace, index: int) -> bool:
    """Whether a request is the same in both, all requests before it being the same."""
    if index >= len(left.round_trips) or index >= len(right.round_trips):
        return False
    ours, theirs = left.round_trips[index], right.round_trips[index]
    return (ours.extends, ours.kept) == (theirs.extends, theirs.kept) and _sent(ours) == _sent(theirs)


def _sent(trip: RoundTrip) -> list[bytes]:
    return [sent.part.digest for sent in (*trip.added_parts, *trip.frame)]


def _parts(trace: Trace, index: int) -> list[Part]:
    return [sent.part for sent in trace.parts(index)] if index < len(trace.round_trips) else []


def _equal(one: Part, other: Part) -> bool:
    return (one.label, one.digest) == (other.label, other.digest)


def _chars(trace: Trace) -> Counter[str]:
    messages: list[Counter[str]] = []  # of each request, its messages' characters by kind
    total: Counter[str] = Counter()
    for index, trip in enumerate(trace.round_trips):
        messages.append(_message_chars(trace, index, messages))
        total += messages[-1] + _by_kind(trip.frame)
    return total


def _message_chars(trace: Trace, index: int, known: list[Counter[str]]) -> Counter[str]:
    """Along an untrimmed conversation, those of the request before and what is new."""
    trip = trace.round_trips[index]
    before = None if trip.extends is None else trace.round_trips[trip.extends]
    if before and trip.extends is not None and trip.kept == before.kept + len(before.added):
        return known[trip.extends] + _by_kind(trip.added_parts)
    return _by_kind(trace.parts(index)[: -len(trip.frame)])


def _by_kind(parts: Iterable[Sent]) -> Counter[str]:
    chars: Counter[str] = Counter()
    for sent in parts:
        chars[sent.part.kind] += sent.part.chars
    return chars
