"""Request bodies of any legal shape, and the page's own three, for tests."""

import json
from typing import Any

from hypothesis import strategies as st

QUESTION = (
    "For customers C1, C2, C3 and C4: list each customer's open orders, then the shipping status of every order. "
    "Finish with one line per customer."
)
ORDERS = {"C1": ["ord-101", "ord-102"], "C2": ["ord-201"], "C3": ["ord-301", "ord-302", "ord-303"]}
STATUS = {
    "ord-101": "shipped",
    "ord-102": "packed",
    "ord-201": "shipped",
    "ord-301": "delayed",
    "ord-302": "shipped",
    "ord-303": "packed",
}


COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}  # as the SDK writes


def sent(body: object, **style: Any) -> bytes:
    """A body as bytes on the wire."""
    return json.dumps(body, **style).encode("utf-8", "surrogatepass")


def tool(name: str, description: str, argument: str) -> dict[str, Any]:
    """A tool of one string."""
    schema = {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}
    return {"name": name, "description": description, "input_schema": {**schema, "additionalProperties": False}}


def call(number: int, name: str, **arguments: str) -> dict[str, Any]:
    """A tool_use block with the lab's kind of id."""
    return {"type": "tool_use", "id": f"toolu_{number:04}_{name}", "name": name, "input": arguments}


def result(asked: dict[str, Any], content: Any, **more: Any) -> dict[str, Any]:
    """The tool_result block that answers a call."""
    return {"type": "tool_result", "tool_use_id": asked["id"], "content": content, **more}


def page_bodies() -> list[dict[str, Any]]:
    """The three requests of the page's v1."""
    tools = [
        tool("get_orders", "Open orders for one customer.", "customer_id"),
        tool("get_status", "Shipping status of one order.", "order_id"),
    ]
    asked = [call(n, "get_orders", customer_id=f"C{n}") for n in (1, 2, 3, 4)]
    found = [
        result(a, json.dumps({"customer_id": c, "orders": orders}))
        for a, (c, orders) in zip(asked, ORDERS.items(), strict=False)
    ]
    missing = result(asked[3], "'C4' not found", is_error=True)
    then = [call(n, "get_status", order_id=order) for n, order in enumerate(STATUS, start=5)]
    statuses = [
        result(a, json.dumps({"order_id": order, "status": status}))
        for a, (order, status) in zip(then, STATUS.items(), strict=True)
    ]
    messages = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": asked},
        {"role": "user", "content": [*found, missing]},
        {"role": "assistant", "content": then},
        {"role": "user", "content": statuses},
    ]
    return [
        {"max_tokens": 1024, "messages": messages[:length], "model": "claude-sonnet-5", "tools": tools}
        for length in (1, 3, 5)
    ]


texts = st.text(max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "content": texts | st.lists(json_values, max_size=2)}
)
fields = st.dictionaries(texts.filter(lambda name: name != "messages"), json_values, max_size=3)
