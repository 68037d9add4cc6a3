"""v0. Each result in a user message of its own.

The whole loop: ask the model, run the tools it calls, send back what came of
them, until it answers. It lacks the habit the API asks for, all results of a
reply in one message. After its first reply the model sees its results come
back apart, and from then on it asks for one thing at a time.
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
        messages.extend({"role": "user", "content": [result]} for result in results)
