"""Agents of a learner's own on the real API, and what is told of them."""

import io
import sys
from pathlib import Path

import pytest
from living import Far, Live

AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor

def answer(client, desk, question):
    def ask(number):
        messages = [{"role": "user", "content": f"{number}: {question}"}]
        return client.messages.create(model="claude-sonnet-5", max_tokens=300, messages=messages)
    with ThreadPoolExecutor(8) as pool:
        return str(len(list(pool.map(ask, range(8)))))
"""


class Heard(io.StringIO):
    """Notes each piece that is written."""

    def __init__(self, pieces: list[str]) -> None:
        super().__init__()
        self.pieces = pieces

    def write(self, text: str) -> int:
        self.pieces.append(text)
        return len(text)


def test_a_model_that_is_not_offered_is_one_line_and_not_offered_again(live: Live, far: Far, own_task: Path) -> None:
    agent = own_task / "learner" / "agent.py"
    agent.write_text(agent.read_text().replace('"claude-sonnet-5"', '"claude-3-opus-20240229"'))
    said = live("learner", name="retired")
    seen, following = said.err.splitlines()
    assert (said.code, far.heard("retired")) == (2, [])
    assert seen.startswith("nothing was sent: this model is not offered (any more)")
    assert seen.endswith(": claude-3-opus-20240229.")
    assert "claude-sonnet-5" in following


def test_a_path_whose_costs_nobody_knows_is_told_without_a_larger_budget(live: Live, own_task: Path) -> None:
    agent = own_task / "learner" / "agent.py"
    lists = "    try:\n        client.models.list()\n    except Exception:\n        pass\n"
    head = "def answer(client, desk, question: str) -> str:\n"
    assert head in agent.read_text()
    agent.write_text(agent.read_text().replace(head, f"{head}{lists}"))
    said = live("learner", name="models")
    assert said.code == 1
    assert "what GET /v1/models costs is not known beforehand.\nNext: let the agent do without it" in said.err


def test_what_several_threads_have_told_is_whole_lines(
    live: Live, own_task: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_task / "learner" / "agent.py").write_text(AT_ONCE)
    written: list[str] = []
    monkeypatch.setattr(sys, "stderr", Heard(written))
    live("learner", name="lines")
    told = [line for line in written if line.startswith("  request")]
    assert [line.split(":")[0] for line in told] == [f"  request {number}" for number in range(1, 9)]
    assert all(line.count("\n") == 1 and line.endswith("\n") for line in told)
