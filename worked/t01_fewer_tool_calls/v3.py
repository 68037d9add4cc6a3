"""v3. One coarse tool, shaped for the question.

Unlike v2, this program goes from orders to statuses by itself, with nobody to
ask on the way. It lacks the small tools: another question would need another
tool, and the model no longer judges what lies between.
Changes: TOOLS, get_orders, get_status, RUN.
"""

import json

MODEL = "claude-sonnet-5"

TOOLS = [
    {
        "name": "get_orders",
        "description": "Open orders of each of the customers, with their shipping status.",
        "input_schema": {
            "type": "object",
            "properties": {"customer_ids": {"type": "array", "items": {"type": "string"}}},
            "required": ["customer_ids"],
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
    """Each customer's open orders, every one with its status."""

    def statuses(customer_id):
        return {order_id: desk.status(order_id) for order_id in desk.orders(customer_id)}

    return {customer_id: found(statuses, customer_id) for customer_id in customer_ids}


RUN = {"get_orders": get_orders}


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
