"""The HTTP clients that the SDK is given: a service answers, from memory, in this process.

Imported by `client` when the SDK is wanted, since httpx2 takes long to load.
"""

from datetime import timedelta
from typing import Any

import httpx2

from askless.api.wire import Wire
from askless.record import Exchange
from askless.service import EXCHANGES, LOCK, Service
from askless.trace import NO_RESPONSE

NOT_MADE_HERE = ("params", "data", "files", "json", "cookies", "extensions")


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


class Client(httpx2.Client):
    """A client over a Transport, without what only a network needs: headers of its own, redirects, cookies, a clock."""

    def __init__(self, service: Service) -> None:
        self._direct = Transport(service)
        super().__init__(transport=self._direct)

    def build_request(self, method: str, url: Any, **parts: Any) -> httpx2.Request:
        """A request of the given parts, and of nothing else where they are only headers and content."""
        return _request(method, url, parts) or super().build_request(method, url, **parts)

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Answer one request."""
        if self.is_closed or options.keys() - {"stream"}:
            return super().send(request, **options)
        response = _bound(self._direct.handle_request(request), request)
        if not options.get("stream"):
            response.read()
        return response


class AsyncClient(httpx2.AsyncClient):
    """As Client, for the asynchronous SDK."""

    def __init__(self, service: Service) -> None:
        self._direct = Transport(service)
        super().__init__(transport=self._direct)

    def build_request(self, method: str, url: Any, **parts: Any) -> httpx2.Request:
        """A request of the given parts, and of nothing else where they are only headers and content."""
        return _request(method, url, parts) or super().build_request(method, url, **parts)

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Answer one request."""
        if self.is_closed or options.keys() - {"stream"}:
            return await super().send(request, **options)
        response = _bound(self._direct.handle_request(request), request)
        if not options.get("stream"):
            await response.aread()
        return response


def _request(method: str, url: Any, parts: dict[str, Any]) -> httpx2.Request | None:
    """A request as a transport has it, without the length and the host that httpx2 adds for a network."""
    headers, content = parts.get("headers"), parts.get("content") or b""
    if not isinstance(content, bytes) or any(parts.get(name) is not None for name in NOT_MADE_HERE):
        return None
    request = httpx2.Request(method, url, headers=headers, stream=httpx2.ByteStream(content))
    if isinstance(headers, httpx2.Headers):
        request.headers.encoding = headers.encoding  # else it is found out again, header by header
    request.read()
    return request


def _bound(response: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    response.request = request
    response.elapsed = timedelta(0)
    return response
