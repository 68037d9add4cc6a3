"""The run of v1 is the one on the page of the task, to the character."""

import pytest
from ladders import run

TASK = "t01_fewer_tool_calls"
CHARS = {1: [173, 432, 75], 2: [173, 462, 576, 432, 79], 3: [173, 462, 576, 688, 819, 432, 83]}
ANSWER = """\
C1: 2 open orders (ord-101 shipped, ord-102 packed)
C2: 1 open orders (ord-201 shipped)
C3: 3 open orders (ord-301 delayed, ord-302 shipped, ord-303 packed)
C4: could not be found"""


@pytest.mark.parametrize("n", CHARS)
def test_each_part_of_v1_has_the_pages_characters(n: int) -> None:
    trace = run(TASK, "v1")
    assert [sent.part.chars for sent in trace.parts(n - 1)] == CHARS[n]
    assert trace.round_trips[n - 1].chars == sum(CHARS[n])


def test_the_tokens_of_v1_and_their_split_are_the_pages() -> None:
    trace = run(TASK, "v1")
    assert [trip.input_tokens for trip in trace.round_trips] == [170, 430, 808]
    assert [trace.new_tokens(index) for index in range(3)] == [[170], [170, 260], [170, 260, 378]]


def test_the_calls_and_results_of_v1_are_the_pages() -> None:
    first, second, _ = run(TASK, "v1").round_trips
    assert [(call.id, call.result, call.is_error) for call in first.calls] == [
        ("toolu_0001_get_orders", '{"customer_id": "C1", "orders": ["ord-101", "ord-102"]}', False),
        ("toolu_0002_get_orders", '{"customer_id": "C2", "orders": ["ord-201"]}', False),
        ("toolu_0003_get_orders", '{"customer_id": "C3", "orders": ["ord-301", "ord-302", "ord-303"]}', False),
        ("toolu_0004_get_orders", "'C4' not found", True),
    ]
    assert second.calls[5].id == "toolu_0010_get_status"
    assert second.calls[5].input == {"order_id": "ord-303"}
    assert second.calls[5].result == '{"order_id": "ord-303", "status": "packed"}'


@pytest.mark.parametrize("rung", ["v0", "v1", "v2", "v3"])
def test_every_rung_gives_the_pages_four_lines(rung: str) -> None:
    assert run(TASK, rung).answer == ANSWER


@pytest.mark.parametrize(("rung", "trips", "calls"), [("v0", 8, 10), ("v1", 3, 10), ("v2", 3, 2), ("v3", 2, 1)])
def test_the_rungs_have_the_pages_round_trips_and_calls(rung: str, trips: int, calls: int) -> None:
    totals = run(TASK, rung).totals
    assert (totals.round_trips, totals.tool_calls) == (trips, calls)
