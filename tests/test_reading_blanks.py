"""Blank lines in a result are passed over."""

import pytest
from order_desk import ANSWER, ORDERS, STATUS, Tool, many, run
from steps import steps

LINES = [f"{customer}: " + ", ".join(f"{order} {STATUS[order]}" for order in ORDERS[customer]) for customer in ORDERS]


def ask(between: str) -> None:
    said = between.join([*LINES, "No customer C4."])
    tool = Tool("overview", "Open orders with shipping status.", many("customer_ids"), lambda customer_ids: said)
    assert run([tool]).answer == ANSWER


@pytest.mark.parametrize("blank", ["\n", "\r\n", " \t\n"], ids=repr)
def test_blank_lines_in_a_result_change_nothing_and_cost_nothing(blank: str) -> None:
    few, more = (steps(lambda lines=lines: ask("\n" + blank * lines)) for lines in (1_000, 10_000))
    assert more < few + 1_000
