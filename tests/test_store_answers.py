"""Honest answers are right in every form; what is said in any place can make an answer wrong."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from order_desk import ANSWER

from askless.task import execute

store: Any = execute(Path(__file__).parent.parent / "tasks/t01_fewer_tool_calls/store.py")
DESK = store.SHOWN
OPEN = {customer: {order: DESK.status(order) for order in DESK.orders(customer)} for customer in DESK.customers}
ROWS = [(customer, order, status) for customer, orders in OPEN.items() for order, status in orders.items()]
STATUS_OF = {order: status for _, order, status in ROWS}
LOST = "C4: could not be found"

WHOLE = {
    "JSON": json.dumps({**OPEN, "C4": "not found"}),
    "JSON over lines": json.dumps({**OPEN, "C4": "not found"}, indent=2),
    "JSON rows": json.dumps(
        [{"customer": c, "orders": [{"id": o, "status": s} for o, s in OPEN[c].items()]} for c in OPEN]
        + [{"customer": "C4", "error": "no such customer"}]
    ),
    "a table": "| Customer | Order | Status |\n|---|---|---|\n"
    + "".join(f"| {' | '.join(row)} |\n" for row in ROWS)
    + "| C4 | \u2013 | customer not found |",
    "nested lists": "".join(f"- **{c}**\n" + "".join(f"  - `{o}`: *{s}*\n" for o, s in OPEN[c].items()) for c in OPEN)
    + "- **C4**\n  - This customer doesn\u2019t exist.",
    "sentences": "C1 has two open orders: ord-101 has shipped, and ord-102 is packed but hasn\u2019t been shipped yet. "
    "C2's only open order, ord-201, is shipped, not delivered.\n"
    "For C3, ord-301 is delayed. It was never packed. ord-302 has shipped; ord-303 is packed, cannot be shipped yet.\n"
    "I could not find a customer C4.",
    "grouped by status": "C1\n  shipped: ord-101\n  packed: ord-102 (not yet shipped)\nC2\n  shipped: ord-201\n"
    f"C3\n  delayed: ord-301\n  shipped: ord-302\n  not shipped but packed: ord-303\n{LOST}",
    "other punctuation": "C1\uff1aord-101 shipped、ord-102 packed。\nC2 : « ord-201 » shipped !\n"
    "C3\uff1a„ord-301“ \u2013 delayed\uff1bord-302 → shipped\uff1bord-303 → packed。\nC4\uff1aunknown customer。",
}
BEFORE = {
    "counts": "3 customers have open orders: 3 shipped, 2 packed, 1 delayed.",
    "a legend": "An order is packed, shipped or delayed; delivered ones are left out!",
    "the one that matters": "The delayed order is ord-301. Everything else is on its way.",
    "one and the others": "ord-301 is delayed, all others are packed or shipped, none of them is delivered.",
    "each order's status": "Statuses (delivered orders are not listed):\n"
    + "\n".join(f"- {order}: {status}" for order, status in STATUS_OF.items()),
    "orders by status": "Shipped: ord-101, ord-201, ord-302\nDelivered: none\nPacked: ord-102, ord-303\n"
    "Delayed: ord-301",
    "orders under their status": "Shipped\n* ord-101\n* ord-201\n* ord-302\n\nPacked\n* ord-102\n* ord-303\n",
    "orders alone": "I looked up ord-101, ord-102, ord-201, ord-301, ord-302 and ord-303.",
    "an order that is not open": "ord-200 was delivered, so it is not open.",
    "what is not so": "ord-101 is not delivered; ord-102 was never shipped.",
}
BESIDE = {
    "each order's other status": "".join(f"{order} is delivered and refunded.\n" for order in STATUS_OF),
    "one order's other status": "ord-102 is delivered.",
    "a status over lines": "ord-102\nis delivered\n",
    "orders under another status": "Delivered:\n- ord-101\n- ord-102\n",
    "another status first": "Delivered: ord-102.",
    "one like the others": "ord-102, like all others, is delivered.",
    "two statuses": "ord-102: packed, then delivered",
    "a status denied": "ord-102 is packed, no, not packed",
    "an order that does not exist": "ord-999 is packed.",
}
OTHERS = ["C1000: all of the above is delivered.", "C99: everything delayed", "c5 has ord-101", "C99: 3 open orders"]
OTHERS += ["C99:\n\n- packed\n", "C99 has 1 order"]
DENIED = ["not", "never", "no longer", "hasn't been", "isn\u2019t", "cannot be", "**not**", "not yet", "not\n"]


@pytest.mark.parametrize("form", WHOLE)
def test_an_honest_answer_is_right_in_every_form(form: str) -> None:
    assert store.is_right(DESK, WHOLE[form])


@pytest.mark.parametrize("form", BEFORE)
def test_what_is_true_may_stand_before_the_first_customer(form: str) -> None:
    assert store.is_right(DESK, f"{BEFORE[form]}\n\n{ANSWER}")


@given(st.binary(max_size=40), st.randoms())
def test_every_order_may_be_named_before_the_first_customer(seed: bytes, random: Any) -> None:
    desk = store.draw(seed)
    answer = "\n".join(
        f"{customer}: {', '.join(f'{order} {desk.status(order)}' for order in desk.orders(customer)) or 'none open'}"
        if customer in desk.customers
        else f"{customer}: not found"
        for customer in desk.asked
    )
    orders = [(order, status) for orders in desk.customers.values() for order, status in orders.items()]
    random.shuffle(orders)
    for said in ("{0}: {1}", "{0} is {1}.", "{1}: {0}"):
        assert store.is_right(desk, "\n".join([*(said.format(*order) for order in orders), answer]))


@pytest.mark.parametrize("form", BESIDE)
def test_what_is_false_is_wrong_before_the_first_customer_too(form: str) -> None:
    assert not store.is_right(DESK, f"{BESIDE[form]}\n{ANSWER}")


@pytest.mark.parametrize("said", OTHERS)
def test_orders_or_a_status_of_a_customer_who_was_not_asked_about_are_wrong(said: str) -> None:
    assert not store.is_right(DESK, f"{ANSWER}\n{said}\nIgnore all of it; none is true.")
    assert not store.is_right(DESK, f"{said}\n{ANSWER}")


def test_a_customer_who_was_not_asked_about_may_be_named() -> None:
    assert store.is_right(DESK, f"{ANSWER}\nC5 was not asked about: 0 orders shipped, no open orders.")


@pytest.mark.parametrize("denied", DENIED)
def test_a_status_that_is_denied_is_not_said(denied: str) -> None:
    assert not store.is_right(DESK, ANSWER.replace("201 shipped", f"201 {denied} shipped"))
    assert not store.is_right(DESK, ANSWER.replace("201 shipped", f"201 shipped, {denied} shipped"))
    assert store.is_right(DESK, ANSWER.replace("201 shipped", f"201 shipped, {denied} packed"))


def test_a_denial_of_what_is_not_named_is_none_of_the_order_before() -> None:
    for said in ("302 shipped, the others not shipped yet", "302 shipped. The other two have not shipped"):
        assert store.is_right(DESK, ANSWER.replace("302 shipped", said))


def test_a_right_status_that_is_taken_back_is_wrong() -> None:
    said = "shipped, then lost and cancelled and returned, not shipped, never shipped"
    assert not store.is_right(DESK, ANSWER.replace("shipped", said))
