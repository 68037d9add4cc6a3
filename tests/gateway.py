"""A gateway on a loopback port: it passes requests to a service, and spoils the answers in ways that a test names."""

import gzip
import json
import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from askless.service import Answer, Service

OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "request_id": "req_1"}

Way = Callable[["Gateway", Answer], None]


class Gateway(BaseHTTPRequestHandler):
    """Passes requests on to a service, and its answers back in the way that the test names next."""

    protocol_version = "HTTP/1.1"
    service: Service
    ways: list[Way]

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        (self.ways.pop(0) if self.ways else whole)(self, self.service.post(self.path, headers, data))

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def whole(gateway: Gateway, answer: Answer) -> None:
    gateway.head(answer.status, {**answer.headers, "content-length": str(len(answer.body))})
    gateway.wfile.write(answer.body)


def chunked(gateway: Gateway, answer: Answer, **headers: str) -> None:
    gateway.head(answer.status, {**answer.headers, **headers, "transfer-encoding": "chunked"})
    half = len(answer.body) // 2
    for data in (answer.body[:half], answer.body[half:], b""):
        gateway.chunk(data)


def zipped(gateway: Gateway, answer: Answer) -> None:
    packed = Answer(answer.status, answer.headers, gzip.compress(answer.body))
    chunked(gateway, packed, **{"content-encoding": "gzip"})


def overloaded(gateway: Gateway, _: Answer) -> None:
    body = json.dumps(OVERLOADED).encode()
    gateway.head(529, {"content-type": "application/json", "retry-after-ms": "1", "content-length": str(len(body))})
    gateway.wfile.write(body)


def a_page(gateway: Gateway, _: Answer) -> None:
    gateway.head(502, {"content-type": "text/html", "retry-after-ms": "1", "content-length": "6"})
    gateway.wfile.write(b"<html>")


def dropped(gateway: Gateway, _: Answer) -> None:
    gateway.close_connection = True
    gateway.connection.shutdown(socket.SHUT_RDWR)


def cut(gateway: Gateway, answer: Answer) -> None:
    """The stream breaks inside its first call."""
    gateway.head(answer.status, {**answer.headers, "transfer-encoding": "chunked"})
    gateway.chunk(answer.body[: answer.body.index(b"partial_json")])
    dropped(gateway, answer)


def ended_early(gateway: Gateway, answer: Answer) -> None:
    """The stream ends in good order, but before its message does."""
    chunked(gateway, Answer(200, answer.headers, answer.body[: answer.body.index(b"event: message_delta")]))


def failed_midway(gateway: Gateway, answer: Answer) -> None:
    error = f"event: error\ndata: {json.dumps(OVERLOADED)}\n\n".encode()
    chunked(gateway, Answer(200, answer.headers, answer.body[: answer.body.index(b"event: message_delta")] + error))


class Server(ThreadingHTTPServer):
    """Says nothing about clients that left."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that the test dropped."""
