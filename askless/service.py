"""A model as the Messages API: bytes in, status, headers and bytes out.

State lives here only where the real service has some: message threads. A model
is a pure function of a request, and so is the id of its reply.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from askless import sse
from askless.api import parts, rules
from askless.api.conversation import Request
from askless.api.wire import Wire
from askless.model import Model, Reply
from askless.record import Exchange
from askless.threads import ThreadError, Threads, without_thread

MESSAGES = "/v1/messages"
LIMIT_BYTES = 32 * 1024 * 1024  # catalog: api-errors

# Under these names a response of the in-process client holds its exchange, and the lock to read it under.
EXCHANGE = "askless.exchange"
LOCK = "askless.lock"

ORGANIZATION = "00000000-0000-4000-8000-000000000000"

# Families and shape of the ids that SDK 2.14 lists (2026-11). A list of whole ids would refuse next month's model; any
# `claude-…` would let a misspelt name pass here that the API does not know.
MODEL = re.compile(r"claude-(fable|haiku|mythos|opus|sonnet)-([4-9]|\d\d|preview)(-\d\d?)?(-\d{8})?")


@dataclass(frozen=True)
class Answer:
    """What goes back over the wire; `exchange` is None where no message was asked for (count_tokens, another path)."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    exchange: Exchange | None = field(default=None, repr=False)


def answer(model: Model, request: Request, *, strict_backend: bool = False) -> Exchange:
    """What the Messages API makes of a full request: the rules' refusal, or the model's reply as a message."""
    refusal = rules.refusal(request, strict_backend=strict_backend) or _unknown_model(request)
    return _refused(request, refusal) if refusal else Exchange(request, 200, message(request, model(request)))


def message(request: Request, reply: Reply) -> dict[str, Any]:
    """A reply as the API's message, with its id and usage."""
    content = list(reply.content)
    return {
        "id": f"msg_{parts.digest(request)}",
        "type": "message",
        "role": "assistant",
        "model": request.fields["model"],
        "content": content,
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "stop_details": None,
        "usage": {
            "input_tokens": parts.input_tokens(request),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": parts.tokens(parts.output_chars(content)),
            "service_tier": "standard",
        },
    }


def request_id(request: Request) -> str:
    """The id of a request: the same for the same body, so that a trace is the same each time."""
    return f"req_{parts.digest(request)}"


def _unknown_model(request: Request) -> rules.Refusal | None:
    name = request.fields["model"]
    return None if MODEL.fullmatch(name) else rules.refuse("model-unknown", "model", model=name)


class Service:
    """A model behind the API's paths; safe to share between threads.

    `strict_backend` refuses split tool results as some compatible services do; without
    `threads` a request with `thread` is answered with `thread_unsupported_request`.
    Whoever reads the exchange of an Answer while other threads post holds `lock`:
    equal conversations share one reading.
    """

    def __init__(self, model: Model, *, strict_backend: bool = False, threads: bool = True) -> None:
        self.lock = RLock()
        self._model = model
        self._strict_backend = strict_backend
        self._wire = Wire()
        self._threaded = threads
        self._threads = Threads()

    def post(self, path: str, headers: Mapping[str, str], data: bytes, *, wire: Wire | None = None) -> Answer:
        """Answer one POST; `path` may carry a query, `headers` has lower-case names or takes any case.

        A key is asked for, never looked at. A client that brings a `wire` of its own
        shares no conversation with others that say the same.
        """
        with self.lock:
            match path.partition("?")[0]:
                case "/v1/messages":
                    return self._messages(*_read(wire or self._wire, headers, data))
                case "/v1/messages/count_tokens":
                    return self._count_tokens(*_read(wire or self._wire, headers, data))
        return not_found(path)

    def _messages(self, request: Request, refusal: rules.Refusal | None) -> Answer:
        exchange = _refused(request, refusal) if refusal else self._exchange(request)
        streamed = exchange.status == 200 and request.fields.get("stream") is True
        return _answer(exchange.status, exchange.reply, exchange, streamed=streamed)

    def _count_tokens(self, request: Request, refusal: rules.Refusal | None) -> Answer:
        refusal = refusal or rules.refusal(request, strict_backend=self._strict_backend, counting=True)
        refusal = refusal or _unknown_model(request)
        if refusal:
            return _answer(refusal.status, refusal.envelope(request_id(request)))
        return _answer(200, {"input_tokens": parts.input_tokens(request)})

    def _exchange(self, request: Request) -> Exchange:
        """A request answered; one with a thread as the full request that it stands for."""
        try:
            whole = self._whole(request)
        except ThreadError as fault:
            return _refused(without_thread(request), rules.refuse(fault.rule, fault.place, **fault.values))
        exchange = answer(self._model, whole, strict_backend=self._strict_backend)
        if whole is not request and exchange.status == 200:
            self._threads.keep(whole, exchange.reply)
        return exchange

    def _whole(self, request: Request) -> Request:
        if self._threaded or not request.fields.get("thread"):
            return self._threads.expand(request)
        raise ThreadError("thread-unsupported", "thread")


def not_found(path: str) -> Answer:
    """The answer to a path that the lab does not serve."""
    refusal = rules.refuse("path-unknown", path=path)
    return _answer(refusal.status, refusal.envelope(request_id(Request.of({}))))


def _read(wire: Wire, headers: Mapping[str, str], data: bytes) -> tuple[Request, rules.Refusal | None]:
    """A body's request, and why it is refused before it is looked into; a body that is no JSON object is {}."""
    try:
        request = wire.read(data)
    except ValueError as error:
        return Request.of({}), rules.refuse("body-unreadable", reason=str(error))
    return request, _unasked(headers, data)


def _unasked(headers: Mapping[str, str], data: bytes) -> rules.Refusal | None:
    """The refusals that need no look at the body's fields."""
    if not headers.get("authorization", "").removeprefix("Bearer").strip() and not headers.get("x-api-key"):
        return rules.refuse("key-missing")
    if not headers.get("anthropic-version"):
        return rules.refuse("version-missing")
    if len(data) > LIMIT_BYTES:
        return rules.refuse("body-large")
    return None


def _refused(request: Request, refusal: rules.Refusal) -> Exchange:
    return Exchange(request, refusal.status, refusal.envelope(request_id(request)))


def _answer(status: int, reply: dict[str, Any], exchange: Exchange | None = None, *, streamed: bool = False) -> Answer:
    named = str(reply.get("request_id") or reply.get("id"))
    headers = {
        "content-type": "text/event-stream; charset=utf-8" if streamed else "application/json",
        "request-id": f"req_{named.partition('_')[2]}",
        "anthropic-organization-id": ORGANIZATION,
    }
    return Answer(status, headers, sse.encode(reply) if streamed else json.dumps(reply).encode(), exchange)
