"""Orders may have bare numbers for identifiers, in data and in prose."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_desk import Tool, many, one, run
from test_scripted_desks import answer, line, question

NUMBERS = st.lists(st.integers(100, 9999).map(str), unique=True, max_size=4)
NAMES = st.sampled_from(["id", "nr", "number", "orderNumber", "ref"])


def overview(customer: str, result: Any) -> str | None:
    return run(
        [Tool("overview", "Open orders with shipping status.", one("customer_id"), lambda customer_id: result)],
        question(customer),
    ).answer


@given(NUMBERS, NAMES, st.booleans())
@settings(max_examples=30)
def test_the_entries_of_a_list_may_be_numbered(numbers: list[str], name: str, wrapped: bool) -> None:
    rows = [{name: number, "status": "packed"} for number in numbers]
    assert overview("C1", {"data": rows} if wrapped else rows) == line_of(numbers)


@given(NUMBERS, NAMES)
@settings(max_examples=30)
def test_rows_of_a_list_tool_may_be_numbered(numbers: list[str], name: str) -> None:
    rows = [{name: number, "customer": "C1", "status": "packed"} for number in numbers]
    tool = Tool("overview", "Open orders with shipping status.", many("customer_ids"), lambda customer_ids: rows)
    done = run([tool], question("C1", "C2"))
    first = line_of(numbers) if numbers else "C1: could not be found"
    assert done.answer == f"{first}\nC2: could not be found"


def line_of(numbers: list[str]) -> str:
    return line("C1", dict.fromkeys(numbers, "packed"))


OTHER_NUMBERS: list[Any] = [
    {"id": 99, "customer_id": "C1", "orders": [{"id": "ord-1", "status": "packed"}]},
    [{"id": 99, "customer_id": "C1", "orders": [{"id": "ord-1", "status": "packed"}]}],
    {"code": 200, "data": [{"id": 1, "order_id": "ord-1", "status": "packed"}]},
    [{"code": 17, "order_id": "ord-1", "status": "packed"}],
]


@pytest.mark.parametrize("result", OTHER_NUMBERS, ids=str)
def test_a_number_that_is_no_order_is_left_alone(result: Any) -> None:
    assert overview("C1", result) == answer({"C1": {"ord-1": "packed"}}, "C1")
