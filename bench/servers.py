"""The servers that are measured, each a process on one core: askless, the npm package aimock, and two floors."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from askless.trace import Trace
from bench.agents import replies_of

PEERS = Path(__file__).parent / "peers"
READY_S = 60
CANNED = {"id": "msg_1", "type": "message", "content": [{"type": "text", "text": "x" * 600}]}

BARE = """
import json, sys, uvicorn
REPLY = sys.argv[2].encode()
START = {"type": "http.response.start", "status": 200, "headers": [
    (b"content-type", b"application/json"), (b"content-length", b"%d" % len(REPLY))]}
async def app(scope, receive, send):
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    json.loads(body)
    await send(START)
    await send({"type": "http.response.body", "body": REPLY})
"""
STARLETTE = """
import json, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
REPLY = json.loads(sys.argv[2])
async def api(request):
    await request.json()
    return JSONResponse(REPLY)
app = Starlette(routes=[Route("/v1/messages", api, methods=["POST"])])
"""
UVICORN = """
uvicorn.run(app, port=int(sys.argv[1]), http="httptools", loop="uvloop", lifespan="off", log_config=None,
            access_log=False, server_header=False, date_header=False)
"""


@dataclass(frozen=True)
class Server:
    """A running server, and whether each run may have a path of its own."""

    port: int
    pid: int
    named_runs: bool = False


@contextmanager
def askless() -> Iterator[Server]:
    """The lab's own, as `askless serve` starts it."""
    port = _free_port()
    with _running([sys.executable, "-m", "askless", "serve", "t01", "--port", str(port)], port) as pid:
        yield Server(port, pid, named_runs=True)


@contextmanager
def bare() -> Iterator[Server]:
    """An application on uvicorn that parses each body and answers with one reply."""
    with _python(BARE) as server:
        yield server


@contextmanager
def starlette() -> Iterator[Server]:
    """The same as a handler of starlette, with the standard JSON module."""
    with _python(STARLETTE) as server:
        yield server


@contextmanager
def aimock(trace: Trace, folder: Path) -> Iterator[Server]:
    """The npm package, with fixtures that give the replies of a run by how many came before."""
    if shutil.which("npm") is None:
        raise SystemExit("npm is not installed here, and a peer is an npm package.\nNext: install Node.js 20 or newer.")
    if not (PEERS / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--silent", "--prefix", str(PEERS)], check=True)
    fixtures, port = folder / "fixtures.json", _free_port()
    fixtures.write_text(json.dumps({"fixtures": list(_fixtures(trace))}))
    program = PEERS / "node_modules/@copilotkit/aimock/dist/cli.js"
    words = ["node", str(program), "--port", str(port), "--fixtures", str(fixtures), "--log-level", "silent"]
    with _running(words, port) as pid:
        yield Server(port, pid)


def _fixtures(trace: Trace) -> Iterator[dict[str, object]]:
    for turn, reply in enumerate(map(json.loads, replies_of(trace))):
        calls = [
            {"id": block["id"], "name": block["name"], "arguments": json.dumps(block["input"])}
            for block in reply["content"]
            if block["type"] == "tool_use"
        ]
        said = {"toolCalls": calls} if calls else {"content": reply["content"][0]["text"]}
        yield {"match": {"userMessage": "customers", "turnIndex": turn}, "response": said}


@contextmanager
def _python(program: str) -> Iterator[Server]:
    port = _free_port()
    with _running([sys.executable, "-c", program + UVICORN, str(port), json.dumps(CANNED)], port) as pid:
        yield Server(port, pid)


@contextmanager
def _running(words: list[str], port: int) -> Iterator[int]:
    with _on_first_core():
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(port, time.monotonic() + READY_S)
        yield process.pid
    finally:
        process.kill()
        process.wait()


def _await(port: int, deadline_s: float) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < deadline_s, "the server did not start"
            time.sleep(0.1)


@contextmanager
def _on_first_core() -> Iterator[None]:
    """What starts here stays on one core, with all its threads; what loads it has the others, where there are any."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = sorted(os.sched_getaffinity(0) | {0})
    os.sched_setaffinity(0, {cores[0]})
    yield
    os.sched_setaffinity(0, set(cores[1:] or cores))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
