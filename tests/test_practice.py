"""The learner's agent against the rungs: the verdict, its reasons, and what is never told."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ladders import RUNGS, TASKS, load
from shipped import shipped

from askless.errors import Problem
from askless.judge.practice import Practice, StoppedError, practise
from askless.judge.sandbox import Sandbox
from askless.judge.verdict import EXIT_CODES, Scenario, Verdict, worst
from askless.show import verdict as show

NAME = "t01_fewer_tool_calls"
SHOWN = load(NAME).desk()
HEAD = "def answer(client, desk, question):\n"


def worked(task: str, rung: str) -> Path:
    path = load(task).rung(rung).worked
    assert path
    return path


Judge = Callable[..., Practice]


@pytest.fixture
def judge(sandbox: Sandbox, tmp_path: Path) -> Judge:
    """Judge a source, or a worked rung changed in one place."""

    def run(source: str, rung: str = "v3", timeout_s: float = 60.0) -> Practice:
        agent = tmp_path / "agent.py"
        agent.write_text(source)
        return practise(sandbox, load(NAME), load(NAME).rung(rung), agent, timeout_s=timeout_s)

    return run


def changed(rung: str, old: str, new: str) -> str:
    source = worked(NAME, rung).read_text()
    assert source.count(old) == 1
    return source.replace(old, new)


def kinds(practice: Practice) -> list[str]:
    return [finding.id for finding in practice.verdict.findings]


@pytest.mark.parametrize(("task", "name"), RUNGS)
def test_a_worked_rung_reaches_its_own_target_and_no_higher_one(sandbox, task, name):
    rung = load(task).rung(name)
    practice = practise(sandbox, load(task), rung, worked(task, name))
    assert practice.verdict.verdict == "reached"
    assert practice.highest == name
    assert [scenario.name for scenario in practice.verdict.scenarios] == ["shown", "drawn"]


@pytest.mark.parametrize(("task", "name"), [(task, name) for task, name in RUNGS if name != "v0"])
def test_the_rung_below_misses_it(sandbox, task, name):
    rung = load(task).rung(name)
    below = load(task).rungs[rung.number - 1].name
    practice = practise(sandbox, load(task), rung, worked(task, below))
    assert (practice.verdict.verdict, practice.highest) == ("missed", below)


@pytest.mark.parametrize("task", TASKS)
def test_the_learners_file_as_shipped_answers_right_and_misses(sandbox, task, tmp_path):
    agent = tmp_path / "agent.py"
    agent.write_bytes(shipped(load(task).learner))
    practice = practise(sandbox, load(task), load(task).rung("v3"), agent)
    assert practice.verdict.verdict == "missed"
    assert practice.verdict.measured["answer_right"]


def test_v0_is_told_that_its_results_were_split_first(sandbox):
    practice = practise(sandbox, load(NAME), load(NAME).rung("v3"), worked(NAME, "v0"))
    assert kinds(practice)[:2] == ["split_results", "one_item_tools"]
    assert "one user message" in show.next_act(practice)


@pytest.mark.parametrize(("rung", "suspect"), [("v1", "one_item_tools"), ("v2", "chained_tools")])
def test_each_rung_is_told_what_the_next_one_changes(sandbox, rung, suspect):
    practice = practise(sandbox, load(NAME), load(NAME).rung("v3"), worked(NAME, rung))
    assert kinds(practice)[0] == suspect


def test_v3_has_nothing_left_to_find(sandbox):
    assert kinds(practise(sandbox, load(NAME), load(NAME).rung("v3"), worked(NAME, "v3"))) == []


def test_an_answer_learned_by_heart_is_caught_on_the_drawn_desk(judge):
    answer = load(NAME)
    text = next(trace.answer for trace in [_shown_trace(answer)])
    source = changed("v3", "    messages = [", f"    learned = {text!r}\n    messages = [").replace(
        'return "".join(block.text for block in reply.content if block.type == "text")', "return learned"
    )
    practice = judge(source)
    assert [scenario.verdict for scenario in practice.verdict.scenarios] == ["reached", "missed"]
    assert "only_knows_shown_desk" in kinds(practice)
    assert practice.highest is None


def _shown_trace(task):
    from askless import ladder

    return ladder.run_plain(task, "v3")


def test_a_table_of_answers_without_a_model_reaches_nothing(judge):
    text = _shown_trace(load(NAME)).answer
    practice = judge(HEAD + f"    return {text!r}\n")
    assert practice.verdict.verdict == "missed"
    assert kinds(practice)[0] == "answers_without_model"


def test_a_right_model_under_a_wrong_return_is_wrong(judge):
    practice = judge(
        changed("v3", 'return "".join(block.text for block in reply.content if block.type == "text")', "return '-'")
    )
    assert practice.verdict.measured == {**practice.verdict.measured, "round_trips": 2, "answer_right": False}
    assert practice.verdict.verdict == "missed"


def test_a_result_that_is_no_text_is_told_with_the_apis_mend(judge):
    practice = judge(changed("v3", "json.dumps(RUN[call.name](desk, **call.input))", "None"))
    assert practice.verdict.verdict == "crashed"
    assert practice.verdict.measured["round_trips"] == 2
    assert "failed_requests" in kinds(practice)
    assert "tool_result" in show.next_act(practice)


def test_a_tool_that_nobody_runs_is_missed_and_not_endless(judge):
    practice = judge(changed("v3", 'RUN = {"get_orders": get_orders}', "RUN = {}"))
    assert practice.verdict.verdict in ("missed", "crashed")


def test_an_unflagged_error_makes_the_answer_wrong_and_is_named(judge):
    practice = judge(changed("v1", ', "is_error": True', ""))
    assert not practice.verdict.measured["answer_right"]
    assert kinds(practice)[0] == "unflagged_errors"


def test_an_async_agent_reaches_what_the_same_agent_reaches(judge):
    source = changed("v3", "def answer", "async def answer").replace("client.messages", "await client.messages")
    assert judge(source).verdict.verdict == "reached"


def test_two_hundred_requests_are_the_most(judge):
    source = HEAD + (
        "    while True:\n        client.messages.create(model='claude-sonnet-5', max_tokens=64,"
        " messages=[{'role': 'user', 'content': 'Hello'}])\n"
    )
    practice = judge(source)
    assert (practice.verdict.verdict, practice.verdict.measured["round_trips"]) == ("missed", 200)
    assert kinds(practice)[0] == "too_many_requests"


def test_a_verdict_by_the_clock_carries_no_counts(judge):
    practice = judge(HEAD + "    while True: pass\n", timeout_s=0.3)
    assert practice.verdict.verdict == "timed_out"
    assert [scenario.measured for scenario in practice.verdict.scenarios] == [{}, {}]


def test_a_flood_is_missed_without_counts_and_little_of_it_is_shown(judge):
    practice = judge(HEAD + "    while True: print('flood')\n")
    assert (practice.verdict.verdict, practice.verdict.measured) == ("missed", {})
    assert len(show.text(practice)) < 2 * show.PRINTED_CHARS + 1_000


def test_what_is_printed_is_shown_with_its_control_characters_spelt_out(judge):
    text = show.text(
        judge(HEAD + "    print('\\x1b[31mred\\x07\\u202e', '\\ud800'.encode('utf-8', 'surrogatepass'))\n")
    )
    assert r"\x1b[31mred\x07\u202e" in text
    assert "\x1b" not in text


def test_a_crash_everywhere_is_told_once(judge):
    practice = judge(HEAD + "    return {}['a']\n")
    assert [scenario.verdict for scenario in practice.verdict.scenarios] == ["crashed", "crashed"]
    assert kinds(practice) == ["exception"]
    assert "KeyError" in practice.verdict.findings[0].what


def test_nothing_said_on_the_drawn_desk_is_ever_shown(judge):
    source = HEAD + (
        "    if 'C1,' in question: return '-'\n"
        "    print('canary', question)\n"
        "    raise RuntimeError('canary ' + question)\n"
    )
    practice = judge(source)
    assert practice.verdict.scenarios[1].verdict == "crashed"
    assert "crashed_elsewhere" in kinds(practice)
    assert "canary" not in show.text(practice) + show.as_json(practice.verdict)


def test_the_same_file_has_the_same_verdict(judge):
    source = worked(NAME, "v0").read_text()
    assert judge(source).verdict == judge(source).verdict


def test_another_file_is_held_to_another_desk(judge):
    first, second = (judge(worked(NAME, "v0").read_text() + f"# {number}\n") for number in (1, 2))
    assert first.verdict.measured == second.verdict.measured
    assert first.verdict.scenarios[1].measured != second.verdict.scenarios[1].measured


def test_a_run_is_given_up_when_it_is_told_to_stop(sandbox, tmp_path):
    agent = tmp_path / "agent.py"
    agent.write_text(HEAD + "    while True: pass\n")
    with pytest.raises(StoppedError):
        practise(sandbox, load(NAME), load(NAME).rung("v3"), agent, stop=lambda: True)


def test_the_rung_without_a_worked_version_has_no_target_yet(sandbox):
    with pytest.raises(Problem, match="no target"):
        practise(sandbox, load(NAME), load(NAME).rung("v4"), load(NAME).learner)


def test_no_scenario_at_all_is_not_graded():
    verdict = Verdict("task", "v3", {}, ())
    assert (verdict.verdict, verdict.exit_code) == ("not_graded", 3)


def test_the_worst_scenario_is_the_verdict():
    order = list(EXIT_CODES)
    assert [worst(order[: end + 1]) for end in range(len(order))] == order
    scenarios = tuple(Scenario(status, status, {}, ()) for status in ("reached", "crashed", "missed"))
    assert Verdict("task", "v3", {}, scenarios).verdict == "crashed"
