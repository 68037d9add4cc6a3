"""The recorder: each exchange as it happens, and the Trace of them all.

It is fed by whatever stands between an agent and a model (the SDK's middleware,
the server), never by the agent's own code.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from askless.api.conversation import Conversation, Request
from askless.api.parts import Part, frame_parts, message_chars, message_parts
from askless.trace import Call, RoundTrip, Sent, Source, Trace


@dataclass(frozen=True)
class Exchange:
    """One request and what came back: a message, an error envelope, or nothing (status 0, reply {}).

    The others are as in a RoundTrip.
    """

    request: Request
    status: int
    reply: dict[str, Any]
    delay_s: float = 0.0
    retry_after_s: float | None = None
    batch: str | None = None


class Recorder:
    """Exchanges in, a Trace out; safe to share between threads."""

    def __init__(self) -> None:
        self._trips: list[RoundTrip] = []
        self._requests = 0  # retries not counted
        self._tips: dict[Conversation, int] = {}  # the last round trip along each conversation
        self._repeats: defaultdict[Conversation, Counter[bytes]] = defaultdict(Counter)
        self._first_sent: dict[tuple[bytes, int], int] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._trips)

    def record(self, exchange: Exchange) -> None:
        """Note one exchange."""
        with self._lock:
            self._trips.append(self._round_trip(exchange))
            self._tips[exchange.request.conversation] = len(self._trips) - 1

    def trace(
        self,
        *,
        task: str = "",
        rung: str = "",
        model: Source = "other",
        question: str = "",
        answer: str | None = None,
        answer_right: bool | None = None,
    ) -> Trace:
        """Everything recorded so far, each call with the result that a later request gave it."""
        with self._lock:
            trips = list(self._trips)
        results = dict(reversed(list(_results(trips))))
        answered = tuple(_answered(trip, results) for trip in trips)
        return Trace(task, rung, model, question, answer, answer_right, answered)

    def _round_trip(self, exchange: Exchange) -> RoundTrip:
        request = exchange.request
        extends = self._tips.get(request.conversation)
        before = None if extends is None else self._trips[extends]
        held = 0 if before is None else before.kept + len(before.added)
        kept = min(request.length, held)
        frame = frame_parts(request)
        same_frame = before is not None and [part.digest for part in frame] == [
            sent.part.digest for sent in before.frame
        ]
        n, attempt = self._number(before if same_frame and request.length == held else None)
        return RoundTrip(
            n=n,
            attempt=attempt,
            status=exchange.status,
            extends=extends,
            kept=kept,
            fields=before.fields if before and same_frame else request.fields,
            added=tuple(request.conversation.messages[kept : request.length]),
            added_parts=tuple(self._sent(part, n, request.conversation) for part in message_parts(request, kept)),
            frame=tuple(Sent(part, self._first_sent.setdefault((part.digest, 1), n)) for part in frame),
            chars=message_chars(request) + sum(part.chars for part in frame),
            reply=exchange.reply,
            delay_s=exchange.delay_s,
            retry_after_s=exchange.retry_after_s,
            batch=exchange.batch,
        )

    def _number(self, same: RoundTrip | None) -> tuple[int, int]:
        """A request's number and attempt; the `same` body after a failure is a retry."""
        if same and same.failed:
            return same.n, same.attempt + 1
        self._requests += 1
        return self._requests, 1

    def _sent(self, part: Part, n: int, conversation: Conversation) -> Sent:
        """When a message was first sent; one said twice in a conversation is two messages."""
        self._repeats[conversation][part.digest] += 1
        key = (part.digest, self._repeats[conversation][part.digest])
        return Sent(part, self._first_sent.setdefault(key, n))


def blocks(message: Any, kind: str) -> Iterator[dict[str, Any]]:
    """The content blocks of one type in a message of any shape."""
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") == kind:
            yield block


def _results(trips: list[RoundTrip]) -> Iterator[tuple[Any, dict[str, Any]]]:
    for trip in trips:
        for message in trip.added:
            for block in blocks(message, "tool_result"):
                if isinstance(block.get("tool_use_id"), str):
                    yield block["tool_use_id"], block


def _answered(trip: RoundTrip, results: dict[Any, dict[str, Any]]) -> RoundTrip:
    calls = tuple(_calls(trip, results))
    return replace(trip, calls=calls) if calls else trip


def _calls(trip: RoundTrip, results: dict[Any, dict[str, Any]]) -> Iterator[Call]:
    for block in blocks(trip.reply, "tool_use"):
        if not isinstance(block.get("id"), str) or not {"name", "input"} <= block.keys():
            continue  # as no model of the API's calls
        result = results.get(block["id"], {})
        yield Call(block["id"], block["name"], block["input"], result.get("content"), bool(result.get("is_error")))
