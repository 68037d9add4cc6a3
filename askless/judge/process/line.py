"""The way from a run to its parent: HTTP by the standard library, over a UNIX socket or TCP.

It takes half the time of httpx2's own connections, and a run goes it many times.
"""

import json
import re
import socket
from http.client import HTTPConnection, HTTPException
from threading import local
from typing import Any

import httpx2

CHUNK_BYTES = 1 << 16
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


class _Connection(HTTPConnection):
    """HTTP over a UNIX socket."""

    def __init__(self, path: str) -> None:
        super().__init__("askless")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


def _response(sock: socket.socket) -> tuple[int, bytes]:
    """Status and body of a response that tells its length. The standard library reads one in three times the time."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(sock)
    head, _, body = data.partition(b"\r\n\r\n")
    length = LENGTH.search(head)
    rest = int(length[1]) - len(body) if length else 0
    pieces = [body]
    while rest > 0:
        pieces.append(_some(sock))
        rest -= len(pieces[-1])
    return int(head[9:12]), b"".join(pieces)


def _some(sock: socket.socket) -> bytes:
    received = sock.recv(CHUNK_BYTES)
    if not received:
        raise ConnectionError("the judge is gone")
    return received


class Line:
    """An address is `unix:PATH` or `http://HOST:PORT`, then one run's own name. Each thread has its own connection."""

    def __init__(self, address: str) -> None:
        self._where, _, self._run = address.rpartition("/")
        self._open = local()

    @property
    def url(self) -> str:
        """The run's base URL, for a client."""
        host = "http://askless" if self._where.startswith("unix:") else self._where
        return f"{host}/{self._run}"

    def ask(self, path: str, body: Any = None) -> Any:
        """POST JSON, get JSON. Raises ConnectionError for anything but success."""
        said = json.dumps(body).encode()
        head = f"POST /{self._run}/{path} HTTP/1.1\r\nhost: askless\r\ncontent-length: {len(said)}\r\n\r\n"
        try:
            status, answered = self._asked(head.encode() + said)
        except ConnectionError:  # it had to give way to others, which none does whose request was whole
            self.connection().close()
            status, answered = self._asked(head.encode() + said)
        if status != 200:
            raise ConnectionError(f"the judge answered {status} to {path}")
        return json.loads(answered)

    def _asked(self, request: bytes) -> tuple[int, bytes]:
        connection = self.connection()
        if connection.sock is None:
            connection.connect()
        connection.sock.sendall(request)
        return _response(connection.sock)

    def connection(self) -> HTTPConnection:
        """This thread's connection; it opens itself, again after it was closed."""
        if not hasattr(self._open, "connection"):
            self._open.connection = self._connect()
        connection: HTTPConnection = self._open.connection
        return connection

    def _connect(self) -> HTTPConnection:
        if self._where.startswith("unix:"):
            return _Connection(self._where.removeprefix("unix:"))
        return HTTPConnection(self._where.removeprefix("http://"))


class Transport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """A line as httpx2 knows a network. A connection that breaks is a ReadError, for the SDK to try again."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request."""
        connection = self._line.connection()
        body = request.read()
        try:
            connection.putrequest(
                request.method, request.url.raw_path.decode(), skip_host=True, skip_accept_encoding=True
            )
            for name, value in request.headers.raw:
                connection.putheader(name.decode(), value)
            connection.endheaders(body)
            response = connection.getresponse()
            return httpx2.Response(response.status, headers=response.getheaders(), content=response.read())
        except (OSError, HTTPException) as error:
            connection.close()
            raise httpx2.ReadError(str(error), request=request) from error

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request off the event loop, so that an agent may have several on their way."""
        from asyncio import to_thread

        await request.aread()
        return await to_thread(self.handle_request, request)
