"""Exchanges read from the bytes of a live client: what was sent, and what came back as it passes."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from threading import Lock
from typing import Any

import httpx2

from askless import sse
from askless.api.conversation import Request
from askless.api.wire import Wire
from askless.record import Exchange, Recorder
from askless.threads import ThreadError, Threads
from askless.trace import NO_RESPONSE


class Tape:
    """Reads exchanges off the wire into a recorder; safe to share between threads."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._wire = Wire()
        self._threads = Threads()
        self._lock = Lock()

    def lost(self, request: httpx2.Request) -> None:
        """Record a request whose connection broke before an answer."""
        self._record(request, NO_RESPONSE, {})

    def attach(self, response: httpx2.Response) -> None:
        """Record a response, at once if it has been read, else when its stream ends or is closed."""
        if response.is_closed:
            self._record(response.request, *read_reply(response, response.content))
        else:
            response.stream = Tap(response.stream, lambda data, broken: self._finish(response, data, broken))

    def _finish(self, response: httpx2.Response, data: bytes, broken: bool) -> None:
        status, reply = read_reply(response, _decoded(response, data))
        self._record(response.request, NO_RESPONSE if broken else status, reply)

    def _record(self, sent: httpx2.Request, status: int, reply: dict[str, Any]) -> None:
        with self._lock:
            request = self._wire.read(sent.content)
            whole = self._whole(request)
            self._recorder.record(Exchange(whole, status, reply))
            if "thread" in request.fields and status == 200 and "id" in reply:
                self._threads.keep(whole, reply)

    def _whole(self, request: Request) -> Request:
        """What a request stands for; itself where its thread began before the recording."""
        try:
            return self._threads.expand(request)
        except ThreadError:
            return request


class Tap(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A response's stream that keeps what passes; `done(data, broken)` is called once, at its end or its closing."""

    def __init__(self, body: Any, done: Callable[[bytes, bool], None]) -> None:
        self._body = body
        self._done = done
        self._passed: list[bytes] | None = []

    def __iter__(self) -> Iterator[bytes]:
        try:
            for chunk in self._body:
                yield self._keep(chunk)
        except Exception:
            self._finish(broken=True)
            raise
        self._finish()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._body:
                yield self._keep(chunk)
        except Exception:
            self._finish(broken=True)
            raise
        self._finish()

    def close(self) -> None:
        """Close the stream."""
        self._body.close()
        self._finish()

    async def aclose(self) -> None:
        """Close the stream."""
        await self._body.aclose()
        self._finish()

    def __getattr__(self, name: str) -> Any:
        """What else the SDK asks of a stream: the time it took, its observer."""
        return getattr(self._body, name)

    def _keep(self, chunk: bytes) -> bytes:
        if self._passed is not None:
            self._passed.append(chunk)
        return chunk

    def _finish(self, *, broken: bool = False) -> None:
        passed, self._passed = self._passed, None
        if passed is not None:
            self._done(b"".join(passed), broken)


def _decoded(response: httpx2.Response, data: bytes) -> bytes:
    """The bytes with their transfer compression undone; nothing where they were cut inside it."""
    try:
        return httpx2.Response(response.status_code, headers=response.headers, content=data).content
    except httpx2.DecodingError:
        return b""


def read_reply(response: httpx2.Response, body: bytes) -> tuple[int, dict[str, Any]]:
    """(status, reply); of a reply that is not the API's (a gateway's page) only the status is kept."""
    text = body.decode("utf-8", "replace")
    if "text/event-stream" in response.headers.get("content-type", ""):
        return sse.decode(text)
    try:
        reply = json.loads(text)
    except ValueError:
        reply = {}
    return response.status_code, reply if isinstance(reply, dict) else {}
