"""The way from a run to its parent: HTTP by the standard library, over a UNIX socket or TCP.

It takes half the time of httpx2's own connections, and a run goes it many times.
"""

import json
import socket
from http.client import HTTPConnection, HTTPException
from threading import local
from typing import Any

import httpx2


class _Connection(HTTPConnection):
    """HTTP over a UNIX socket."""

    def __init__(self, path: str) -> None:
        super().__init__("askless")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


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
        connection = self.connection()
        connection.request("POST", f"/{self._run}/{path}", json.dumps(body))
        response = connection.getresponse()
        said = response.read()
        if response.status != 200:
            raise ConnectionError(f"the judge answered {response.status} to {path}")
        return json.loads(said)

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
