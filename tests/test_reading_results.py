"""A tool may shape its results as its author likes: the facts read are the same."""

import json
from typing import Any

import pytest
from order_desk import ANSWER, ORDERS, STATUS, Tool, get_orders, get_status, many, one, run

CUSTOMERS = ["C1", "C2", "C3", "C4"]


def order_rows(customer: str) -> list[dict[str, str]]:
    return [{"id": order, "status": STATUS[order]} for order in ORDERS[customer]]


def flat_rows() -> list[dict[str, str]]:
    return [
        {"customer": customer, "order": order, "status": STATUS[order]}
        for customer, orders in ORDERS.items()
        for order in orders
    ]


def csv_text() -> str:
    return "\n".join(["customer,order,status", *(",".join(row.values()) for row in flat_rows())])


def prose_lines() -> str:
    lines = [
        f"{customer} has {len(orders)} open orders: " + ", ".join(f"{order} ({STATUS[order]})" for order in orders)
        for customer, orders in ORDERS.items()
    ]
    return "\n".join([*lines, "No customer C4."])


BY_CUSTOMER: dict[str, Any] = {customer: order_rows(customer) for customer in ORDERS}
ENTRIES: list[dict[str, Any]] = [{"customer_id": customer, "orders": order_rows(customer)} for customer in ORDERS]

COARSE: dict[str, Any] = {
    "nested three deep": {"result": {"customers": {"list": ENTRIES}}, "not_found": ["C4"]},
    "customer, then order, then details": {
        "customers": [
            {"id": c, "orders": {o: {"shipping": {"status": STATUS[o], "carrier": "DHL7"}} for o in ORDERS[c]}}
            for c in ORDERS
        ],
        "missing": ["C4"],
    },
    "rows": flat_rows(),
    "rows with a row for the missing one": [*flat_rows(), {"customer": "C4", "error": "not found"}],
    "CSV": csv_text(),
    "CSV with a null row": csv_text() + "\nC4,,not found",
    "semicolons and spaces": csv_text().replace(",", "; "),
    "a markdown table": "| customer | order | status |\n|---|---|---|\n"
    + "\n".join(f"| {' | '.join(row.values())} |" for row in flat_rows()),
    "JSON lines": "\n".join(json.dumps(entry) for entry in [*ENTRIES, {"customer_id": "C4", "found": False}]),
    "what Python prints": str({**BY_CUSTOMER, "C4": None}),
    "prose": prose_lines(),
    "an indented list": "\n".join(
        f"{customer}:\n" + "\n".join(f"  - {order}: {STATUS[order]}" for order in orders)
        for customer, orders in ORDERS.items()
    ),
    "a dict keyed by customer": BY_CUSTOMER,
    "keyed twice": {c: {o: STATUS[o] for o in ORDERS[c]} for c in ORDERS} | {"C4": "not found"},
    "pairs": {c: [[o, STATUS[o]] for o in ORDERS[c]] for c in ORDERS} | {"C4": None},
    "texts in JSON": {c: ", ".join(f"{o}: {STATUS[o]}" for o in ORDERS[c]) for c in ORDERS} | {"C4": "no customer"},
    "another order": [*ENTRIES[::-1]],
    "an error entry": [*ENTRIES, {"customer_id": "C4", "error": "no such customer"}],
    "an error entry first": [{"customer_id": "C4", "error": "no such customer"}, *ENTRIES],
    "a list of errors": {"customers": ENTRIES, "errors": [{"customer_id": "C4", "message": "does not exist"}]},
    "a dict of errors": {"customers": ENTRIES, "errors": {"C4": "does not exist"}},
    "an error text": {"customers": ENTRIES, "error": "C4 does not exist"},
    "a missing list": {"orders": BY_CUSTOMER, "missing": ["C4"]},
    "unknown customers": {"orders": BY_CUSTOMER, "unknown_customers": ["C4"]},
    "a null": {**BY_CUSTOMER, "C4": None},
    "a null inside": [*ENTRIES, {"customer_id": "C4", "orders": None}],
    "left out": BY_CUSTOMER,
    "in the order asked, without customers": [order_rows("C1"), order_rows("C2"), order_rows("C3"), None],
    "in lower case": json.loads(json.dumps(ENTRIES).replace('"C', '"c')),
    "other fields beside": [
        {"customer_id": c, "name": f"Shop {c}", "since": "2021-05-01", "orders": [
            {"order_id": o, "product": "Lamp", "sku": "SKU-77", "placed": "2026-01-02", "shipping_status": STATUS[o],
             "shipping_address": {"id": "ADR-9", "city": "Oslo"}, "total_cents": 1200, "items": [{"id": "SKU-9"}]}
            for o in ORDERS[c]]}
        for c in ORDERS
    ],
    "camel case": [{"customerId": c, "openOrders": [{"orderId": o, "shippingStatus": STATUS[o]} for o in ORDERS[c]]}
                   for c in ORDERS],
    "twice encoded": json.dumps(json.dumps({**BY_CUSTOMER, "C4": None})),
    "orders that name their customer": [
        {"orderNumber": o, "client": {"ref": c}, "state": STATUS[o]} for c in ORDERS for o in ORDERS[c]
    ],
    "a status first": [{"status": STATUS[o], "id": o, "customer_id": c} for c in ORDERS for o in ORDERS[c]],
    "rows without names": [[c, o, STATUS[o]] for c in ORDERS for o in ORDERS[c]],
    "rows in rows": [[c, [[o, STATUS[o]] for o in ORDERS[c]]] for c in ORDERS],
    "edges and nodes": {"data": {"customers": {"edges": [
        {"node": {"id": c, "orders": {"edges": [{"node": {"id": o, "status": STATUS[o]}} for o in ORDERS[c]]}}}
        for c in ORDERS
    ]}}},
    "statuses of the answer itself": {"status": "ok", "results": [
        *({"status": "found", "customer": c, "orders": order_rows(c)} for c in ORDERS),
        {"status": "not_found", "customer": "C4"},
    ]},
    "XML": "".join(f'<customer id="{c}">' + "".join(f'<order id="{o}" status="{STATUS[o]}"/>' for o in ORDERS[c]) +
                   "</customer>" for c in ORDERS),
    "sentences": "\n".join(f"Customer {c} has order {o}, which is {STATUS[o]}." for c in ORDERS for o in ORDERS[c])
    + "\nCustomer C4 could not be found.",
    "YAML": "\n".join(
        f"- customer: {c}\n  orders:\n" + "\n".join(f"    - id: {o}\n      status: {STATUS[o]}" for o in ORDERS[c])
        for c in ORDERS
    ),
    "columns": [{"customer_id": c, "orders": ORDERS[c], "statuses": [STATUS[o] for o in ORDERS[c]]} for c in ORDERS],
}  # fmt: skip


@pytest.mark.parametrize("form", COARSE)
def test_one_coarse_tool_answers_in_two_trips_whatever_the_form_of_its_result(form: str) -> None:
    tool = Tool(
        "overview", "Open orders with shipping status.", many("customer_ids"), lambda customer_ids: COARSE[form]
    )
    done = run([tool])
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 2, 1)


ORDER_LISTS: dict[str, Any] = {
    "keyed": ORDERS,
    "keyed with an error": {**ORDERS, "C4": {"error": "not found"}},
    "entries": [{"customer": c, "orders": o} for c, o in ORDERS.items()],
    "in the order asked": [*ORDERS.values(), []],
    "in the order asked, with a null": [*ORDERS.values(), None],
    "rows": [{"customer": c, "order": order} for c, orders in ORDERS.items() for order in orders],
    "prose": "\n".join(f"{c}: {', '.join(orders)}" for c, orders in ORDERS.items()) + "\nC4: not found",
    "one text a customer": [f"{c}: {' '.join(orders)}" for c, orders in ORDERS.items()],
    "CSV with several in a cell": "customer,orders\n" + "\n".join(f"{c},{' '.join(o)}" for c, o in ORDERS.items()),
}
STATUS_LISTS: dict[str, Any] = {
    "keyed": STATUS,
    "rows": [{"order_id": order, "status": status} for order, status in STATUS.items()],
    "in the order asked": list(STATUS.values()),
    "another order": [{"order": order, "where": STATUS[order]} for order in sorted(STATUS, reverse=True)],
    "prose": "\n".join(f"Order {order} is {status}." for order, status in STATUS.items()),
    "colons": "; ".join(f"{order}: {status}" for order, status in STATUS.items()),
    "pairs": list(STATUS.items()),
    "CSV": "order_id,status\n" + "\n".join(f"{order},{status}" for order, status in STATUS.items()),
    "CSV without a header": "\n".join(f"{order},{status}" for order, status in STATUS.items()),
    "nested": {"data": {"orders": {order: {"status": {"label": status}} for order, status in STATUS.items()}}},
    "by status": {s: [o for o in STATUS if STATUS[o] == s] for s in ("shipped", "packed", "delayed")},
    "what Python prints": str(list(STATUS.items())),
}


@pytest.mark.parametrize("orders", ORDER_LISTS)
def test_orders_are_read_in_any_form(orders: str) -> None:
    listed = Tool(
        "get_orders", "Open orders of customers.", many("customer_ids"), lambda customer_ids: ORDER_LISTS[orders]
    )
    done = run([listed, get_status()])
    expected = ANSWER.replace("could not be found", "0 open orders") if orders == "in the order asked" else ANSWER
    assert (done.answer, done.trips) == (expected, 3)


@pytest.mark.parametrize("form", STATUS_LISTS)
def test_statuses_are_read_in_any_form(form: str) -> None:
    listed = Tool("get_statuses", "Shipping status of orders.", many("order_ids"), lambda order_ids: STATUS_LISTS[form])
    done = run([get_orders(), listed])
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 3, 5)


ONE_STATUS: dict[str, Any] = {
    "a word": "{status}",
    "JSON text": '"{status}"',
    "a label": "Status: {status}",
    "a sentence": "Order {order} is currently {status}.",
    "the id in front": "{order}: {status}",
    "an object": '{{"order": "{order}", "shipping": "{status}"}}',
    "an object without a word for it": '{{"order_id": "{order}", "value": "{status}"}}',
    "a list": '["{order}", "{status}"]',
    "deep": '{{"data": {{"attributes": {{"status": "{status}", "eta": "2026-02-03"}}}}}}',
}


@pytest.mark.parametrize("form", ONE_STATUS)
def test_one_status_is_read_in_any_form(form: str) -> None:
    def look_up(order_id: str) -> str:
        return str(ONE_STATUS[form].format(order=order_id, status=STATUS[order_id]))

    done = run([get_orders(), Tool("get_status", "Shipping status of one order.", one("order_id"), look_up)])
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 3, 10)


def test_a_result_may_be_a_list_of_text_blocks() -> None:
    def overview(customer_ids: list[str]) -> list[dict[str, str]]:
        return [{"type": "text", "text": json.dumps(entry)} for entry in ENTRIES]

    done = run([Tool("overview", "Orders with shipping status.", many("customer_ids"), overview)])
    assert (done.answer, done.trips) == (ANSWER, 2)


def test_absent_content_says_nothing() -> None:
    nothing = Tool("get_orders", "Open orders for one customer.", one("customer_id"), lambda customer_id: None)
    assert run([nothing, get_status()]).answer == "\n".join(f"{c}: 0 open orders" for c in CUSTOMERS)


GROUPED = {"C1": {"packed": ["ord-1", "ord-2"], "in_transit": []}, "C2": {"packed": [], "in_transit": ["ord-3"]}}
NUMBERED = {"C1": {"packed": [{"id": "1001"}, {"id": 1002}]}, "C2": {"packed": [], "in_transit": [1003]}}


@pytest.mark.parametrize("groups", [GROUPED, NUMBERED], ids=["identifiers", "numbers"])
@pytest.mark.parametrize("keyed", [True, False], ids=["keyed", "entries"])
def test_orders_may_be_grouped_by_their_status(groups: dict[str, Any], keyed: bool) -> None:
    said = groups if keyed else [{"customer": customer, **by_status} for customer, by_status in groups.items()]
    tool = Tool("overview", "Open orders with shipping status.", many("customer_ids"), lambda customer_ids: said)
    first, second, third = ("ord-1", "ord-2", "ord-3") if groups is GROUPED else ("1001", "1002", "1003")
    assert run([tool], "Orders of customers C1 and C2?").answer == (
        f"C1: 2 open orders ({first} packed, {second} packed)\nC2: 1 open orders ({third} in transit)"
    )


UNREAD: list[Any] = [
    "Lorem ipsum dolor.",
    {"x": {"y": "z"}},
    {"customer": "C1", "since": "2021-05-01"},
    "17 + 4",
    ["?"],
]


@pytest.mark.parametrize("said", UNREAD, ids=str)
@pytest.mark.parametrize("takes", [one("customer_id"), many("customer_ids")], ids=["one", "many"])
def test_where_nothing_was_understood_the_answer_says_so(said: Any, takes: dict[str, Any]) -> None:
    tool = Tool("get_orders", "Open orders of customers.", takes, lambda **given: said)
    unknown = "open orders unknown, the result of get_orders could not be understood"
    assert run([tool, get_status()], "Orders of customer C1?").answer == f"C1: {unknown}"


@pytest.mark.parametrize(
    "said", ["", [], {}, {"orders": []}, "no open orders", "None", "C1: 0 orders", {"C1": []}], ids=str
)
def test_a_result_that_says_that_there_is_nothing_is_understood(said: Any) -> None:
    tool = Tool("get_orders", "Open orders of one customer.", one("customer_id"), lambda customer_id: said)
    assert run([tool, get_status()], "Orders of customer C1?").answer == "C1: 0 open orders"
