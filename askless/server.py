"""An application over real HTTP, on a UNIX socket or a TCP port, and a service as part of one."""

import asyncio
import json
import signal
import socket
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import Thread
from typing import Any

from askless.api import rules
from askless.api.faults import LIMITED
from askless.connection import Connections, Limits
from askless.http import JSON, Application, Request, Response
from askless.record import Exchange
from askless.service import Service
from askless.trace import NO_RESPONSE

LONGEST_SOCKET_PATH = 100  # bytes; macOS takes 103, Linux 107
BACKLOG = 128

# Documented names (catalog: rate-limits), and values that never make a client wait: the lab has no such limit.
LIMITS = "".join(
    f"anthropic-ratelimit-{what}-limit: {most}\r\n"
    f"anthropic-ratelimit-{what}-remaining: {most}\r\n"
    f"anthropic-ratelimit-{what}-reset: 2026-01-01T00:00:00Z\r\n"
    for what, most in (
        ("requests", 4_000),
        ("tokens", 2_400_000),
        ("input-tokens", 2_000_000),
        ("output-tokens", 400_000),
    )
).encode()

KINDS = {408: "timeout_error", 500: "api_error", 503: "overloaded_error"}
UNREAD = "req_unread"  # the id of a request that was not read to its end


def answer(service: Service, target: str, request: Request, record: Callable[[Exchange], None]) -> Response:
    """Answer a request to the Messages API, its target without what a server puts before /v1.

    It is recorded before the client can see the reply.
    """
    answered = service.serve(request.method, target, request.headers, request.body)
    for exchange in answered.exchanges:
        record(exchange)
    if answered.status == NO_RESPONSE:
        return Response(NO_RESPONSE, b"", cut=True)
    limits = LIMITS if answered.status != LIMITED else b""  # they would say that nothing is used up
    return Response(answered.status, answered.body, fields(answered.headers) + limits)


def refused(status: int, what: str) -> Response:
    """What was no request, or too large or too late, in the API's envelope."""
    refusal = rules.refuse("body-large") if status == 413 else None
    kind = refusal.type if refusal else KINDS.get(status, "invalid_request_error")
    error = {"type": kind, "message": refusal.message if refusal else what}
    body = json.dumps({"type": "error", "error": error, "request_id": UNREAD}).encode()
    return Response(status, body, JSON + fields({"request-id": UNREAD}))


def fields(headers: Mapping[str, str]) -> bytes:
    """Headers as HTTP writes them."""
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items()).encode("latin-1")


def listen(folder: Path | None) -> tuple[socket.socket, str]:
    """A listening socket and its address: `unix:PATH` in the folder where that can be, else `http://127.0.0.1:PORT`."""
    path = str(folder / "socket") if folder else ""
    if hasattr(socket, "AF_UNIX") and 0 < len(path.encode()) <= LONGEST_SOCKET_PATH:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(BACKLOG)
        return listener, f"unix:{path}"
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


PATIENT = Limits(request_s=inf, idle_s=inf)


class Server:
    """An application, served by a thread of its own until `close`; by itself it waits for a client for ever."""

    def __init__(self, application: Application, listener: socket.socket, limits: Limits = PATIENT) -> None:
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        served = _serve(Connections(application, limits), listener, self._stop)
        self._thread = Thread(target=_run, args=(self._loop, served), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving; open connections are cut."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()


def serve(application: Application, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve an application until Ctrl-C or a polite kill, then cut its connections; `ready` is called first."""
    loop = _fast_loop()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows Ctrl-C is a KeyboardInterrupt
            loop.add_signal_handler(number, stop.set)
    loop.call_soon(ready)
    _run(loop, _serve(Connections(application), listener, stop))


def _run(loop: asyncio.AbstractEventLoop, served: Coroutine[Any, Any, None]) -> None:
    try:
        loop.run_until_complete(served)
    finally:
        loop.close()


def _fast_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


async def _serve(connections: Connections, listener: socket.socket, stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    create = loop.create_server if listener.family != getattr(socket, "AF_UNIX", None) else loop.create_unix_server
    server = await create(connections, sock=listener)
    sweep = asyncio.ensure_future(connections.sweep())
    await stop.wait()
    sweep.cancel()
    server.close()
    connections.close()
    await asyncio.sleep(0)  # so that what was cut is gone
