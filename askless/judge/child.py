"""One run, inside the child process: fetch the job, call the learner's `answer`, say what came of it.

What it says is for the learner to read; the parent counts for itself.

    python -m askless.judge.child      one run, its address on standard input, for systems that do not fork
"""

import asyncio
import inspect
import json
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection
from threading import Lock, Thread
from typing import Any, Never, TextIO

import anthropic
import httpx2

from askless.judge import crash

KEY = "askless"  # the judge's service asks for a key and looks at none
NO_TIMEOUT = httpx2.Timeout(None)  # the parent's clock stops a run, none in here


class _Connection(HTTPConnection):
    """HTTP over a UNIX socket. The standard library's: a learner's changes to the SDK's do not touch it."""

    def __init__(self, uds: str) -> None:
        super().__init__("askless")
        self._uds = uds

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._uds)


class Line:
    """The way to the parent: `unix:PATH` or `http://HOST:PORT`, then one run's own name."""

    def __init__(self, address: str) -> None:
        where, _, self._run = address.rpartition("/")
        self.uds = where.removeprefix("unix:") if where.startswith("unix:") else None
        self.url = f"http://askless/{self._run}" if self.uds else address
        self._http = _Connection(self.uds) if self.uds else HTTPConnection(where.removeprefix("http://"))
        self._lock = Lock()  # a learner may look things up in several threads

    def ask(self, path: str, body: Any = None) -> Any:
        """POST JSON, get JSON."""
        data = json.dumps(body)
        with self._lock:
            self._http.request("POST", f"/{self._run}/{path}", data)
            response = self._http.getresponse()
            said = response.read()
        if response.status != 200:
            raise ConnectionError(f"the judge answered {response.status} to {path}")
        return json.loads(said)

    def client(self) -> anthropic.Anthropic:
        """The real client, as `answer` gets it."""
        http = httpx2.Client(transport=httpx2.HTTPTransport(uds=self.uds, verify=False), timeout=NO_TIMEOUT)
        return anthropic.Anthropic(api_key=KEY, base_url=self.url, http_client=http)

    def async_client(self) -> anthropic.AsyncAnthropic:
        """The same for an `async def answer`."""
        transport = httpx2.AsyncHTTPTransport(uds=self.uds, verify=False)
        http = httpx2.AsyncClient(transport=transport, timeout=NO_TIMEOUT)
        return anthropic.AsyncAnthropic(api_key=KEY, base_url=self.url, http_client=http)


def warm() -> None:
    """Answer one request from a fixed reply, so that what the SDK builds and imports late is there before any run."""
    reply = {
        "id": "msg_0",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "tool_use", "id": "t", "name": "n", "input": {}}, {"type": "text", "text": ""}],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 0, "output_tokens": 0},
    }
    http = httpx2.Client(transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json=reply)))
    client = anthropic.Anthropic(api_key=KEY, base_url="http://askless", http_client=http)
    client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "-"}])
    transport = httpx2.HTTPTransport(uds="/nobody/listens", verify=False)
    with suppress(httpx2.TransportError), httpx2.Client(transport=transport) as http:
        http.get("http://askless")


def once(address: str) -> Never:
    """Run the job at an address, post the outcome there, and end the process."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # what is printed is seen, however it ends
    line = Line(address)
    outcome = _outcome(line, line.ask("job"))
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    line.ask("outcome", outcome)
    os._exit(0)


def _outcome(line: Line, job: dict[str, Any]) -> dict[str, Any]:
    """`{"text": …}`, `{"not_text": a type's name}`, or what crashed: `{"id", "what", "next", "line"}`."""
    source, path = job["source"].encode("latin-1"), job["path"]
    try:
        answer = crash.load(source, path)
        said = _call(answer, line, _desk(line, job["desk"]), job["question"])
    except BaseException as error:  # whatever a learner's code may raise
        return crash.describe(error, path)
    return {"text": str(said)} if isinstance(said, str) else {"not_text": type(said).__name__}


def _call(answer: Callable[..., Any], line: Line, desk: Any, question: str) -> Any:
    if inspect.iscoroutinefunction(answer):
        return asyncio.run(answer(line.async_client(), desk, question))
    return answer(line.client(), desk, question)


def _desk(line: Line, names: list[str]) -> Any:
    """The desk as the contract has it; every look-up is made in the parent."""
    return type("Desk", (), {name: staticmethod(_look_up(line, name)) for name in names})()


def _look_up(line: Line, name: str) -> Callable[..., Any]:
    def look_up(*args: Any, **kwargs: Any) -> Any:
        found = line.ask(f"desk/{name}", {"args": args, "kwargs": kwargs})
        if "error" in found:
            raise crash.BUILTIN[found["error"]](*found["args"])
        return found["value"]

    look_up.__name__ = name
    return look_up


def _end_with(parent: TextIO) -> None:
    """End this process when the parent's end of the pipe is closed."""
    parent.read()
    os._exit(1)


if __name__ == "__main__":
    warm()
    address = sys.stdin.readline().strip()
    Thread(target=_end_with, args=(sys.stdin,), daemon=True).start()
    once(address)
