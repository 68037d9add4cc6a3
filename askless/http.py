"""A request and a response of HTTP, and the application between them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol

JSON = b"content-type: application/json\r\n"

OVERLOADED = 529  # the API's own, in no standard (catalog: api-errors)

_STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}
_STATUS_LINES[OVERLOADED] = b"HTTP/1.1 529 Overloaded\r\n"


@dataclass(frozen=True)
class Request:
    """One request: its target as sent (path and query, still encoded), its headers by their names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Response:
    """What goes back; `headers` is bytes, each line ended, without length and connection.

    One that is `cut` has no length: its body ends where the connection does, and without a body nothing is written.
    """

    status: int
    body: bytes
    headers: bytes = JSON
    cut: bool = False

    def head(self, *, last: bool) -> bytes:
        """Status line and headers; the `last` response on a connection says so."""
        length = b"" if self.cut else b"content-length: %d\r\n" % len(self.body)
        end = b"connection: close\r\n\r\n" if last else b"\r\n"
        return b"".join((_STATUS_LINES[self.status], self.headers, length, end))


def of_json(value: Any, *, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(status, json.dumps(value).encode())


class Application(Protocol):
    """What answers requests."""

    def body_bytes(self, target: str) -> int:
        """The longest body that is taken there."""
        ...

    def answer(self, request: Request) -> Response:
        """The response to a request. It waits for nothing: while it runs, every other client waits."""
        ...

    def fault(self, status: int, what: str) -> Response:
        """The response to what is no request, too large, too slow or one too many; `what` says so in words."""
        ...
