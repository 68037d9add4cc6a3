"""The production rung's verdict for people: what to do first, and what was planned beside what was met."""

from collections.abc import Callable
from pathlib import Path

import pytest

from askless import ladder, task
from askless.judge.production import Production, practise
from askless.judge.sandbox import Sandbox
from askless.show import production, reports
from askless.show.text import trace_lines

TASK = task.load("t01")
NO_LOOP = "def answer(client, desk, question):\n    return 'nothing'\n"


@pytest.fixture
def judged(sandbox: Sandbox, tmp_path: Path) -> Callable[..., Production]:
    """The verdict on a source, of all scenarios or of one."""

    def judge(source: str, only: str | None = None) -> Production:
        agent = tmp_path / "agent.py"
        agent.write_text(source, "utf-8")
        return practise(sandbox, TASK, TASK.rungs[-1], agent, only=only)

    return judge


def worked(name: str) -> str:
    path = TASK.rung(name).worked
    assert path
    return path.read_text("utf-8")


def lines(practice: Production) -> list[str]:
    return [line.text for line in production.trace_lines(practice)]


@pytest.mark.parametrize("only", [None, "refusal"])
def test_a_file_that_cannot_be_read_is_to_be_mended_first(judged, only):
    act = production.next_act(judged("def answer(client, desk, question):", only))
    assert act.startswith("mend line 1 of ")
    assert "--scenario" not in act


def test_what_no_scenario_gets_past_comes_before_what_the_first_one_teaches(judged):
    assert production.next_act(judged(NO_LOOP)) == "send the results back until stop_reason is end_turn"
    assert production.next_act(judged(NO_LOOP, "page")).startswith("let one tool, shaped for the question")


def test_a_limit_that_was_not_kept_is_a_scenarios(judged):
    assert "- round_trips: 8 round trips; scenario page takes at most 2" in production.text(
        judged(worked("v0"), "page")
    )


def test_one_scenario_reached_is_not_the_rung(judged):
    assert production.next_act(judged(worked("v3"), "page")) == "run them all: leave --scenario out"


@pytest.mark.parametrize(
    ("scenario", "planned", "met"),
    [
        ("status-missing", "the desk has no status of ord-101", "ord-101 was looked up once"),
        ("timed-out-once", "the desk fails once it is asked for C1: timed out", "C1 was looked up once"),
        ("stays-down", "the desk fails each time it is asked for C1: the order system", "C1 was looked up once"),
        ("note", "the desk adds a note to the status of ord-101", "ord-101 was looked up once"),
        ("large-result", "the desk adds 5,825 characters to each status", "something was looked up 10 times"),
        ("refusal", "request 2: a refusal", "1:. 2:[a refusal"),
    ],
)
def test_what_was_planned_stands_beside_what_was_met(judged, scenario, planned, met):
    _, first, second, *_ = lines(judged(worked("v3"), scenario))
    assert first.startswith(f"planned: {planned}")
    assert second.startswith(f"met:     {met}")


def test_calls_that_no_request_answers_are_not_told_one_by_one(judged):
    told = lines(judged(worked("v0"), "forty"))
    assert "Sent back: nothing." in told
    assert not any(line.startswith("result of") for line in told)


def test_in_a_long_run_only_the_requests_that_first_sent_something_are_named():
    trace = ladder.run_plain(TASK, "v0", TASK.grown(10))
    (short,), (long,) = (
        [line.text for line in trace_lines(trace, n) if line.text.startswith("by the request")] for n in (10, 22)
    )
    assert short.count("+") == 9
    assert "(request 22) tokens" in long
    assert " 0 (request" not in long


def test_in_a_summary_numbers_stand_right_and_words_left(judged):
    heads, rule = (line.split("|") for line in reports.summary(judged(worked("v3"), "page")).splitlines()[2:4])
    sides = {head.strip(): side.strip() for head, side in zip(heads, rule, strict=True)}
    assert [sides[name] for name in ("scenario", "answer", "trips", "cost ($)")] == ["---", "---", "---:", "---:"]
