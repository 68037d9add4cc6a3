"""The HTTP clients that the SDK is given: a service answers, from memory, in this process.

Imported by `client` when the SDK is wanted, since httpx2 takes long to load.
"""

from datetime import timedelta
from typing import Any

import httpx2

from askless.api.wire import Wire
from askless.service import EXCHANGE, LOCK, Service, not_found


class Transport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """A service as httpx2 knows a network; each response brings its exchange, and the lock to read it under."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wire = Wire()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        path = request.url.path
        if request.method == "POST":
            answer = self._service.post(path, request.headers, request.content, wire=self._wire)
        else:
            answer = not_found(path)
        known = {EXCHANGE: answer.exchange, LOCK: self._service.lock}
        return httpx2.Response(answer.status, headers=answer.headers, content=answer.body, extensions=known)

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
        return _bound(self._direct.handle_request(request), request)


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
        return _bound(self._direct.handle_request(request), request)


def _request(method: str, url: Any, parts: dict[str, Any]) -> httpx2.Request | None:
    if any(parts.get(name) is not None for name in ("params", "data", "files", "json", "cookies", "extensions")):
        return None
    return httpx2.Request(method, url, headers=parts.get("headers"), content=parts.get("content"))


def _bound(response: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    response.request = request
    response.elapsed = timedelta(0)
    return response
