"""Reviewers in a process of their own, each told what to say, and a learner for them to review."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ladders import load, run

from askless import task
from askless.cli import record

KEY = "sk-ant-canary-feedback-0001"
TASK = load("t01_fewer_tool_calls")
FORM = TASK.form.read_text("utf-8")
GOOD = """# What I changed, and why it costs less

## What I changed

One tool returns the orders of all customers with their statuses, as v3 has it.

## Which cost each change moved

One call waits for nothing, so I went from 8 to 2 round trips and from 10 to 1 tool calls. Less is sent again:
4,958 -> 386 input tokens.

## When I would not make this change

With ten thousand customers: the one result would be too long to read.
"""
FAIR = {
    "about": "why",
    "source": "parallel-split-results",
    "quote": "One call waits for nothing",
    "says": "Right: request 1 asks for all, and 2 round trips are left.",
    "next": "Say what v0 waited for.",
}


def said(*findings: Any) -> str:
    return json.dumps({"findings": findings})


class Reviewer:
    """One reviewer: what it is to say, and what it heard."""

    def __init__(self, folder: Path, name: str) -> None:
        self._told = folder / f"{name}.json"

    def says(self, *replies: Any, **told: Any) -> None:
        self._told.write_text(json.dumps({"replies": replies, **told}))

    @property
    def heard(self) -> list[dict[str, Any]]:
        heard = self._told.with_suffix(".heard")
        return [json.loads(line) for line in heard.read_text().splitlines()] if heard.exists() else []


@pytest.fixture(scope="session")
def reviewers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Where the reviewers are, and the folder that says what they say."""
    folder = tmp_path_factory.mktemp("reviewers")
    command = [sys.executable, str(Path(__file__).with_name("reviewer.py")), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().strip(), folder
        process.kill()


@pytest.fixture
def reviewer(reviewers: tuple[str, Path], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Reviewer:
    """A reviewer of that test's own, whom this environment asks."""
    address, folder = reviewers
    name = re.sub(r"\W", "_", request.node.nodeid)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{address}/{name}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    return Reviewer(folder, name)


@pytest.fixture
def learner(own_task: Path) -> Path:
    """The folder of a learner who has reached v3 and explained it."""
    of = task.load(own_task)
    record.keep(of, run(TASK.name, "v3"))
    of.explanation.write_text(GOOD, "utf-8")
    return own_task / "learner"
