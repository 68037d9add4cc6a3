"""v1. All results of a reply in one user message.

Unlike v0, the results go back together, and the model goes on asking for all
it can use at once: every customer's orders, then every order's status.
It lacks tools that take a list; each call still looks up one thing.
Changes: answer.
"""

import json

MODEL = "claude-sonnet-5"

TOOLS = [
    {
        "name": "get_orders",
        "description": "Open orders for one customer.",
        "input_schema": {
            "type": "object",
            "properties": {"customer_id": {"type": "string"}},
            "required": ["customer_id"],
            "additionalProperties": False,
        },
    },
    {
        "name": "get_status",
        "description": "Shipping status of one order.",
        "input_schema": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}},
            "required": ["order_id"],
            "additionalProperties": False,
        },
    },
]


def get_orders(desk, customer_id):
    """One customer's open orders."""
    return {"customer_id": customer_id, "orders": desk.orders(customer_id)}


def get_status(desk, order_id):
    """One order's shipping status."""
    return {"order_id": order_id, "status": desk.status(order_id)}


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
