"""An application that says what it was asked, and talking to it through a socket."""

import json
import socket
from asyncio import sleep
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from askless.endpoint import HANDLERS, Broken, body
from askless.share import Share

MOST_BYTES = 1000
BIG = b"x" * 20_000_000  # more than the buffers of a connection hold


async def echo(request: Request) -> Response:
    match request.url.path:
        case "/big":
            return Response(BIG)
        case "/drop":
            await request.body()
            return Broken()
        case "/slow":
            await request.body()
            await sleep(0.2)
            return Response("at last")
        case "/broken":
            raise RuntimeError("a bug")
    heard = await body(request, Share(), MOST_BYTES)
    return JSONResponse([request.method, str(request.url), dict(request.headers), heard.decode()])


ECHO = Starlette(routes=[Route("/{path:path}", echo, methods=["POST"])], exception_handlers=HANDLERS)


def all_of(line: socket.socket) -> bytes:
    """Everything until the server ends the connection."""
    return b"".join(iter(lambda: line.recv(1 << 16), b""))


def asked(line: socket.socket, request: bytes) -> tuple[int, Any]:
    """The status and the body, read where it is JSON, of the response to the last request of a connection."""
    line.sendall(request)
    head, _, body = all_of(line).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body) if b"application/json" in head else body.decode()


def post(body: bytes, *headers: bytes, target: bytes = b"/a?b=1") -> bytes:
    lines = [b"POST " + target + b" HTTP/1.1", b"Host: a", b"Content-Length: %d" % len(body), *headers]
    return b"\r\n".join([*lines, b"", body])


LAST = b"Connection: close"
