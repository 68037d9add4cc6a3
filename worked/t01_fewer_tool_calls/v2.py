"""v2. List tools: many customers, many orders in one call.

Unlike v1, a tool takes a list, so that one call and one result do the work of
many. It still lacks a tool shaped for the question: the statuses wait until
the model has read the orders.
Changes: TOOLS, found, get_orders, get_status.
"""

import json

MODEL = "claude-sonnet-5"

TOOLS = [
    {
        "name": "get_orders",
        "description": "Open orders of each of the customers.",
        "input_schema": {
            "type": "object",
            "properties": {"customer_ids": {"type": "array", "items": {"type": "string"}}},
            "required": ["customer_ids"],
            "additionalProperties": False,
        },
    },
    {
        "name": "get_status",
        "description": "Shipping status of each of the orders.",
        "input_schema": {
            "type": "object",
            "properties": {"order_ids": {"type": "array", "items": {"type": "string"}}},
            "required": ["order_ids"],
            "additionalProperties": False,
        },
    },
]


def found(look_up, key):
    """What a look-up gives; one missing thing is an entry of the list, not a failure of the call."""
    try:
        return look_up(key)
    except KeyError:
        return "not found"


def get_orders(desk, customer_ids):
    """Each customer's open orders."""
    return {customer_id: found(desk.orders, customer_id) for customer_id in customer_ids}


def get_status(desk, order_ids):
    """Each order's shipping status."""
    return {order_id: found(desk.status, order_id) for order_id in order_ids}


RUN = {"get_orders": get_orders, "get_status": get_status}


def tool_result(desk, call):
    """What one call gives the model; a failure, be it an unknown tool, says so."""
    result = {"type": "tool_result", "tool_use_id": call.id}
    try:
        return {**result, "content": json.dumps(RUN[call.name](desk, **call.input))}
    except KeyError as missing:
        return {**result, "content": f"{missing} not found", "is_error": True}


def answer(client, desk, question: str) -> str:
    """Ask, run the calls, send the results, until the model answers."""
    messages = [{"role": "user", "content": question}]
    while True:
        reply = client.messages.create(model=MODEL, max_tokens=1024, messages=messages, tools=TOOLS)
        if reply.stop_reason == "end_turn":
            return "".join(block.text for block in reply.content if block.type == "text")
        if reply.stop_reason != "tool_use":  # cut off or refused: its calls may be incomplete, its text is no answer
            raise RuntimeError(f"the model stopped with {reply.stop_reason}")
        results = [tool_result(desk, block) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": results})
