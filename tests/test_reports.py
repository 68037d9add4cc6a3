"""The reports of a practice run as other programs read them: JUnit XML by a reader of it, Markdown line by line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml
from ladders import load
from markdown_it import MarkdownIt

from askless.check.target import Finding, Target
from askless.errors import Problem
from askless.judge.practice import Practice
from askless.judge.verdict import Scenario, Status, Verdict
from askless.show import reports

TASK = load("t01_fewer_tool_calls")
RUNG = TASK.rung("v3")
ASK = Callable[..., tuple[int, str, str]]


def practice(*statuses: Status, what: str = "seen", output: str = "") -> Practice:
    target = Target("v3", {"round_trips": 2, "answer_right": True})
    findings = (Finding("kind", what, what),)
    scenarios = tuple(
        Scenario(name, status, {"round_trips": 2, "answer_right": True}, findings if status != "reached" else ())
        for name, status in zip(("shown", "drawn"), statuses, strict=False)
    )
    verdict = Verdict(TASK.name, "v3", target.limits, scenarios)
    return Practice(verdict, RUNG, tuple(target for _ in scenarios), None, output)


def read(told: Practice) -> JUnitXml:
    return JUnitXml.fromstring(reports.junit(told).encode())


def test_a_scenario_is_a_test_case_and_what_is_not_reached_fails():
    (suite,) = read(practice("reached", "missed"))
    assert (suite.name, suite.tests, suite.failures, suite.errors) == (f"askless.{TASK.name}.v3", 2, 1, 0)
    reached, missed = suite
    assert (reached.name, reached.classname, reached.is_passed) == ("shown desk", suite.name, True)
    (result,) = missed.result
    assert (type(result), result.type, result.message) == (Failure, "missed", "kind")
    assert result.text == "kind: seen\nNext: seen"


@pytest.mark.parametrize("status", ["timed_out", "crashed", "not_graded"])
def test_what_was_not_measured_is_an_error_and_never_passed_or_skipped(status):
    (suite,) = read(practice(status, status))
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (2, 0, 2, 0)
    assert all(type(case.result[0]) is Error for case in suite)


HOSTILE = "]]><testcase/>&\x00\x1b[2J\x07\ud800\ufffe\r\n```\n````\n<img src=x>\n# reached |" + "x" * 50_000


def test_what_an_agent_says_of_itself_is_text_in_either_report():
    told = practice("missed", "missed", what=HOSTILE, output=HOSTILE)
    (suite,) = read(told)
    assert r"]]><testcase/>&\x00\x1b[2J\x07\ud800\ufffe" in next(iter(suite)).result[0].text
    assert len(reports.junit(told)) < 20_000
    tokens = MarkdownIt("commonmark").parse(reports.summary(told))
    assert [token.type for token in tokens if token.type not in ("inline", "fence")][:3] == [
        "heading_open",
        "heading_close",
        "paragraph_open",
    ]
    (fence,) = [token for token in tokens if token.type == "fence"]
    assert "<img src=x>\n# reached" in fence.content


def test_a_summary_has_the_table_and_what_to_do_next():
    assert reports.summary(practice("reached", "reached")).splitlines() == [
        f"## {TASK.name}, rung v3: reached",
        "",
        "|  | shown desk | target | drawn desk | target |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| round trips | 2 | at most 2 | 2 | at most 2 |",
        "| answer | right | right | right | right |",
        "",
        f"Next: read all hints and the worked rung (askless hint {TASK.name}), or go on to a higher one (--rung)",
    ]


@pytest.mark.usefixtures("started")
def test_practice_writes_both_beside_its_verdict(ask_own: ASK, tmp_path: Path):
    junit, summary = tmp_path / "junit.xml", tmp_path / "summary.md"
    summary.write_text("before\n")
    code, out, _ = ask_own("practice", "--json", "--junit", junit, "--summary", summary)
    assert (code, json.loads(out)["verdict"]) == (1, "missed")
    (suite,) = JUnitXml.fromfile(str(junit))
    assert (suite.tests, suite.failures) == (2, 2)
    assert summary.read_text().startswith(f"before\n## {TASK.name}, rung v3: missed\n")


@pytest.mark.parametrize("files", [("there", None), (None, "there")])
def test_a_report_that_cannot_be_written_is_a_problem(tmp_path, monkeypatch, files):
    monkeypatch.chdir(tmp_path)
    Path("there").mkdir()
    with pytest.raises(Problem, match="could not be written"):
        reports.write(practice("reached", "reached"), *files)


@pytest.mark.usefixtures("started")
@pytest.mark.parametrize("option", ["--junit", "--summary"])
def test_a_report_that_has_no_folder_is_told_before_anything_runs(ask_own: ASK, tmp_path: Path, option):
    code, out, err = ask_own("practice", option, tmp_path / "nowhere" / "report")
    assert (code, out) == (2, "")
    assert "there is no folder" in err
