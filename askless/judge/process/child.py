"""One run, inside the child process: fetch the job, call the learner's `answer`, say what came of it.

What it says is for the learner to read; the parent counts for itself.

    python -m askless.judge.process.child      one run, its address on standard input, for systems that do not fork
"""

import asyncio
import inspect
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread, active_count, stack_size
from typing import Any, Never, TextIO

import anthropic
import httpx2

from askless.judge.process import crash
from askless.judge.process.line import Line, Transport

KEY = "askless"  # the judge's service asks for a key and looks at none
REPLY = {
    "id": "msg_0",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "tool_use", "id": "t", "name": "n", "input": {}}, {"type": "text", "text": ""}],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {
        "input_tokens": 0,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 0,
        "service_tier": "standard",
    },
}
STACK_BYTES = 8 << 20  # of a thread; a shell may say more, and all of a run's addresses are counted
TOOL: Any = {"name": "n", "input_schema": {"type": "object"}}
NO_TIMEOUT = httpx2.Timeout(None)  # the parent's clock stops a run, none in here


def client(line: Line) -> anthropic.Anthropic:
    """The real client, as `answer` gets it."""
    http = httpx2.Client(transport=Transport(line), timeout=NO_TIMEOUT)
    return anthropic.Anthropic(api_key=KEY, base_url=line.url, http_client=http)


def async_client(line: Line) -> anthropic.AsyncAnthropic:
    """The same for an `async def answer`."""
    http = httpx2.AsyncClient(transport=Transport(line), timeout=NO_TIMEOUT)
    return anthropic.AsyncAnthropic(api_key=KEY, base_url=line.url, http_client=http)


def warm() -> None:
    """Go once round a loop with fixed replies: what the SDK builds and imports late is there before any run."""
    stack_size(STACK_BYTES)
    http = httpx2.Client(transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json=REPLY)))
    sdk = anthropic.Anthropic(api_key=KEY, base_url="http://askless", http_client=http)
    messages: list[Any] = [{"role": "user", "content": "-"}]
    for _ in range(2):
        reply = sdk.messages.create(model="m", max_tokens=1, messages=messages, tools=[TOOL])
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "-"}]})


def once(address: str, file: str | None = None) -> Never:
    """Run the job at an address, post the outcome there, and end the process; `file` is where the agent stands."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # what is printed is seen, however it ends
    line = Line(address)
    outcome = _outcome(line, line.ask("job"), file)
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # the agent may have closed it, or put something else in its place
            stream.flush()
    line.ask("outcome", outcome)
    os._exit(0)


def _outcome(line: Line, job: dict[str, Any], file: str | None) -> dict[str, Any]:
    """`{"text": …}`, `{"not_text": a type's name}`, or what crashed: `{"id", "what", "next", "line"}`."""
    source, path = job["source"].encode("latin-1"), job["path"]
    try:
        answer = crash.load(source, path, file or path)
        said = _call(answer, line, _desk(line, job["desk"]), job["question"])
    except BaseException as error:  # whatever a learner's code may raise
        return crash.describe(error, path)
    if not isinstance(said, str):
        return {"not_text": type(said).__name__}
    return {"text": str.__str__(said)[: crash.ANSWER_CHARS + 1]}  # one more tells that it is too long


def _call(answer: Callable[..., Any], line: Line, desk: Any, question: str) -> Any:
    if inspect.iscoroutinefunction(answer):
        return asyncio.run(answer(async_client(line), desk, question))
    return answer(client(line), desk, question)


def _desk(line: Line, names: list[str]) -> Any:
    """The desk as the contract has it; every look-up is made in the parent."""
    own = active_count() - 1  # threads of the lab's
    return type("Desk", (), {name: staticmethod(_look_up(line, name, own)) for name in names})()


def _look_up(line: Line, name: str, own_threads: int) -> Callable[..., Any]:
    def look_up(*args: Any, **kwargs: Any) -> Any:
        threads = active_count() - own_threads
        found = line.ask(f"desk/{name}", {"args": args, "kwargs": kwargs, "threads": threads})
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
