"""The parent's side of one run: the model, the desk and the counting; and what the run said of itself."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from askless.check.evidence import ending
from askless.check.target import Finding
from askless.judge.noted import Noted
from askless.judge.siblings import Siblings
from askless.record import Exchange, Recorder, blocks
from askless.service import Serving
from askless.share import Share

TIMEOUT_S = 30.0
SAID_CHARS = 20_000  # of each thing that a run says of itself

Happening = Literal["started", "requests", "bytes", "fault"]


@dataclass(frozen=True)
class Crash:
    """What the learner's file raised; `line` is where in it, as far as that is known."""

    finding: Finding
    line: int | None


@dataclass(frozen=True)
class Outcome:
    """What a run says of itself, never more than words: its text, or the type it returned instead, or its crash."""

    text: str | None = None
    not_text: str | None = None
    crash: Crash | None = None


@dataclass
class Room:
    """One run's model and desk. `tell` hears of what ends a run early."""

    path: str  # the agent's file, as its learner knows it
    source: bytes
    desk: Any
    service: Serving
    requests: int  # the most allowed
    timeout_s: float = TIMEOUT_S  # from when it has fetched its job
    recorder: Recorder = field(default_factory=Recorder)
    share: Share = field(default_factory=Share)
    siblings: Siblings | None = None  # who looks at which calls overlap, where anybody does
    outcome: Outcome | None = None
    started: bool = False
    fault: str | None = None  # the lab's own
    tell: Callable[[Happening], None] = lambda _: None

    @cached_property
    def look_ups(self) -> list[str]:
        """The names of what the agent may look up."""
        return look_ups(self.desk)

    @property
    def has_asked_enough(self) -> bool:
        """Whether all requests that are allowed were sent, or more are handed in."""
        sent = len(self.recorder)
        return sent >= self.requests or sent + self.service.pending > self.requests

    def job(self) -> dict[str, Any]:
        """What the child is to run; KeyError for one that asks again, as its clock would begin anew."""
        if self.started:
            raise KeyError("job")
        self.started = True
        self.tell("started")
        return {
            "path": self.path,
            "source": self.source.decode("latin-1"),  # bytes, one character each
            "question": self.desk.question,
            "desk": self.look_ups,
        }

    def look_up(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """A look-up's value, or the builtin exception it raised."""
        try:
            return {"value": getattr(self.desk, name)(*args, **kwargs)}
        except (LookupError, TypeError, ValueError, AttributeError, OSError) as error:
            return {"error": type(error).__name__, "args": [_plain(arg) for arg in error.args]}

    def record(self, exchange: Exchange) -> None:
        """Count an exchange while nobody else reads its conversation. SpentError where the run has had its share."""
        self.share.keep(exchange.request)
        with self.service.lock:
            self.recorder.record(exchange)
        words = ending(exchange.reply)
        if words is not None and isinstance(self.desk, Noted):
            self.desk.ended(words)
        if self.siblings:
            calls = sum(1 for _ in blocks(exchange.reply, "tool_use"))
            self.siblings.replied(len(self.recorder) - 1, calls)


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | None) else str(value)


def look_ups(desk: Any) -> list[str]:
    """The names of what an agent may look up."""
    return [name for name in dir(desk) if not name.startswith("_") and callable(getattr(desk, name))]


def read_outcome(said: Any) -> Outcome | None:
    """An outcome from what a child posted; None where it has no such shape."""
    match said:
        case {"text": str(text)}:
            return Outcome(text=text)
        case {"not_text": str(kind)}:
            return Outcome(not_text=kind[:SAID_CHARS])
        case {"id": str(kind), "what": str(what), "next": str(act), "line": int() | None as line}:
            return Outcome(crash=Crash(Finding(kind[:40], _capped(what), " ".join(act.split())[:SAID_CHARS]), line))
    return None


def _capped(text: str) -> str:
    """A long text without its middle: a traceback's beginning and its last words are kept."""
    half = SAID_CHARS // 2
    return text if len(text) <= SAID_CHARS else f"{text[:half]}\n  …\n{text[-half:]}"
