"""The production rung of this task: its scenarios, the solution that reaches it, and near misses of that solution.

The near misses run in this process, for about half a second each, the solution once in the judge's, for 15 s.
"""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from hashlib import sha256
from pathlib import Path

import pytest
from near_misses import MISSES, WAYS

from askless import ladder, task
from askless.api.conversation import Request
from askless.check import target as check
from askless.check.target import Target
from askless.client import connect
from askless.judge import production
from askless.judge.process.runs import Launcher
from askless.judge.production import Production
from askless.judge.sandbox import Sandbox
from askless.model import Reply
from askless.model.scripted import Scripted
from askless.record import Recorder
from askless.scenario import Scenario
from askless.service import Service

TASK = task.load(Path(__file__).parent.name)
REFERENCE = Path(__file__).with_name("rung4_reference.py")
SHOWN = TASK.scenarios()
SEEDS = [None, b"a leader's", b"another"]


@pytest.fixture(scope="module")
def judged(as_it_is: Launcher) -> Production:
    """The solution in the judge."""
    with Sandbox(as_it_is) as sandbox:
        return production.practise(sandbox, TASK, TASK.rungs[-1], REFERENCE, timeout_s=120)


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[str, str], Path]:
    """Makes an agent of the solution with one thing in the place of another."""

    def change(old: str, new: str) -> Path:
        source = REFERENCE.read_text("utf-8")
        assert source.count(old) == 1
        agent = tmp_path / "agent.py"
        agent.write_text(source.replace(old, new), "utf-8")
        return agent

    return change


def failed(agent: Path, scenarios: tuple[Scenario, ...]) -> set[str]:
    """The scenarios that an agent fails, each run in this process through the SDK; all at once, as some wait."""
    with ThreadPoolExecutor(len(scenarios) or 1) as pool:
        reached = list(pool.map(partial(reaches, ladder.load_agent(agent)), scenarios))
    return {scenario.name for scenario, good in zip(scenarios, reached, strict=True) if not good}


@cache
def replied(body: str) -> Reply:
    return Scripted(TASK.script())(Request.of(json.loads(body)))


def model(request: Request) -> Reply:
    """The scripted model, which remembers its replies: near misses send most of what the solution sends."""
    return replied(json.dumps(request.body))


@cache
def judged_right(is_right: Callable[[str], bool], said: str) -> bool:
    return is_right(said)


def reaches(agent: ladder.Agent, scenario: Scenario) -> bool:
    desk, recorder = scenario.desk(), Recorder()
    with connect(Service(model, faults=scenario.faults), recorder) as client:
        try:
            said = agent(client, desk, desk.question)
        except Exception:
            return False
    numbers = production.measured(recorder.trace(answer_right=judged_right(scenario.is_right, said)))
    return check.met(numbers, Target(scenario.name, scenario.limits))


def test_the_solution_reaches_all_twenty_in_the_judge(judged):
    rows = judged.verdict.scenarios
    assert [row.name for row in rows if row.verdict != "reached"] == []
    assert (len(rows), judged.verdict.exit_code, judged.last.highest) == (20, 0, "v4")


def test_the_judge_counts_what_the_sdk_does_in_this_process(judged):
    names = {"page", "overloaded-twice", "refusal", "forty"}
    counted = {row.name: row.measured for row in judged.verdict.scenarios if row.name in names}
    agent = ladder.load_agent(REFERENCE)
    for scenario in (each for each in SHOWN if each.name in names):
        desk, recorder = scenario.desk(), Recorder()
        said = agent(connect(Service(Scripted(TASK.script()), faults=scenario.faults), recorder), desk, desk.question)
        assert counted[scenario.name] == production.measured(recorder.trace(answer_right=scenario.is_right(said)))


def test_ten_thousand_customers_cost_no_more_each_than_forty(judged):
    costs = {row.name: row.measured["input_tokens"] for row in judged.verdict.scenarios}
    assert costs["ten-thousand"] / 10_000 <= costs["forty"] / 40


@pytest.mark.parametrize("seed", SEEDS[1:])
def test_the_solution_reaches_every_variant(seed):
    assert failed(REFERENCE, TASK.scenarios(seed)) == set()


@pytest.mark.parametrize("miss", MISSES)
def test_a_near_miss_fails_the_scenarios_that_its_fault_names_and_no_other(miss, changed):
    old, new, fails = MISSES[miss]
    assert failed(changed(old, new), SHOWN) == fails


def test_each_scenario_is_failed_by_a_near_miss():
    failed_by_some = set().union(*(fails for _, _, fails in MISSES.values()))
    assert failed_by_some == {scenario.name for scenario in SHOWN}


@pytest.mark.parametrize("way", WAYS)
def test_another_right_way_reaches_on_every_desk(way, changed):
    old, new, name = WAYS[way]
    agent = changed(old, new)
    for seed in SEEDS:
        assert failed(agent, tuple(each for each in TASK.scenarios(seed) if each.name == name)) == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_remark_on_the_missing_status_is_no_word_on_another_order(seed):
    scenario = next(each for each in TASK.scenarios(seed) if each.name == "status-missing")
    desk, agent = scenario.desk(), ladder.load_agent(REFERENCE)
    with connect(Service(Scripted(TASK.script())), Recorder()) as client:
        said = agent(client, desk, desk.question)
    assert scenario.is_right(said)
    assert scenario.is_right(f"{said}\n\nOne status is missing.")
    assert not scenario.is_right(said.replace("status unknown", "").replace("unknown", ""))


def test_strict_tools_spare_the_checks(tmp_path):
    agent = tmp_path / "agent.py"
    source = REFERENCE.read_text("utf-8").replace('"input_schema"', '"strict": True,\n        "input_schema"')
    agent.write_text(source.replace("wrong = fault(call)", "wrong = None"), "utf-8")
    assert failed(agent, tuple(each for each in SHOWN if each.finding == "rung4_calls")) == set()


def test_two_steps_of_list_tools_are_too_many_in_production():
    worked = TASK.rung("v2").worked
    assert {"page", "one-customer", "none-known"} - failed(worked, SHOWN[:3]) == {"none-known"}


def test_there_are_twenty_and_half_of_them_have_variants():
    names = [scenario.name for scenario in SHOWN]
    assert len(set(names)) == len(names) == 20
    assert len({scenario.name for scenario in TASK.scenarios(b"seed")} & set(names)) == 10


@pytest.mark.parametrize("seed", SEEDS)
def test_scenarios_are_the_same_for_the_same_seed(seed):
    one, other = TASK.scenarios(seed), TASK.scenarios(seed)
    assert [told(scenario) for scenario in one] == [told(scenario) for scenario in other]


def test_variants_ask_about_customers_that_the_known_desk_does_not_have():
    shown = {scenario.name: scenario.desk().question for scenario in SHOWN}
    for scenario in TASK.scenarios(sha256(REFERENCE.read_bytes()).digest()):
        assert scenario.desk().question != shown[scenario.name]


def told(scenario: Scenario) -> tuple[object, ...]:
    return scenario.name, scenario.desk().question, scenario.limits, str(scenario.faults)
