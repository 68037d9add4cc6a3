"""An application that says what it was asked, and talking to it through a socket."""

import json
import socket
from typing import Any

from askless.http import Request, Response, of_json

MOST_BYTES = 1000
BIG = b"x" * 20_000_000  # more than the buffers of a connection hold


class Echo:
    """Says what it was asked."""

    def body_bytes(self, target: str) -> int:
        return MOST_BYTES

    def answer(self, request: Request) -> Response:
        match request.target:
            case "/big":
                return Response(200, BIG)
            case "/drop":
                return Response(0, b"", cut=True)
            case "/broken":
                raise RuntimeError("a bug")
        headers = dict(request.headers)
        return of_json([request.method, request.target, headers, request.body.decode("latin-1")])

    def fault(self, status: int, what: str) -> Response:
        return of_json(what, status=status)


def all_of(line: socket.socket) -> bytes:
    """Everything until the server ends the connection."""
    received = b""
    while piece := line.recv(1 << 16):
        received += piece
    return received


def asked(line: socket.socket, request: bytes) -> tuple[int, Any]:
    """The status and the JSON of the response to the last request of a connection."""
    line.sendall(request)
    head, _, body = all_of(line).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def post(body: bytes, *headers: bytes, target: bytes = b"/a?b=1") -> bytes:
    lines = [b"POST " + target + b" HTTP/1.1", b"Host: a", b"Content-Length: %d" % len(body), *headers]
    return b"\r\n".join([*lines, b"", body])


LAST = b"Connection: close"
