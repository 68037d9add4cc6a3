"""Errors are read: what failed, what is missing, and what to try next, which is tried once."""

from collections.abc import Callable
from typing import Any

import pytest
from order_desk import ANSWER, ORDERS, STATUS, Tool, ToolError, get_orders, get_status, many, one, one_of, run

UNKNOWN = ANSWER.replace("C4: could not be found", "C4: {}")


def orders_failing(fail: Callable[[str, int], str | None], description: str = "Open orders for one customer.") -> Tool:
    """A one-item tool that fails with the text that `fail` gives for a customer's nth call."""
    calls: list[str] = []

    def look_up(customer_id: str) -> Any:
        calls.append(customer_id)
        text = fail(customer_id, calls.count(customer_id))
        if text is not None:
            raise ToolError(text)
        return {"orders": ORDERS.get(customer_id, [])}

    return Tool("get_orders", description, one("customer_id"), look_up)


ABSENT = ["'C4' not found", "'C4'", "KeyError: 'C4'", "C4 is not a customer", "No such customer: C4", "no customer C4",
          "Unknown customer C4. Do not try again.", "C4 does not exist; known are C1, C2 and C3"]  # fmt: skip


@pytest.mark.parametrize("text", ABSENT)
def test_a_customer_that_does_not_exist_is_not_asked_for_again(text: str) -> None:
    done = run([orders_failing(lambda customer, nth: text if customer == "C4" else None), get_status()])
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 3, 10)


def test_a_look_up_that_failed_for_another_reason_is_told_apart() -> None:
    done = run([orders_failing(lambda customer, nth: "database closed" if customer == "C4" else None), get_status()])
    assert (done.answer, len(done.calls)) == (UNKNOWN.format("could not be looked up (database closed)"), 10)


UNFLAGGED = ["Error: customer C4 not found", '{"error": "not found"}', '{"orders": null}', "null", "[]", ""]


@pytest.mark.parametrize("text", UNFLAGGED)
def test_an_unflagged_error_is_data_and_the_answer_comes_out_wrong(text: str) -> None:
    def look_up(customer_id: str) -> Any:
        return ORDERS.get(customer_id) or text

    done = run([Tool("get_orders", "Open orders for one customer.", one("customer_id"), look_up), get_status()])
    assert (done.answer, done.trips) == (UNKNOWN.format("0 open orders"), 3)


@pytest.mark.parametrize("text", ["timed out, retry", "503 Service Unavailable", "Rate limit reached; try again"])
def test_a_passing_error_is_retried_once(text: str) -> None:
    done = run([orders_failing(lambda customer, nth: text if customer == "C2" and nth == 1 else None), get_status()])
    assert (done.answer, len(done.calls)) == (UNKNOWN.format("0 open orders"), 11)


def test_a_lasting_error_is_retried_no_more_than_once() -> None:
    done = run([orders_failing(lambda customer, nth: "timed out, retry" if customer == "C4" else None), get_status()])
    assert (done.answer, len(done.calls)) == (UNKNOWN.format("could not be looked up (timed out, retry)"), 11)


@pytest.mark.parametrize("name", ["get_archived_orders", "archive"])
def test_another_tool_that_an_error_names_is_tried_once(name: str) -> None:
    archive = {"C4": ["ord-401"]}
    text = f"C4 is archived: use `{name}` instead"
    tools = [
        orders_failing(lambda customer, nth: text if customer == "C4" else None),
        Tool(name, "The archive.", one("customer_id"), one_named(archive)),
        Tool(
            "get_status",
            "Shipping status of one order.",
            one("order_id"),
            lambda order_id: STATUS.get(order_id, "lost"),
        ),
    ]
    done = run(tools)
    assert done.answer == UNKNOWN.format("1 open orders (ord-401 lost)")
    assert [call for call in done.calls if call[0] == name] == [(name, {"customer_id": "C4"})]


def one_named(table: dict[str, Any]) -> Callable[..., Any]:
    return lambda **given: one_of(table)(given["customer_id"])


def test_a_tool_that_an_error_names_and_that_does_not_help_is_not_asked_again() -> None:
    tools = [
        orders_failing(lambda customer, nth: "C4 not found; try get_old_orders" if customer == "C4" else None),
        Tool("get_old_orders", "Former customers.", one("customer_id"), one_named({})),
        get_status(),
    ]
    done = run(tools)
    assert (done.answer, len(done.calls)) == (ANSWER, 11)


@pytest.mark.parametrize("text", ["No such id. Did you mean C40?", "C4 was renamed, use C40"])
def test_a_corrected_identifier_is_tried_once(text: str) -> None:
    done = run([orders_failing(lambda customer, nth: text if customer == "C4" else None), get_status()])
    assert ("get_orders", {"customer_id": "C40"}) in done.calls
    assert (done.answer, len(done.calls)) == (UNKNOWN.format("0 open orders"), 11)


def test_a_form_that_an_error_shows_is_followed() -> None:
    def look_up(customer_id: str) -> Any:
        if not customer_id.startswith("CUST-"):
            raise ToolError("Invalid id. Ids look like CUST-0009.")
        return one_of(ORDERS)(f"C{int(customer_id[5:])}")

    done = run([Tool("get_orders", "Open orders for one customer.", one("customer_id"), look_up), get_status()])
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 4, 14)


def listing(fail: Callable[[list[str], int], str | None]) -> Tool:
    """A list tool that fails as a whole with the text that `fail` gives for its nth call."""
    calls: list[list[str]] = []

    def look_up(customer_ids: list[str]) -> Any:
        calls.append(customer_ids)
        text = fail(customer_ids, len(calls))
        if text is not None:
            raise ToolError(text)
        return {customer: ORDERS[customer] for customer in customer_ids}

    return Tool("get_orders", "Open orders of many customers.", many("customer_ids"), look_up)


LIST_ERRORS: dict[str, tuple[Callable[[list[str], int], str | None], list[list[str]]]] = {
    "names the missing one": (
        lambda asked, nth: "'C4' not found" if "C4" in asked else None,
        [["C1", "C2", "C3"]],
    ),
    "names no one": (
        lambda asked, nth: "bad request" if len(asked) > 1 else "not found" if asked == ["C4"] else None,
        [["C1"], ["C2"], ["C3"], ["C4"]],
    ),
    "names all it was asked": (
        lambda asked, nth: f"failed: {asked}" if len(asked) > 1 else "not found" if asked == ["C4"] else None,
        [["C1"], ["C2"], ["C3"], ["C4"]],
    ),
    "gives a limit": (
        lambda asked, nth: "at most 2 a call" if len(asked) > 2 else "'C4' not found" if "C4" in asked else None,
        [["C1", "C2"], ["C3", "C4"], ["C3"]],
    ),
    "will pass": (
        lambda asked, nth: "timeout, retry" if nth == 1 else "'C4' not found" if "C4" in asked else None,
        [["C1", "C2", "C3", "C4"], ["C1", "C2", "C3"]],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("fail", "after"), LIST_ERRORS.values(), ids=LIST_ERRORS)
def test_an_error_of_a_list_call_reopens_what_it_does_not_name(fail: Any, after: list[list[str]]) -> None:
    done = run([listing(fail), get_status()])
    asked = [given["customer_ids"] for name, given in done.calls if name == "get_orders"]
    assert (done.answer, asked) == (ANSWER, [["C1", "C2", "C3", "C4"], *after])


def test_a_list_call_that_never_works_ends() -> None:
    done = run([listing(lambda asked, nth: "bad request"), get_status()])
    assert done.answer == "\n".join(f"C{n}: could not be looked up (bad request)" for n in (1, 2, 3, 4))
    assert len(done.calls) == 5


def test_a_flagged_result_that_holds_rows_is_read() -> None:
    def look_up(customer_ids: list[str]) -> Any:
        raise ToolError('{"orders": {"C1": ["ord-101", "ord-102"], "C2": ["ord-201"]}, "error": "C4 not found"}')

    tools = [Tool("some_orders", "Open orders.", many("customer_ids"), look_up), get_status()]
    done = run(tools)
    assert done.answer.splitlines()[:2] == ANSWER.splitlines()[:2]  # type: ignore[union-attr]


def test_an_entry_that_failed_for_another_reason_is_told_apart() -> None:
    def look_up(customer_ids: list[str]) -> Any:
        return {**ORDERS, "C4": {"error": "permission denied"}}

    done = run([Tool("get_orders", "Open orders.", many("customer_ids"), look_up), get_status()])
    assert done.answer == UNKNOWN.format("could not be looked up (permission denied)")


def test_an_entry_that_will_pass_is_asked_for_once_more() -> None:
    calls: list[list[str]] = []

    def look_up(customer_ids: list[str]) -> Any:
        calls.append(customer_ids)
        table = {**ORDERS, "C2": ORDERS["C2"] if len(calls) > 1 else {"error": "timed out, retry"}}
        return {customer: table.get(customer) for customer in customer_ids}

    done = run([Tool("get_orders", "Open orders.", many("customer_ids"), look_up), get_status()])
    assert (done.answer, calls) == (ANSWER, [["C1", "C2", "C3", "C4"], ["C2"]])


def test_an_order_whose_status_is_not_known_says_so() -> None:
    def look_up(order_id: str) -> Any:
        raise ToolError("gone")

    done = run([get_orders(), Tool("get_status", "Shipping status of one order.", one("order_id"), look_up)])
    assert (done.answer or "").splitlines()[1] == "C2: 1 open orders (ord-201 status unknown)"
    assert len(done.calls) == 10


@pytest.mark.parametrize("text", ["'get_orders' not found", "Unknown tool: get_orders", "KeyError: 'get_orders'"])
def test_an_error_about_the_tool_itself_says_nothing_of_a_customer(text: str) -> None:
    done = run([orders_failing(lambda customer, nth: text), get_status()])
    assert done.answer == "\n".join(f"C{n}: could not be looked up ({text})" for n in range(1, 5))
