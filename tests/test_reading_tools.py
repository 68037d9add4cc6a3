"""The model has never heard of a tool: it reads names, descriptions and schemas, then asks for all it can."""

import json
from typing import Any

import pytest
from order_desk import (
    ANSWER,
    ORDERS,
    QUESTION,
    STATUS,
    Tool,
    get_orders,
    get_status,
    many,
    model,
    one,
    one_of,
    run,
    v1,
)

from askless.api.conversation import Request


def orders_by(name: str, description: str = "Open orders for one customer.", tool: str = "get_orders") -> Tool:
    return Tool(tool, description, one(name), lambda **given: one_of(ORDERS)(given[name]))


def status_by(name: str, description: str = "Shipping status of one order.", tool: str = "get_status") -> Tool:
    return Tool(tool, description, one(name), lambda **given: one_of(STATUS)(given[name]))


def known(ids: list[str], table: Any) -> Any:
    return {key: table.get(key, {"error": "not found"}) for key in ids}


def orders_of(name: str, description: str, tool: str = "lookup_many") -> Tool:
    return Tool(tool, description, many(name), lambda **given: known(given[name], ORDERS))


def statuses_of(name: str, description: str, tool: str = "lookup_statuses") -> Tool:
    return Tool(tool, description, many(name), lambda **given: known(given[name], STATUS))


def overview(customer: str) -> dict[str, str]:
    return {order: STATUS[order] for order in ORDERS[customer]}


ONE_BY_ONE = {
    "other names": [
        orders_by("client", "Purchases of a client.", "lookup"), status_by("purchase", "Where it is.", "track")
    ],
    "camel case": [orders_by("customerId", tool="getOrders"), status_by("orderNumber", tool="getStatus")],
    "names that say it all": [
        orders_by("customer_id", "", "list_open_orders"), status_by("order_id", "", "order_status")
    ],
    "explained by the tool only": [orders_by("id"), status_by("id")],
    "explained by the property only": [
        Tool("lookup", "", {"id": {"type": "string", "description": "the customer whose orders are wanted"}},
             lambda **given: one_of(ORDERS)(given["id"])),
        Tool("track", "", {"key": {"type": "string", "description": "the order whose status is wanted"}},
             lambda **given: one_of(STATUS)(given["key"])),
    ],
    "in the other order": v1()[::-1],
    "descriptions that speak of each other": [
        orders_by("customer_id", "Open orders for one customer, without status. Use get_status for the status."),
        status_by("order_id", "Shipping status of one order. Not for customers: get_orders lists their orders."),
    ],
}  # fmt: skip


@pytest.mark.parametrize("tools", ONE_BY_ONE.values(), ids=ONE_BY_ONE)
def test_tools_that_take_one_thing_are_read_whatever_they_are_called(tools: list[Tool]) -> None:
    done = run(tools)
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 3, 10)


LISTS = {
    "named for it": [orders_of("customer_ids", "Open orders."), statuses_of("order_ids", "Shipping status.")],
    "ids explained by a description": [
        Tool("lookup", "Looks up open orders.",
             many("ids", description="customer ids"), lambda ids: known(ids, ORDERS)),
        Tool("track", "Shipping status.", many("ids", description="order numbers"), lambda ids: known(ids, STATUS)),
    ],
    "ids explained by the tool": [
        orders_of("ids", "Open orders for customers."),
        statuses_of("ids", "Shipping status of several orders."),
    ],
    "beside tools that take one": [
        *v1(),
        orders_of("customer_ids", "Open orders of many customers."),
        statuses_of("order_ids", "Shipping status of many orders."),
    ],
    "one text with commas": [
        Tool("get_orders", "Open orders.",
             {"customer_ids": {"type": "string", "description": "comma-separated customer ids"}},
             lambda customer_ids: known(customer_ids.split(","), ORDERS)),
        statuses_of("order_ids", "Shipping status."),
    ],
    "objects in a list": [
        Tool("get_orders", "Open orders.",
             {"customers": {"type": "array", "items": {"type": "object", "properties": one("id"), "required": ["id"]}}},
             lambda customers: known([customer["id"] for customer in customers], ORDERS)),
        statuses_of("order_ids", "Shipping status."),
    ],
    "an object around the list": [
        Tool("get_orders", "Open orders.", {"query": {"type": "object", "properties": many("customer_ids")}},
             lambda query: known(query["customer_ids"], ORDERS)),
        statuses_of("order_ids", "Shipping status."),
    ],
    "one or many, both optional": [
        Tool("get_orders", "Open orders.", {**one("customer_id"), **many("customer_ids")},
             lambda customer_ids: known(customer_ids, ORDERS), required=[]),
        statuses_of("order_ids", "Shipping status."),
    ],
    "a list or nothing": [
        Tool("get_orders", "Open orders.",
             {"customer_ids": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}},
             lambda customer_ids: known(customer_ids, ORDERS)),
        statuses_of("order_ids", "Shipping status."),
    ],
}  # fmt: skip


@pytest.mark.parametrize("tools", LISTS.values(), ids=LISTS)
def test_tools_that_take_lists_are_called_once_each(tools: list[Tool]) -> None:
    done = run(tools)
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 3, 2)


def coarse(name: str, description: str, **more: Any) -> Tool:
    """A coarse tool whose further properties have to be what the lambda wants."""
    wanted = more.pop("wanted", {})
    required = ["customer_ids", *more.pop("required", [])]

    def look_up(customer_ids: list[str], **given: Any) -> Any:
        assert all(given.get(key) == value for key, value in wanted.items()), given
        return {customer: overview(customer) for customer in customer_ids if customer in ORDERS}

    return Tool(name, description, {**many("customer_ids"), **more}, look_up, required=required)


COARSE = {
    "plain": [coarse("orders", "Open orders and their shipping status.")],
    "beside the small tools": [*v1(), coarse("overview", "All open orders with the status of each.")],
    "before the small tools": [coarse("overview", "All open orders with the status of each."), *v1()],
    "beside its like without statuses": [
        orders_of("customer_ids", "Open orders."), coarse("both", "Open orders with status."), get_status()
    ],
    "with an optional flag": [
        coarse("orders", "Open orders.", include_status={"type": "boolean"}, wanted={"include_status": True})
    ],
    "with a flag its description explains": [
        coarse("orders", "Open orders.", full={"type": "boolean", "description": "also the shipping status"},
               wanted={"full": True})
    ],
    "with an optional choice": [
        coarse("orders", "Open orders.", wanted={"expand": ["status"]},
               expand={"type": "array", "items": {"type": "string", "enum": ["address", "status"]}})
    ],
    "with a required choice": [
        coarse("orders", "Orders with status.", state={"type": "string", "enum": ["all", "open"]}, required=["state"],
               wanted={"state": "open"})
    ],
    "with a limit that must be given": [
        coarse("orders", "Orders with status.", limit={"type": "integer", "maximum": 50}, required=["limit"],
               wanted={"limit": 50})
    ],
    "with an optional second property": [
        coarse("orders", "Orders with status.", since={"type": "string"}, order_id={"type": "string"},
               wanted={"since": None, "order_id": None})
    ],
}  # fmt: skip


@pytest.mark.parametrize("tools", COARSE.values(), ids=COARSE)
def test_a_coarse_tool_is_found_and_called_once(tools: list[Tool]) -> None:
    done = run(tools)
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 2, 1)


def test_the_keys_of_an_input_stand_in_the_order_of_the_schema() -> None:
    flagged = {"include_status": {"type": "boolean"}, **many("customer_ids")}
    tool = Tool("orders", "Open orders.", flagged, lambda **given: {}, required=["customer_ids"])
    reply = model()(Request.of({"max_tokens": 1024, "tools": [tool.offered], "messages": [asks(QUESTION)]}))
    assert json.dumps(reply.content[0]["input"]) == '{"include_status": true, "customer_ids": ["C1", "C2", "C3", "C4"]}'


def asks(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def test_an_order_is_asked_for_with_its_customer_where_a_tool_wants_both() -> None:
    def look_up(customer_id: str, order_id: str) -> str:
        assert order_id in ORDERS[customer_id]
        return STATUS[order_id]

    both = {**one("customer_id"), **one("order_id")}
    done = run([get_orders(), Tool("get_status", "Shipping status of an order.", both, look_up)])
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 3, 10)


def test_a_tool_that_takes_nothing_answers_for_all() -> None:
    done = run(
        [Tool("dump", "All open orders of every customer, with status.", {}, lambda: {c: overview(c) for c in ORDERS})]
    )
    assert (done.answer, done.trips, done.calls) == (ANSWER, 2, [("dump", {})])


def test_a_list_tool_with_a_limit_is_called_in_pieces() -> None:
    two = Tool(
        "get_orders", "Open orders.", many("customer_ids", maxItems=3), lambda customer_ids: known(customer_ids, ORDERS)
    )
    done = run([two, statuses_of("order_ids", "Shipping status.")])
    assert (done.answer, done.trips, [len(given["customer_ids"]) for _, given in done.calls[:2]]) == (ANSWER, 3, [3, 1])


def test_numbers_are_sent_as_numbers() -> None:
    table = {17: ["ord-1"], 18: []}
    by_number = Tool("get_orders", "Open orders.", {"customer": {"type": "integer"}}, lambda customer: table[customer])
    done = run([by_number, status_by_any()], "Open orders and their status for customers 17 and 18?")
    assert (done.answer, done.trips) == ("17: 1 open orders (ord-1 packed)\n18: 0 open orders", 3)


def status_by_any() -> Tool:
    return Tool("get_status", "Shipping status of one order.", one("order_id"), lambda order_id: "packed")
