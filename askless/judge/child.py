"""One run, inside the child process: fetch the job, call the learner's `answer`, say what came of it.

What it says is for the learner to read; the parent counts for itself.

    python -m askless.judge.child      one run, its address on standard input, for systems that do not fork
"""

import asyncio
import inspect
import os
import sys
from collections.abc import Callable
from threading import Thread
from typing import Any, Never, TextIO

import anthropic
import httpx2

from askless.judge import crash

KEY = "askless"  # the judge's service asks for a key and looks at none
NO_TIMEOUT = httpx2.Timeout(None)  # the parent's clock stops a run, none in here


class Line:
    """The way to the parent: `unix:PATH` or `http://HOST:PORT`, then one run's own name."""

    def __init__(self, address: str) -> None:
        where, _, run = address.rpartition("/")
        self.uds = where.removeprefix("unix:") if where.startswith("unix:") else None
        self.url = f"http://askless/{run}" if self.uds else address
        transport = httpx2.HTTPTransport(uds=self.uds, verify=False)  # plain HTTP: no certificates to load
        self._http = httpx2.Client(transport=transport, base_url=self.url, timeout=NO_TIMEOUT)

    def ask(self, path: str, body: Any = None) -> Any:
        """POST JSON, get JSON."""
        return self._http.post(path, json=body).raise_for_status().json()

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
    """Answer one request from a fixed reply, so that what the SDK builds late is built before the first run."""
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
