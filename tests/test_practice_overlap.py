"""Calls of one reply that an agent runs at the same time: seen in the judge, and counted as one step of waiting."""

from collections.abc import Callable
from pathlib import Path

import pytest

from askless import task
from askless.api.latency import CALL_S
from askless.judge.production import practise
from askless.judge.sandbox import Sandbox
from askless.judge.siblings import PATIENCE, Siblings

TASK = task.load("t01")
ONE_BY_ONE = 'results = [tool_result(desk, block) for block in reply.content if block.type == "tool_use"]'
CALLS = 'calls = [block for block in reply.content if block.type == "tool_use"]\n        '
POOL = (
    CALLS + "from concurrent.futures import ThreadPoolExecutor\n"
    "        with ThreadPoolExecutor({workers}) as pool:\n"
    "            results = list(pool.map(lambda block: tool_result(desk, block), calls))"
)
IDLE = (
    "from threading import Event, Thread\n"
    "        Thread(target=Event().wait, daemon=True).start()\n"
    f"        {ONE_BY_ONE}"
)


@pytest.fixture
def waits(sandbox: Sandbox, tmp_path: Path) -> Callable[[str], float]:
    """The simulated seconds of worked v1 on the page's question, with its results gathered in another way."""

    def run(gather: str) -> float:
        worked = TASK.rung("v1").worked
        assert worked
        source = worked.read_text("utf-8")
        assert source.count(ONE_BY_ONE) == 1
        agent = tmp_path / "agent.py"
        agent.write_text(source.replace(ONE_BY_ONE, gather), "utf-8")
        (row,) = practise(sandbox, TASK, TASK.rungs[-1], agent, only="page").verdict.scenarios
        assert row.measured["answer_right"]
        return float(row.measured["waits_s"])

    return run


def test_calls_run_at_once_are_waited_for_once(waits):
    serial = waits(ONE_BY_ONE)  # four calls, then six
    assert serial - waits(POOL.format(workers=6)) == pytest.approx((10 - 2) * CALL_S, abs=0.05)


def test_a_pool_that_is_too_small_takes_several_steps(waits):
    assert waits(ONE_BY_ONE) - waits(POOL.format(workers=2)) == pytest.approx((10 - 2 - 3) * CALL_S, abs=0.05)


def test_threads_that_look_nothing_up_overlap_nothing(waits):
    assert waits(ONE_BY_ONE) == waits(IDLE)


def test_an_agent_with_one_thread_is_never_held():
    siblings = Siblings()
    siblings.replied(0, 10)
    assert not any(siblings.holds(look_up, 1) for look_up in range(10))
    assert siblings.overlaps().call_steps == {0: 10}


def test_a_look_up_is_held_until_as_many_are_there_as_the_reply_has_calls():
    siblings = Siblings()
    siblings.replied(3, 3)
    assert [siblings.holds(look_up, 4) for look_up in (1, 2, 1, 3, 1)] == [True, True, True, False, False]
    assert siblings.overlaps().call_steps == {3: 1}


def test_a_look_up_that_stays_alone_is_let_through_and_no_other_is_held_in_that_run():
    siblings = Siblings()
    siblings.replied(0, 2)
    assert [siblings.holds(1, 2) for _ in range(PATIENCE + 1)] == [True] * PATIENCE + [False]
    siblings.replied(1, 2)
    assert not siblings.holds(2, 2)
    assert siblings.overlaps().call_steps == {0: 2, 1: 2}


def test_a_reply_with_one_call_is_not_looked_at():
    siblings = Siblings()
    siblings.replied(0, 1)
    assert not siblings.holds(1, 9)
    assert siblings.overlaps().call_steps == {}
