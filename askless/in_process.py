"""How the SDK reaches a service in this process: as a network, and for most requests without making HTTP of them.

Imported by `client` when the SDK is wanted, since httpx2 takes long to load.
"""

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import httpx2
from anthropic import APIConnectionError, APIResponse, AsyncAPIResponse, Omit

from askless.api.wire import Wire
from askless.record import Exchange
from askless.service import EXCHANGES, LOCK, MESSAGES, Service
from askless.trace import NO_RESPONSE

if TYPE_CHECKING:
    from anthropic._middleware import AsyncCallNext, CallNext
    from anthropic._request import APIRequest


class Dropped(httpx2.ReadError):
    """A connection that broke before an answer, as a plan of faults had it; brings what a response would bring."""

    def __init__(self, request: httpx2.Request, exchanges: tuple[Exchange, ...], lock: Any) -> None:
        super().__init__("the connection broke", request=request)
        self.extensions = {EXCHANGES: exchanges, LOCK: lock}


class Transport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """A service as httpx2 knows a network; each response brings its exchanges, and the lock to read them under."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wire = Wire()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        target = request.url.raw_path.decode()
        answer = self._service.serve(request.method, target, request.headers, request.content, wire=self._wire)
        if answer.status == NO_RESPONSE:
            raise Dropped(request, answer.exchanges, self._service.lock)
        known = {EXCHANGES: answer.exchanges, LOCK: self._service.lock}
        body = httpx2.ByteStream(answer.body)
        return httpx2.Response(answer.status, headers=answer.headers, stream=body, extensions=known)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        return self.handle_request(request)


class Direct:
    """Middleware that hands a plain request to the transport, past what only a network needs: a third of the time.

    Any other goes on as HTTP: a stream, one with headers or fields of its own, and all of them where more middleware
    stands below, which would not see it. Nothing is direct until `client` is set.
    """

    def __init__(self, service: Service) -> None:
        self.client: Any = None
        self.transport = Transport(service)

    def __call__(self, request: "APIRequest", call_next: "CallNext") -> "APIResponse[Any]":
        """One attempt."""
        sent = self._sent(request, call_next)
        return call_next(request) if sent is None else APIResponse(**self._answered(request, sent))

    async def asynchronous(self, request: "APIRequest", call_next: "AsyncCallNext") -> "AsyncAPIResponse[Any]":
        """One attempt of the asynchronous client."""
        sent = self._sent(request, call_next)
        return await call_next(request) if sent is None else AsyncAPIResponse(**self._answered(request, sent))

    def _sent(self, request: "APIRequest", call_next: Any) -> httpx2.Request | None:
        below = getattr(call_next, "__name__", "") != "base_handler"  # as the SDK calls the end of its chain
        return None if below or self.client is None or self.client.is_closed() else _plain(request)

    def _answered(self, request: "APIRequest", sent: httpx2.Request) -> dict[str, Any]:
        """What a response of the SDK is made of."""
        try:
            response = self.transport.handle_request(sent)
        except Exception as error:
            raise APIConnectionError(request=sent) from error
        response.request, response.elapsed = sent, timedelta(0)
        response.read()
        names = ("cast_to", "stream", "stream_cls", "options", "retries_taken")
        return {"raw": response, "client": self.client, **{name: getattr(request, name) for name in names}}


_MESSAGES = httpx2.URL(f"https://api.anthropic.com{MESSAGES}")  # never reached
_HEADERS = httpx2.Headers({"x-api-key": "askless", "anthropic-version": "2023-06-01"})
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)  # as the SDK writes


def _plain(request: "APIRequest") -> httpx2.Request | None:
    """A request for one message and nothing special, as a transport takes it."""
    options = request.options
    special = request.stream or options.extra_json or options.params or options.files or options.content
    headers = any(not isinstance(value, Omit) for value in request.headers.values())
    if special or headers or request.url != MESSAGES:
        return None
    try:
        data = _ENCODER.encode(request.json).encode()
    except (TypeError, ValueError, RecursionError):  # values that the SDK has its own ways with
        return None
    sent = httpx2.Request("POST", _MESSAGES, headers=_HEADERS, stream=httpx2.ByteStream(data))
    sent.read()
    return sent
