"""What stands in for the real API: the lab's own service, in a process of its own, that fails as it was told.

    python tests/far_away.py FOLDER     FOLDER/port holds its port

Under /NAME it does as FOLDER/NAME.json says, and writes what it hears to FOLDER/NAME.heard. `fails` has an entry for
each request to /v1/messages, after which the service answers itself: [status, type, message], or these and retry-after,
which a client obeys where "for real" follows; or the name of one of its ways below, such as "drop" or "gone"; null for
nothing. `usage` times the tokens that a reply tells, as real ones are more, and `told` stands in their place; `key` is
the only one that is taken; `uncounted` fails to count tokens.
"""

import json
import socket
import sys
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from askless import task
from askless.model.scripted import Scripted
from askless.service import Answer, Service

FOLDER = Path(sys.argv[1] if __name__ == "__main__" else ".")
AT_ONCE = {"retry-after-ms": "1"}  # so that the SDK does not wait


class FarAway(BaseHTTPRequestHandler):
    """One client of it."""

    protocol_version = "HTTP/1.1"
    service: Service
    plans: dict[str, dict[str, Any]]

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        _, name, path = self.path.split("/", 2)
        self.plan = self.plans.setdefault(name, {}) or self._read(name)
        with (FOLDER / f"{name}.heard").open("a") as heard:
            heard.write(json.dumps({"path": f"/{path}", "headers": headers, "body": json.loads(data)}) + "\n")
        self._do(self._next(path, headers), self.service.post(f"/{path}", headers, data), headers, data)

    def _read(self, name: str) -> dict[str, Any]:
        self.plans[name] = json.loads((FOLDER / f"{name}.json").read_text())
        return self.plans[name]

    def _next(self, path: str, headers: dict[str, str]) -> Any:
        """What is to happen to a request."""
        if self.plan.get("key") not in (None, headers.get("x-api-key")):
            return [401, "authentication_error", "invalid x-api-key"]
        if "count_tokens" in path:
            return self.plan.get("uncounted")
        fails = self.plan.get("fails", [])
        return fails.pop(0) if fails else None

    def _do(self, fault: Any, answer: Answer, headers: dict[str, str], data: bytes) -> None:
        if isinstance(fault, list):
            self._fail(fault)
        else:
            getattr(self, f"_{fault or 'answer'}")(answer, headers, data)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def _fail(self, fault: list[Any]) -> None:
        status, kind, message, *after = fault
        envelope = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
        waits = {"retry-after": str(after[0])} if after else {}
        at_once = {} if "for real" in after else AT_ONCE
        self._send(status, json.dumps(envelope).encode(), **{"content-type": "application/json", **at_once, **waits})

    def _answer(self, answer: Answer, *_: Any) -> None:
        if "told" in self.plan and answer.body.startswith(b"{"):
            reply = {**json.loads(answer.body), "usage": self.plan["told"]}
            answer = replace(answer, body=json.dumps(reply).encode())
        self._send(answer.status, _dearer(answer.body, self.plan.get("usage", 1)), **answer.headers)

    def _gone(self, _: Answer, __: Any, data: bytes) -> None:
        self._fail([404, "not_found_error", f"model: {json.loads(data)['model']}"])

    def _echo(self, _: Answer, headers: dict[str, str], __: Any) -> None:
        """A gateway that says what it was sent, the key as well."""
        self._fail([400, "invalid_request_error", f"you sent {json.dumps(headers)}"])

    def _parrot(self, answer: Answer, headers: dict[str, str], _: Any) -> None:
        """A model that says the key."""
        reply = {**json.loads(answer.body), "content": [{"type": "text", "text": f"It is {headers['x-api-key']}."}]}
        self._send(200, json.dumps(reply).encode(), **{"content-type": "application/json", "request-id": "req_1"})

    def _drop(self, *_: Any) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _cut(self, answer: Answer, *_: Any) -> None:
        """A stream that ends early, and in good order."""
        self._send(200, answer.body[: answer.body.index(b"event: message_delta")], **answer.headers)

    def _odd(self, *_: Any) -> None:
        """A reply that is shaped like the API's, and is none."""
        body = {"type": "message", "content": [{"type": "tool_use"}, None, 3], "usage": {"input_tokens": None}}
        self._send(200, json.dumps(body).encode(), **{"content-type": "application/json"})

    def _portal(self, *_: Any) -> None:
        self._send(200, b"<html>Log in first.", **{"content-type": "text/html"})

    def _half(self, *_: Any) -> None:
        self._send(200, b'{"type": "mess', **{"content-type": "application/json"})

    def _nothing(self, *_: Any) -> None:
        self._send(200, b"null", **{"content-type": "application/json"})

    def _deep(self, *_: Any) -> None:
        self._send(200, b"[" * 100_000 + b"]" * 100_000, **{"content-type": "application/json"})

    def _garbled(self, *_: Any) -> None:
        """A stream that is shaped like the API's, and is none."""
        body = b'data: {"type": "content_block_delta", "index": 4}\n\ndata: {"type": "error"}\n\n'
        self._send(200, body, **{"content-type": "text/event-stream"})

    def _hang(self, *_: Any) -> None:
        time.sleep(60)
        self._drop()

    def _redirect(self, *_: Any) -> None:
        self._send(301, b"", location="https://elsewhere.invalid/")

    def _stranger(self, *_: Any) -> None:
        self._send(400, b"<html>What?", **{"content-type": "text/html"})

    def _page(self, *_: Any) -> None:
        self._send(502, b"<html>", **{"content-type": "text/html", **AT_ONCE})


def _dearer(body: bytes, times: float) -> bytes:
    """A reply whose usage is so many times larger."""
    if times == 1 or b'"usage"' not in body or not body.startswith(b"{"):
        return body
    reply = json.loads(body)
    counts = {name: round(times * count) for name, count in reply["usage"].items() if name.endswith("_tokens")}
    return json.dumps({**reply, "usage": {**reply["usage"], **counts}}).encode()


def main() -> None:
    """Serve until killed."""
    first = task.load(task.names()[0])
    known = {"service": Service(Scripted(first.script())), "plans": {}}
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (FarAway,), known)) as server:
        server.daemon_threads = True
        (FOLDER / "port.new").write_text(str(server.server_port))
        (FOLDER / "port.new").rename(FOLDER / "port")
        server.serve_forever(0.05)


if __name__ == "__main__":
    main()
