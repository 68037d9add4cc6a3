"""Other desks, other identifiers, other words: the question is read, not known by heart."""

from collections.abc import Mapping
from typing import Any

import pytest
from order_desk import Run, Tool, ToolError, many, one, run

Desk = Mapping[str, Mapping[str, str]]


def one_by_one(desk: Desk) -> list[Tool]:
    statuses = {order: status for orders in desk.values() for order, status in orders.items()}

    def orders(customer_id: str) -> Any:
        if customer_id not in desk:
            raise ToolError(f"{customer_id!r} not found")
        return {"customer_id": customer_id, "orders": list(desk[customer_id])}

    return [
        Tool("get_orders", "Open orders for one customer.", one("customer_id"), orders),
        Tool("get_status", "Shipping status of one order.", one("order_id"),
             lambda order_id: {"order_id": order_id, "status": statuses[order_id]}),
    ]  # fmt: skip


def coarse(desk: Desk) -> list[Tool]:
    def look_up(customer_ids: list[str]) -> Any:
        return [
            {"customer": c, "orders": [{"id": order, "status": status} for order, status in desk[c].items()]}
            if c in desk
            else {"customer": c, "error": "not found"}
            for c in customer_ids
        ]

    return [Tool("overview", "Open orders with shipping status.", many("customer_ids"), look_up)]


def line(customer: str, orders: Mapping[str, str] | None) -> str:
    if orders is None:
        return f"{customer}: could not be found"
    described = ", ".join(f"{order} {status}" for order, status in orders.items())
    return f"{customer}: {len(orders)} open orders ({described})" if orders else f"{customer}: 0 open orders"


def answer(desk: Desk, *customers: str) -> str:
    return "\n".join(line(customer, desk.get(customer)) for customer in customers)


def question(*customers: str) -> str:
    return f"For customers {', '.join(customers)}: list each customer's open orders, then the status of every order."


IDENTIFIERS: dict[str, Desk] = {
    "CUST-0007": {"CUST-0007": {"SO-2026-0001": "packed", "SO-2026-0002": "shipped"}, "CUST-0010": {}},
    "ord/2026/14": {"C1": {"ord/2026/14": "delayed", "ord/2026/15": "packed"}, "C2": {"ord/2026/16": "shipped"}},
    "lower case": {"c1": {"o-17": "in transit"}, "c2": {"o-18": "out for delivery", "o-19": "packed"}},
    "underscores": {"cust_1": {"order_11": "packed"}, "cust_2": {}},
    "one letter in both": {"K12": {"B7": "packed"}, "K13": {"B8": "shipped"}},
    "the same letters in both": {"A1": {"A101": "packed"}, "A2": {"A102": "delayed"}},
    "dots": {"c.17": {"o.2026.4": "packed"}, "c.18": {}},
}


@pytest.mark.parametrize("desk", IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_identifiers_may_have_any_form(desk: Desk) -> None:
    asked = [*desk, *(f"{customer}9" for customer in list(desk)[:1])]
    for tools, trips in ((one_by_one(desk), 3), (coarse(desk), 2)):
        done = run(tools, question(*asked))
        assert (done.answer, done.trips) == (answer(desk, *asked), trips)


DESK: Desk = {"C1": {"ord-1": "packed", "ord-2": "shipped"}, "C2": {}, "C3": {"ord-3": "delayed"}}
ASKED = {
    "Which orders are still open for C1, C2 and C3, and where is each of them?": "C1 C2 C3",
    "C1, C2, C3 - what's open and what's the status?": "C1 C2 C3",
    "Tell me about client C3's purchases. Also those of client C1.": "C3 C1",
    "For customers C1 to C3, list open orders.": "C1 C2 C3",
    "For customers C1-C3, list open orders.": "C1 C2 C3",
    "Every customer from C1 through C4 please: orders and status.": "C1 C2 C3 C4",
    "customers between C2 and C4": "C2 C3 C4",
    "For customers C1\u2013C3, list open orders.": "C1 C2 C3",
    "Customers C1, C2, C1 and C2: open orders?": "C1 C2",
    "For customers C1 to C4 except C2: open orders and statuses.": "C1 C3 C4",
    "Customers:\n- C1\n- C3\nList each one's orders as of 2026-08-01, within 24h.": "C1 C3",
    "For customers C1/C2/C3: list open orders.": "C1 C2 C3",
    "In Q3 we lost track. For customers C1 and C3, list the open orders.": "C1 C3",
    "List the open orders of the following customers (like order ord-9): C1, C3.": "C1 C3",
    "For customer C2: list open orders. Finish with 1 line per customer.": "C2",
    "What is open for C3? Use the form `id: orders`.": "C3",
    "For customers C1, C2, and C3 list their open orders, not the delivered ones.": "C1 C2 C3",
}


@pytest.mark.parametrize("text", ASKED)
def test_a_question_may_use_other_words(text: str) -> None:
    done = run(coarse(DESK), text)
    assert (done.answer, done.trips) == (answer(DESK, *ASKED[text].split()), 2)


def test_numbers_are_identifiers_after_a_word_for_them() -> None:
    desk: Desk = {"17": {"5001": "packed"}, "18": {}}
    for tools, trips in ((one_by_one(desk), 3), (coarse(desk), 2)):
        done = run(tools, "Open orders and status for customers 17, 18 and 19. Answer in 3 lines.")
        assert (done.answer, done.trips) == (answer(desk, "17", "18", "19"), trips)


def test_numbers_may_stand_under_numbers() -> None:
    keyed = {"17": {"5001": "packed"}, "18": {}}
    tools = [Tool("overview", "Open orders with shipping status.", many("customer_ids"), lambda customer_ids: keyed)]
    listed = [
        Tool("get_orders", "Open orders.", many("customers"), lambda customers: {17: [5001], 18: []}),
        Tool("get_status", "Shipping status.", many("orders"), lambda orders: {5001: "packed"}),
    ]
    for offered in (tools, listed):
        assert run(offered, "Open orders for customers 17 and 18?").answer == answer(keyed, "17", "18")


def forty() -> Run:
    desk = {f"C{n}": {f"ord-{n}-{k}": "packed" for k in range(n % 4)} for n in range(1, 40)}
    customers = [f"C{n}" for n in range(1, 41)]
    done = run(one_by_one(desk), question(*customers), max_tokens=8192)
    assert done.answer == answer(desk, *customers)
    return done


def test_forty_customers_take_three_trips() -> None:
    assert forty().trips == 3


def test_a_question_that_names_nobody_is_answered_by_saying_so() -> None:
    done = run(coarse(DESK), "What is open?")
    assert (done.trips, "names none" in (done.answer or "")) == (1, True)


def test_a_customer_without_open_orders_is_told_from_one_that_does_not_exist() -> None:
    done = run(one_by_one(DESK), question("C2", "C9"))
    assert done.answer == "C2: 0 open orders\nC9: could not be found"
