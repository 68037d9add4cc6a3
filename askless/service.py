"""A model as the Messages API: bytes in, status, headers and bytes out.

State lives here only where the real service has some: message threads, batches,
and what a run's backend remembers. A model is a pure function of a request, and
so is the id of its reply.
"""

from collections.abc import Mapping
from threading import RLock
from typing import Protocol

from askless import answer
from askless.answer import Answer, not_found
from askless.api import parts, rules
from askless.api.conversation import LONGEST, Request
from askless.api.faults import NO_FAULTS, Fault, Plan
from askless.api.wire import Wire
from askless.backend import OK, Backend, refused
from askless.batches import PATH as BATCHES
from askless.batches import Batches
from askless.model import Model
from askless.model.replay import Replay
from askless.record import Exchange
from askless.threads import ThreadError, Threads, without_thread

__all__ = ["Answer", "Service", "not_found"]

MESSAGES = "/v1/messages"
LIMIT_BYTES = 32 * 1024 * 1024  # catalog: api-errors
BATCH_LIMIT_BYTES = 256 * 1024 * 1024  # catalog: batches

# Under these names a response of the in-process client holds its exchanges, and the lock to read them under.
EXCHANGES = "askless.exchanges"
LOCK = "askless.lock"


class Serving(Protocol):
    """What answers behind the API's paths, be it a model here or the real API."""

    lock: RLock

    def serve(self, method: str, path: str, headers: Mapping[str, str], data: bytes) -> Answer:
        """Answer one request."""

    def new_bytes(self, data: bytes) -> int:
        """How much of a body is yet to be read, as far as can be told at once."""

    @property
    def pending(self) -> int:
        """How many requests were handed in, in batches, and are yet to be answered."""


class Service:
    """A model behind the API's paths, or a recording; safe to share between threads.

    A recording answers for itself, whatever else is said here.
    `strict_backend` refuses split tool results as some compatible services do; without
    `threads` a request with `thread` is answered with `thread_unsupported_request`, and
    without `windows` no prompt is too long.
    `faults` are counted by POST to /v1/messages, whatever becomes of it.
    Whoever reads the exchanges of an Answer while other threads post holds `lock`:
    equal conversations share one reading.
    """

    def __init__(
        self,
        model: Model | Replay,
        *,
        strict_backend: bool = False,
        threads: bool = True,
        windows: bool = True,
        faults: Plan = NO_FAULTS,
    ) -> None:
        self.lock = RLock()
        self._backend = (
            model
            if isinstance(model, Replay)
            else Backend(model, strict_backend=strict_backend, windows=windows, faults=faults)
        )
        self._wire = Wire()
        self._threaded = threads
        self._threads = Threads()
        self._batches = Batches(self._backend)

    def new_bytes(self, data: bytes) -> int:
        """How much of a body is yet to be read."""
        return self._wire.new_bytes(data)

    @property
    def pending(self) -> int:
        """How many requests of batches are yet to be answered."""
        return self._batches.pending

    def post(self, path: str, headers: Mapping[str, str], data: bytes, *, wire: Wire | None = None) -> Answer:
        """Answer one POST, as `serve` does."""
        return self.serve("POST", path, headers, data, wire=wire)

    def serve(
        self, method: str, path: str, headers: Mapping[str, str], data: bytes, *, wire: Wire | None = None
    ) -> Answer:
        """Answer one request; `path` may carry a query, `headers` has lower-case names or takes any case.

        A key is asked for, never looked at. A client that brings a `wire` of its own
        shares no conversation with others that say the same.
        """
        with self.lock:
            match method, path.partition("?")[0]:
                case "POST", "/v1/messages":
                    return self._messages(*_read(wire or self._wire, headers, data))
                case "POST", "/v1/messages/count_tokens":
                    return self._count_tokens(*_read(wire or self._wire, headers, data))
            if path.startswith(BATCHES):
                refusal = _unasked(headers, data, BATCH_LIMIT_BYTES)
                return answer.of_refusal(refusal) if refusal else self._batches.serve(method, path, data)
        return not_found(path.removesuffix("?"))

    def _messages(self, request: Request, refusal: rules.Refusal | None) -> Answer:
        fault = self._backend.next_fault()
        return answer.of_exchange(refused(request, refusal) if refusal else self._exchange(request, fault), fault)

    def _count_tokens(self, request: Request, refusal: rules.Refusal | None) -> Answer:
        refusal = refusal or self._backend.refusal(request, counting=True)
        if refusal:
            return answer.of_refusal(refusal, request)
        return answer.of_json({"input_tokens": parts.input_tokens(request)})

    def _exchange(self, request: Request, fault: Fault | None) -> Exchange:
        """A request answered; one with a thread as the full request that it stands for."""
        try:
            whole = self._whole(request)
        except ThreadError as error:
            return refused(without_thread(request), rules.refuse(error.rule, error.place, **error.values))
        exchange = self._backend.answer(whole, fault)
        if whole is not request and exchange.status == OK:
            self._threads.keep(whole, exchange.reply)
        return exchange

    def _whole(self, request: Request) -> Request:
        if self._threaded or not request.fields.get("thread"):
            return self._threads.expand(request)
        raise ThreadError("thread-unsupported", "thread")


def _read(wire: Wire, headers: Mapping[str, str], data: bytes) -> tuple[Request, rules.Refusal | None]:
    """A body's request, and why it is refused before it is looked into; a body that is no JSON object is {}."""
    try:
        request = wire.read(data)
    except ValueError as error:
        return Request.of({}), rules.refuse("body-unreadable", reason=str(error))
    if request.length > LONGEST:  # they are not counted either
        return Request.of(request.fields), rules.refuse("messages-many", "messages")
    return request, _unasked(headers, data)


def _unasked(headers: Mapping[str, str], data: bytes, most_bytes: int = LIMIT_BYTES) -> rules.Refusal | None:
    """The refusals that need no look at the body's fields."""
    if not headers.get("authorization", "").removeprefix("Bearer").strip() and not headers.get("x-api-key"):
        return rules.refuse("key-missing")
    if not headers.get("anthropic-version"):
        return rules.refuse("version-missing")
    if len(data) > most_bytes:
        return rules.refuse("body-large")
    return None
