"""A tool that does not say what it gives costs a trial; tools that cannot answer end in a text that says so."""

from typing import Any

import pytest
from order_desk import ANSWER, ORDERS, STATUS, Tool, ToolError, get_orders, get_status, one, one_of, run
from test_reading_tools import orders_by, status_by

VAGUE = {
    "both": [orders_by("customer_id", "", "alpha"), status_by("order_id", "", "beta")],
    "the first": [orders_by("customer_id", "Gets data.", "get_data"), get_status()],
    "the second": [get_orders(), status_by("order_id", "Gets data.", "get_data")],
}


@pytest.mark.parametrize("tools", VAGUE.values(), ids=VAGUE)
def test_a_vague_tool_is_tried_with_one_thing_before_it_is_trusted_with_all(tools: list[Tool]) -> None:
    done = run(tools)
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 4, 10)


def test_tools_that_say_nothing_at_all_are_told_apart_by_trying() -> None:
    def either(table: Any) -> Any:
        return lambda **given: one_of(table)(given["id"])

    done = run([Tool("alpha", "", one("id"), either(STATUS)), Tool("beta", "", one("id"), either(ORDERS))])
    assert (done.answer, done.trips) == (ANSWER, 4)


def test_an_error_in_a_trial_speaks_against_the_tool_and_not_the_thing() -> None:
    def refuse(customer_id: str) -> Any:
        raise ToolError(f"{customer_id} not found")

    done = run([Tool("alpha", "", one("customer_id"), refuse), orders_by("customer_id", "", "beta"), get_status()])
    assert done.answer == ANSWER


@pytest.mark.parametrize("first", ["C4", "C1"])
def test_a_trial_may_begin_with_the_missing_customer(first: str) -> None:
    rest = [customer for customer in ("C1", "C2", "C3", "C4") if customer != first]
    done = run(
        [orders_by("customer_id", "", "alpha"), get_status()], f"Orders and status of {first}, {', '.join(rest)}?"
    )
    assert sorted((done.answer or "").splitlines()) == ANSWER.splitlines()


CANNOT = {
    "no tools": ([], 1, "the open orders of a customer"),
    "orders only": ([get_orders()], 2, "the shipping status of an order"),
    "statuses only": ([get_status()], 1, "the open orders of a customer"),
    "something else": ([Tool("get_weather", "Weather of a city.", one("city"), lambda city: "sun")], 1, "open orders"),
    "an act": (
        [Tool("cancel_order", "Cancels orders of a customer.", one("customer_id"), lambda **_: "ok")],
        1,
        "orders",
    ),
}


@pytest.mark.parametrize(("tools", "trips", "missing"), CANNOT.values(), ids=CANNOT)
def test_tools_that_cannot_answer_end_in_a_text_that_says_what_is_missing(
    tools: list[Tool], trips: int, missing: str
) -> None:
    done = run(tools)
    last = (done.answer or "").splitlines()[-1]
    assert (done.trips, last.startswith("Missing:"), missing in last) == (trips, True, True)
