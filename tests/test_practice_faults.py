"""A fault of the lab costs a learner nothing and reaches nothing; a judge that is killed has said nothing."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from junitparser import Error, JUnitXml
from ladders import load
from processes import children, until

from askless.check.target import Finding
from askless.judge.practice import practise
from askless.judge.process.runs import environment
from askless.model.scripted import Scripted
from askless.task import Task
from askless.trace import Trace

NAME = "t01_fewer_tool_calls"
TASK = load(NAME)
ASK = Callable[..., tuple[int, str, str]]


@pytest.fixture
def broken_sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "anthropic.py").write_text("raise ImportError('a broken installation')")
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    monkeypatch.setattr("askless.judge.process.forked.environment", lambda: {**environment(), "PYTHONPATH": path})


@pytest.mark.usefixtures("broken_sdk")
def test_a_sandbox_that_cannot_start_is_not_graded_with_an_exit_code_of_its_own(ask_own: ASK, tmp_path: Path):
    junit = tmp_path / "junit.xml"
    code, out, _ = ask_own("practice", "--json", "--junit", junit)
    told = json.loads(out)
    assert (code, told["verdict"], told["measured"]) == (3, "not_graded", {})
    assert [finding["id"] for finding in told["findings"]] == ["lab_fault"]
    (suite,) = JUnitXml.fromfile(str(junit))
    assert [type(case.result[0]) for case in suite] == [Error, Error]


def test_a_fault_in_weighing_one_run_costs_that_run_alone(sandbox, monkeypatch):
    def broken(trace: Trace, *_: object) -> list[Finding]:
        if trace.question != TASK.desk().question:
            raise RuntimeError("a bug that only the drawn desk meets")
        return []

    monkeypatch.setattr("askless.check.honest.findings", broken)
    practice = practise(sandbox, TASK, TASK.rung("v3"), TASK.rung("v3").worked)
    assert [scenario.verdict for scenario in practice.verdict.scenarios] == ["reached", "not_graded"]
    assert practice.verdict.verdict == "not_graded"


def test_a_bug_of_the_model_is_not_graded_and_says_nothing_of_the_drawn_desk(sandbox, monkeypatch):
    class Broken(Scripted):
        def __call__(self, request):
            raise RuntimeError(json.dumps(request.messages))

    monkeypatch.setattr("askless.judge.practice.Scripted", Broken)
    practice = practise(sandbox, TASK, TASK.rung("v3"), TASK.rungs[0].worked)
    assert practice.verdict.verdict == "not_graded"
    drawn = practice.verdict.scenarios[1]
    assert [(finding.id, finding.what) for finding in drawn.findings] == [("lab_fault", "a fault of the lab")]


@pytest.mark.usefixtures("started")
def test_a_bug_of_the_judge_is_not_graded_and_no_traceback(ask_own: ASK, monkeypatch):
    def broken(*_: object) -> bool:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Task, "is_right", broken)
    code, out, err = ask_own("practice", "--json")
    told = json.loads(out)
    assert (code, told["verdict"], err) == (3, "not_graded", "")
    assert told["findings"][0]["what"] == "a fault of the lab: RuntimeError: a bug"


def test_a_process_that_cannot_be_started_is_the_labs_fault(ask_own: ASK, monkeypatch):
    def full() -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("askless.judge.process.launcher.launcher", full)
    code, out, err = ask_own("practice", "--json")
    assert (code, out) == (3, "")
    assert err.startswith("a fault of the lab: ")
    assert "\nNext: " in err


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the run's processes")
def test_a_judge_that_is_killed_leaves_no_verdict(own_task: Path, tmp_path: Path):
    (own_task / "learner" / "agent.py").write_text("while True:\n    pass\n")
    files = [tmp_path / "junit.xml", tmp_path / "summary.md", own_task / "learner" / ".progress.json"]
    words = ["practice", str(own_task), "--json", "--junit", str(files[0]), "--summary", str(files[1])]
    with subprocess.Popen([sys.executable, "-m", "askless", *words], stdout=subprocess.PIPE) as judge:
        assert judge.stdout
        until(lambda: children(judge.pid) != [])
        judge.kill()
        assert judge.stdout.read() == b""
    assert judge.returncode == -9
    assert not any(file.exists() for file in files)
