"""A recorded run, played back: each request of it is answered as it was, and no other is answered at all.

A recording holds the model's side of a run, so what the real API said once makes a test that needs no key. A request
is known by its text, byte for byte, wherever in the run it comes; the same one sent again gets what came the next time.
"""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from askless.api.conversation import Request
from askless.api.faults import Fault
from askless.api.parts import Part, as_json, digest, split
from askless.api.refusal import Refusal
from askless.record import Exchange
from askless.trace import Trace

FRAMED = ("tools", "system")  # the fields around the messages that are parts of their own
BEFORE_CHARS, AFTER_CHARS = 20, 45  # shown around the first character that differs

Key = tuple[tuple[str, bytes], ...]  # the label and the digest of each part, in the order in which they are compared


@dataclass(frozen=True)
class Parting:
    """The first place where a request is not as recorded.

    `part` is tools, system, messages.3 or rest; empty where the recording has been played to its end. `at` counts the
    part's characters as JSON. Each side is its text around that place, None where it has no such part.
    """

    n: int  # the recorded request's number
    part: str
    at: int = 0
    recorded: str | None = None
    sent: str | None = None

    def __str__(self) -> str:
        if not self.part:
            return f"the recording ends with request {self.n}, and this is one more"
        sides = (f"{name} {text or 'nothing'}" for name, text in (("recorded", self.recorded), ("sent", self.sent)))
        return f"not as recorded in request {self.n}: {self.part}, character {self.at}: {', '.join(sides)}"


class Replay:
    """Answers for itself, as the service's backend does; its owner keeps other threads out.

    A request that is not in the recording is refused with 400, which no client tries again.
    """

    def __init__(self, trace: Trace) -> None:
        self.now_s = 0.0  # simulated; batches ask for it
        self.parted: Parting | None = None  # the first time that a request was not as recorded
        self._trace = trace
        self._keys = [_key(sent.part for sent in trace.parts(index)) for index in range(len(trace.round_trips))]
        self._waiting: defaultdict[Key, deque[int]] = defaultdict(deque)
        for index, key in enumerate(self._keys):
            self._waiting[key].append(index)

    @property
    def unplayed(self) -> list[int]:
        """The places in the trace of the round trips that nobody has asked for."""
        return sorted(index for waiting in self._waiting.values() for index in waiting)

    def next_fault(self) -> None:
        """Nothing is planned: what failed in the recording fails again."""

    def answer(self, request: Request, _: Fault | None = None, batch: str | None = None) -> Exchange:
        """What was recorded for a request, or the refusal that says where it differs."""
        key = _key(split(request))
        if not (waiting := self._waiting.get(key)):
            refusal = self._refusal(request, key)
            return Exchange(request, refusal.status, refusal.envelope(f"req_{digest(request)}"), batch=batch)
        trip = self._trace.round_trips[waiting.popleft()]
        return Exchange(request, trip.status, trip.reply, trip.delay_s, trip.retry_after_s, batch)

    def answer_batched(self, request: Request, batch: str) -> Exchange:
        """The same for one request of a message batch."""
        return self.answer(request, batch=batch)

    def refusal(self, request: Request, *, counting: bool = False) -> Refusal | None:
        """Why a request gets no answer; a count of tokens is in no recording."""
        return _refused("a recording holds no token counts", "count_tokens") if counting else None

    def _refusal(self, request: Request, key: Key) -> Refusal:
        parting = self._parting(request, key)
        self.parted = self.parted or parting
        return _refused(str(parting), parting.part)

    def _parting(self, request: Request, key: Key) -> Parting:
        """Where a request parts from the one still unplayed with which it shares most, the earliest of several."""
        unplayed = self.unplayed
        if not unplayed:
            return Parting(max((trip.n for trip in self._trace.round_trips), default=0), "")
        index = max(unplayed, key=lambda each: (_shared(self._keys[each], key), -each))
        at = _shared(self._keys[index], key)
        label = min((side[at][0] for side in (key, self._keys[index]) if at < len(side)), key=_order)
        texts = (_text(body, label) for body in (self._trace.body(index), request.body))
        return _first_character(self._trace.round_trips[index].n, label, *texts)


def _key(parts: Iterable[Part]) -> Key:
    """In the order of a prompt: tools, system, messages; then the rest."""
    return tuple((part.label, part.digest) for part in sorted(parts, key=lambda part: _order(part.label)))


def _order(label: str) -> int:
    return {"tools": 0, "system": 1, "rest": 3}.get(label, 2)


def _shared(one: Key, other: Key) -> int:
    """How many parts are the same on both sides, from the first."""
    return next((at for at, sides in enumerate(zip(one, other, strict=False)) if sides[0] != sides[1]), len(one))


def _text(body: dict[str, Any], label: str) -> str | None:
    """A part of a body as JSON; None where the body has no such part."""
    request = Request.of(body)
    name, _, number = label.partition(".")
    if number:
        return as_json(request.messages[int(number)]) if int(number) < request.length else None
    if label == "rest":
        return as_json({name: value for name, value in request.fields.items() if name not in FRAMED})
    return as_json(body[name]) if name in body else None


def _first_character(n: int, part: str, recorded: str | None, sent: str | None) -> Parting:
    pairs = zip(recorded or "", sent or "", strict=False)
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return Parting(n, part, at, _around(recorded, at), _around(sent, at))


def _around(text: str | None, at: int) -> str | None:
    """A text near a character, with dots where it goes on."""
    if text is None:
        return None
    start, end = max(0, at - BEFORE_CHARS), at + AFTER_CHARS
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _refused(what: str, place: str) -> Refusal:
    mend = "record the run again, or send what was recorded"
    return Refusal(400, "invalid_request_error", f"recording: {what}", "recording", place, mend)
