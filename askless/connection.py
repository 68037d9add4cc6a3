"""Connections to an application: HTTP/1.1 on asyncio, with httptools' parser.

What a stranger may take is bounded: the size of a head and of a body, the time for a request to arrive and for its
response to be taken, and the number of connections.
"""

import asyncio
from dataclasses import dataclass, field

import httptools

from askless.http import Application, Request, Response

HEAD_BYTES = 64 * 1024
DRAINED_BYTES = 512 * 1024 * 1024  # of a body that is refused: a client reads the refusal once it has sent its body
JOINED_BYTES = 64 * 1024  # a longer body is not copied to stand behind its head
SWEEP_S = 1.0

_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


@dataclass(frozen=True)
class Limits:
    """What clients may take."""

    request_s: float = 30.0  # from the first byte of a request to its last, and for a response to be taken
    idle_s: float = 75.0  # between two requests
    connections: int = 1000


@dataclass
class Connections:
    """The open connections to one application."""

    application: Application
    limits: Limits = Limits()
    open: "set[Connection]" = field(default_factory=set)

    def __call__(self) -> "Connection":
        """A new one, as asyncio asks for it."""
        return Connection(self)

    async def sweep(self) -> None:
        """Cut slow clients, until cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(min(SWEEP_S, self.limits.request_s, self.limits.idle_s))
            for connection in [each for each in self.open if each.deadline < clock()]:
                connection.expire()

    def close(self) -> None:
        """Cut all of them."""
        for connection in list(self.open):
            connection.cut()


class Connection(asyncio.Protocol):
    """One client's connection; the parser calls the methods named on_…"""

    _transport: asyncio.Transport

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._application = connections.application
        self._limits = connections.limits
        self._parser = httptools.HttpRequestParser(self)
        self._clock = asyncio.get_running_loop().time
        self._ended = False  # the last response was written; whatever still comes is thrown away
        self._drained_bytes = 0
        self._wait(self._limits.idle_s)
        self._begin()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a client in, or turn it away where there are too many."""
        self._transport = transport  # type: ignore[assignment]  # uvloop's is one by its looks
        self._connections.open.add(self)
        if len(self._connections.open) > self._limits.connections:
            self._refuse(503, "too many connections")

    def connection_lost(self, error: Exception | None) -> None:
        """Forget a client."""
        self._ended = True
        self._connections.open.discard(self)

    def data_received(self, data: bytes) -> None:
        """Parse what came, and answer the requests that are whole with it."""
        if self._ended:
            self._drain(data)
            return
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._stay(data[upgrade.args[0] :])
        except httptools.HttpParserError as error:
            self._refuse(400, f"this is not HTTP: {error}")
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._refuse(431, f"the headers are over {HEAD_BYTES:,} bytes long")

    def pause_writing(self) -> None:
        """The client does not take its response; until it does, nothing more is read from it."""
        self._wait(self._limits.request_s)
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        """It has taken it."""
        self._wait(self._limits.idle_s)
        self._transport.resume_reading()

    def expire(self) -> None:
        """The time is up."""
        if self._reading and not self._ended and not self._transport.get_write_buffer_size():
            self._refuse(408, f"the request did not arrive within {self._limits.request_s:g} seconds")
        else:
            self.cut()

    def cut(self) -> None:
        """Close without a word."""
        self._ended = True
        self._transport.abort()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._wait(self._limits.request_s)
        self._begin()
        self._reading = self._in_head = True

    def on_url(self, url: bytes) -> None:
        """A piece of the target."""
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header."""
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """The head is whole: refuse a body that is announced as too long, or tell a client that asks to send it."""
        self._in_head = False
        self._most_bytes = self._application.body_bytes(self._target.decode("latin-1"))
        length = self._headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._most_bytes:
            self._refuse_body()
        elif self._headers.get("expect", "").lower() == "100-continue":
            self._transport.write(_CONTINUE)

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._body.append(body)
        self._body_bytes += len(body)
        if self._body_bytes > self._most_bytes:
            self._refuse_body()

    def on_message_complete(self) -> None:
        """The request is whole: answer it."""
        self._reading = False
        if self._ended or self._parser.should_upgrade():
            return
        body = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        method = self._parser.get_method().decode("latin-1")
        request = Request(method, self._target.decode("latin-1"), self._headers, body)
        self._write(self._answer(request), last=not self._parser.should_keep_alive(), bodiless=method == "HEAD")

    def _stay(self, rest: bytes) -> None:
        """Read a request that asks for another protocol as one that does not."""
        kept = {name: value for name, value in self._headers.items() if name not in ("upgrade", "connection")}
        lines = [f"{self._parser.get_method().decode()} {self._target.decode('latin-1')} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in kept.items()]
        self._parser = httptools.HttpRequestParser(self)
        self.data_received("\r\n".join([*lines, "\r\n"]).encode("latin-1") + rest)

    def _begin(self) -> None:
        self._reading = self._in_head = False
        self._target = b""
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []
        self._head_bytes = self._body_bytes = self._most_bytes = 0

    def _wait(self, seconds: float) -> None:
        self.deadline = self._clock() + seconds

    def _answer(self, request: Request) -> Response:
        try:
            return self._application.answer(request)
        except Exception as error:  # costs one request, not the server
            return self._application.fault(500, f"a fault of the lab: {type(error).__name__}: {error}")

    def _refuse_body(self) -> None:
        self._refuse(413, f"the body is over {self._most_bytes:,} bytes long")
        self._body = []

    def _refuse(self, status: int, what: str) -> None:
        if not self._ended:
            self._write(self._application.fault(status, what), last=True)

    def _write(self, response: Response, *, last: bool, bodiless: bool = False) -> None:
        if response.cut and not response.body:
            self.cut()
            return
        last = last or response.cut
        head, body = response.head(last=last), b"" if bodiless else response.body
        self._wait(self._limits.request_s if last else self._limits.idle_s)
        if len(body) <= JOINED_BYTES:
            self._transport.write(head + body)
        else:
            self._transport.writelines((head, body))
        if last:
            self._ended = True
            self._transport.write_eof()

    def _drain(self, data: bytes) -> None:
        """Throw away what a client still sends; it closes the connection itself once it has read its response."""
        self._drained_bytes += len(data)
        if self._drained_bytes > DRAINED_BYTES:
            self.cut()
