"""The Messages API as an endpoint of a web application."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from askless.answer import of_refusal
from askless.api import rules
from askless.api.faults import LIMITED
from askless.connection import ABORT
from askless.record import Exchange
from askless.service import BATCH_LIMIT_BYTES, LIMIT_BYTES, Serving
from askless.share import Share
from askless.trace import NO_RESPONSE

OVERLONG_BYTES = 32 * 1024 * 1024  # that are read of a body beyond what is taken, and thrown away

LONG_BYTES = 64 * 1024  # not read before: what takes long enough for others to notice

METHODS = ("GET", "POST", "DELETE")

# Documented names (catalog: rate-limits), and values that never make a client wait: the lab has no such limit.
LIMITS = [
    (f"anthropic-ratelimit-{what}-{name}".encode(), value.encode())
    for what, most in (
        ("requests", "4000"),
        ("tokens", "2400000"),
        ("input-tokens", "2000000"),
        ("output-tokens", "400000"),
    )
    for name, value in (("limit", most), ("remaining", most), ("reset", "2026-01-01T00:00:00Z"))
]


class TooLongError(Exception):
    """A body is longer than is taken."""


class Broken(Response):
    """No response: the connection breaks."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Break it, and wait until the server knows."""
        scope["extensions"][ABORT]["now"]()
        while (await receive())["type"] != "http.disconnect":
            pass


@dataclass(frozen=True)
class _Application:
    """An endpoint as an application of its own: it leaves errors to the one around it."""

    endpoint: Callable[[Request], Awaitable[Response]]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.endpoint(Request(scope, receive))
        await response(scope, receive, send)


def route(prefix: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
    """Where the API stands. The endpoint is to have what is `answered` made by `answer`."""
    return Route(f"{prefix}/v1/{{rest:path}}", _Application(endpoint), methods=METHODS)


async def answered(request: Request, service: Serving, share: Share, act: Callable[[bytes], Response]) -> Response:
    """What `act` makes of the body of a request to the API.

    TooLongError where the API takes none so long, SpentError where the run has had its share.
    """
    batches = request.path_params["rest"].startswith("messages/batches")
    data = await body(request, share, BATCH_LIMIT_BYTES if batches else LIMIT_BYTES)
    long = len(data) > LONG_BYTES
    response = await share.work(lambda: batches or (long and service.new_bytes(data) > LONG_BYTES), partial(act, data))
    share.take(len(response.body))
    return response


async def body(request: Request, share: Share, most_bytes: int = LIMIT_BYTES) -> bytes:
    """The body of a request. TooLongError where it is too long, SpentError where it is over its run's share.

    That is read to its end all the same, if that is near: a client that sends on would not come to read a refusal.
    """
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        share.count(len(piece))
        if size <= most_bytes and not share.is_spent:
            pieces.append(piece)
        elif size > most_bytes + OVERLONG_BYTES:
            break
    if size > most_bytes:
        raise TooLongError
    share.check()
    return b"".join(pieces)


def answer(service: Serving, request: Request, record: Callable[[Exchange], None], data: bytes) -> Response:
    """The answer to a request to the API. It is recorded before the client can see the reply."""
    path, query = request.path_params["rest"], request.scope["query_string"].decode("latin-1")
    made = service.serve(request.method, f"/v1/{path}?{query}", request.headers, data)
    for exchange in made.exchanges:
        record(exchange)
    if made.status == NO_RESPONSE:
        return Broken()
    response = Response(made.body, made.status, made.headers)
    if made.status != LIMITED:  # there they would say that nothing is used up
        response.raw_headers += LIMITS
    return response


async def _too_long(_: Request, __: Exception) -> Response:
    refused = of_refusal(rules.refuse("body-large"))
    return Response(refused.body, refused.status, refused.headers)


async def _fault(_: Request, error: Exception) -> Response:
    said = {"type": "api_error", "message": f"a fault of the lab: {type(error).__name__}: {error}"}
    return Response(json.dumps({"type": "error", "error": said}), 500, media_type="application/json")


# What an application says of a body that is too long, and of its own faults, in the API's envelope.
HANDLERS: dict[Any, Any] = {TooLongError: _too_long, Exception: _fault}
