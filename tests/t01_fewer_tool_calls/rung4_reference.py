"""A solution of rung 4: one coarse tool, and an answer to everything that can go wrong on the way.

It is no worked version, and no part of the lesson: the tests hold the scenarios against it.
"""

import json
import re

MODEL, FALLBACK = "claude-sonnet-5", "claude-opus-4-8"
MAX_TOKENS = 4096
CUSTOMERS = 200  # in one conversation, so that question, call, result and answer all fit
TURNS = 6  # of one conversation; the fewest are two
TRIES = 2  # of one look-up

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


def look_up(ask, key):
    """What the desk gives; a desk that fails is asked once more."""
    for _ in range(TRIES - 1):
        try:
            return ask(key)
        except OSError:
            pass
    return ask(key)


def status(desk, order_id):
    """One order's status: the first line of what the desk gives, since logs and notes follow it."""
    try:
        return look_up(desk.status, order_id).splitlines()[0]
    except (LookupError, OSError):
        return "unknown"


def orders(desk, customer_id):
    """One customer's open orders with their statuses, or why there are none to tell."""
    try:
        return {order_id: status(desk, order_id) for order_id in look_up(desk.orders, customer_id)}
    except KeyError:
        return "not found"
    except OSError:
        return {"error": "the order system is down"}


def get_orders(desk, customer_ids):
    """Each customer's open orders, every one with its status."""
    return {customer_id: orders(desk, customer_id) for customer_id in customer_ids}


def fault(call):
    """What is wrong with a call, for the model to mend; None where it can be run."""
    if call.name != "get_orders":
        return f"There is no tool {call.name}. Use get_orders."
    given = call.input.get("customer_ids")
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        return 'customer_ids must be an array of strings, such as ["C1", "C2"].'
    return None


def tool_result(desk, call):
    """What one call gives the model."""
    result = {"type": "tool_result", "tool_use_id": call.id}
    wrong = fault(call)
    if wrong:
        return {**result, "content": wrong, "is_error": True}
    return {**result, "content": json.dumps(get_orders(desk, **call.input))}


def converse(client, desk, question):
    """One conversation, until the model has answered; a reply that is not whole is thrown away and asked for again."""
    messages = [{"role": "user", "content": question}]
    model, limit = MODEL, MAX_TOKENS
    for _ in range(TURNS):
        reply = client.messages.create(model=model, max_tokens=limit, messages=messages, tools=TOOLS)
        if reply.stop_reason == "end_turn":
            return "".join(block.text for block in reply.content if block.type == "text")
        if reply.stop_reason == "tool_use":
            results = [tool_result(desk, block) for block in reply.content if block.type == "tool_use"]
            messages.append({"role": "assistant", "content": reply.content})
            messages.append({"role": "user", "content": results})
        elif reply.stop_reason == "max_tokens":
            limit *= 2
        elif reply.stop_reason == "refusal":
            model = FALLBACK
        else:
            break
    raise RuntimeError(f"no answer: the model stopped with {reply.stop_reason}")


def answer(client, desk, question: str) -> str:
    """Few customers in one conversation, many in several, each customer in one of them."""
    listed, _, wanted = question.partition(":")
    customers = list(dict.fromkeys(re.findall(r"\bC\d+\b", listed)))
    if len(customers) <= CUSTOMERS:
        return converse(client, desk, question)
    parts = [customers[at : at + CUSTOMERS] for at in range(0, len(customers), CUSTOMERS)]
    return "\n".join(converse(client, desk, f"For customers {', '.join(part)}:{wanted}") for part in parts)
