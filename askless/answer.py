"""What goes back over the wire: status, headers and bytes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from askless import sse
from askless.api.conversation import Request
from askless.api.faults import Fault
from askless.api.rules import Refusal, refuse
from askless.backend import OK, request_id
from askless.record import Exchange
from askless.trace import NO_RESPONSE

ORGANIZATION = "00000000-0000-4000-8000-000000000000"

JSON = "application/json"
STREAM = "text/event-stream; charset=utf-8"
LINES = "application/x-jsonl"

# Goes with every error that a client tries again. The SDKs obey it before retry-after, so that they retry at once: the
# wait is simulated. Whoever reads retry-after finds what the API would have said.
AT_ONCE = {"retry-after-ms": "1"}


@dataclass(frozen=True)
class Answer:
    """One answer; with status 0 the connection breaks instead.

    `exchange` is None where no message was asked for (count_tokens, another path);
    `batched` are those of a message batch, once, when it is found to have ended.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    exchange: Exchange | None = field(default=None, repr=False)
    batched: tuple[Exchange, ...] = field(default=(), repr=False)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Everything to record."""
        return self.batched if self.exchange is None else (self.exchange, *self.batched)


def of_exchange(exchange: Exchange, fault: Fault | None = None) -> Answer:
    """The answer that ends an exchange, and breaks as its fault says."""
    if exchange.status == NO_RESPONSE:
        return Answer(NO_RESPONSE, {}, b"", exchange)
    streamed = exchange.status == OK and exchange.request.fields.get("stream") is True
    body = sse.encode(exchange.reply) if streamed else json.dumps(exchange.reply).encode()
    known = {**headers(exchange.reply, STREAM if streamed else JSON), **_when_to_retry(exchange)}
    answer = Answer(exchange.status, known, body, exchange)
    if exchange.status != OK or fault is None or fault.kind != "cut_stream":
        return answer
    return _cut(answer, exchange, fault.after_events or 1) if streamed else _broken(exchange)


def of_json(reply: dict[str, Any], batched: tuple[Exchange, ...] = ()) -> Answer:
    """A JSON object that is no message."""
    return Answer(OK, headers(reply), json.dumps(reply).encode(), batched=batched)


def of_refusal(refusal: Refusal, request: Request | None = None) -> Answer:
    """A refusal of what asks for no message."""
    reply = refusal.envelope(request_id(request or Request.of({})))
    return Answer(refusal.status, headers(reply), json.dumps(reply).encode())


def not_found(path: str) -> Answer:
    """The answer to a path that the lab does not serve."""
    return of_refusal(refuse("path-unknown", path=path))


def headers(reply: Mapping[str, Any], content_type: str = JSON) -> dict[str, str]:
    """The headers of every answer; the request's id is the one in the reply, under another prefix."""
    named = str(reply.get("request_id") or reply.get("id"))
    return {
        "content-type": content_type,
        "request-id": f"req_{named.partition('_')[2]}",
        "anthropic-organization-id": ORGANIZATION,
    }


def _when_to_retry(exchange: Exchange) -> dict[str, str]:
    if exchange.status not in (408, 409, 429) and exchange.status < 500:
        return {}
    told = exchange.retry_after_s
    return AT_ONCE if told is None else {"retry-after": f"{told:g}", **AT_ONCE}


def _cut(answer: Answer, exchange: Exchange, after_events: int) -> Answer:
    """A stream that ends early, in good order: the SDK raises nothing and its message has no stop reason."""
    *events, _delta, _stop, _end = answer.body.split(b"\n\n")
    body = b"".join(event + b"\n\n" for event in events[:after_events])
    _, reply = sse.decode(body.decode())
    return replace(answer, body=body, exchange=replace(exchange, reply=reply))


def _broken(exchange: Exchange) -> Answer:
    return of_exchange(replace(exchange, status=NO_RESPONSE, reply={}))
