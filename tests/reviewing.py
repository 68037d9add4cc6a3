"""Reviewers in a process of their own, each told what to say, and a learner for them to review."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ladders import run
from test_feedback_facts import GOOD

from askless import task
from askless.cli import record

KEY = "sk-ant-canary-feedback-0001"


@contextmanager
def reviewers(folder: Path) -> Iterator[str]:
    """Where the reviewers are; the folder says what they say."""
    command = [sys.executable, str(Path(__file__).with_name("reviewer.py")), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.kill()


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


def asked(at: tuple[str, Path], test: str, monkeypatch: pytest.MonkeyPatch) -> Reviewer:
    """A reviewer of that test's own, whom this environment asks."""
    address, folder = at
    name = re.sub(r"\W", "_", test)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{address}/{name}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    return Reviewer(folder, name)


def explained(own_task: Path) -> Path:
    """The folder of a learner who has reached v3 and explained it."""
    of = task.load(own_task)
    record.keep(of, run(task.names()[0], "v3"))
    of.explanation.write_text(GOOD, "utf-8")
    return own_task / "learner"
