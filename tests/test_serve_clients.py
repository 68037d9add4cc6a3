"""Clients that are not the lab's do the order desk whole, each from its registry, and reach the highest rung."""

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from serving import Served, serving

from tests.clients import NODE, PYTHON, SOURCES, installed

CLIENTS = {
    "TypeScript SDK": ("node", NODE / "sdk.mjs"),
    "TypeScript SDK, streamed": ("node", NODE / "sdk.mjs", "stream"),
    "TypeScript SDK, its own loop": ("node", NODE / "runner.mjs"),
    "AI SDK": ("node", NODE / "ai.mjs"),
    "AI SDK, streamed": ("node", NODE / "ai.mjs", "stream"),
    "pydantic-ai": (PYTHON, SOURCES / "pydantic_agent.py"),
    "langchain": (PYTHON, SOURCES / "langchain_agent.py"),
}
LINES = [
    "C1: 2 open orders (ord-101 shipped, ord-102 packed)",
    "C2: 1 open orders (ord-201 shipped)",
    "C3: 3 open orders (ord-301 delayed, ord-302 shipped, ord-303 packed)",
    "C4: could not be found",
]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    if not installed() or shutil.which("node") is None:
        missing = "the clients are not installed: make clients"
        pytest.fail(missing) if "CI" in os.environ else pytest.skip(missing)
    with serving() as made:
        yield made


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_reaches_the_highest_rung(client, served):
    program, agent, *words = CLIENTS[client]
    run = f"/run/{agent.stem}-{'-'.join(words)}"
    command = [program, agent, served.address + run, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout.splitlines(), done.returncode) == (LINES, 0), done.stderr
    verdict = served.get(f"{run}/verdict?rung=3").json
    assert (verdict["verdict"], verdict["findings"]) == ("reached", [])
    streamed = [trip["request"].get("stream", False) for trip in served.get(f"{run}/trace").json["round_trips"]]
    assert "stream" not in words or all(streamed)
