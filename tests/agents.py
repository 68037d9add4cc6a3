"""Loops over the real SDK, its own and a rung's, and what their traces tell."""

import json
from typing import Any

import anthropic
from anthropic import beta_async_tool, beta_tool
from bodies import result
from stand_in import first_body

from askless.client import connect
from askless.record import Recorder
from askless.service import Service
from askless.trace import Trace

SETTINGS = {"model": "claude-sonnet-5", "max_tokens": 1024}


@beta_tool
def get_orders(customer_id: str) -> str:
    """Open orders for one customer.

    Args:
        customer_id: The customer.
    """
    return json.dumps({"customer_id": customer_id, "orders": []})


@beta_async_tool(name="get_orders")
async def get_orders_async(customer_id: str) -> str:
    """Open orders for one customer.

    Args:
        customer_id: The customer.
    """
    return json.dumps({"customer_id": customer_id, "orders": []})


def told(trace: Trace) -> list[tuple[int, int, int, int]]:
    """What a run cost, request by request."""
    return [(trip.n, trip.attempt, trip.status, trip.chars) for trip in trace.round_trips]


def loop(client: anthropic.Anthropic, **fields: Any) -> None:
    """An agent's loop over the whole conversation, as a rung writes it."""
    tools: Any = [get_orders.to_dict()]
    messages: list[Any] = first_body()["messages"]
    while (
        reply := client.beta.messages.create(**SETTINGS, **fields, tools=tools, messages=messages)
    ).stop_reason == "tool_use":
        results = [
            result(block.to_dict(), get_orders.call(block.input)) for block in reply.content if block.type == "tool_use"
        ]
        messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]


def run(client: anthropic.Anthropic, **fields: Any) -> list[str]:
    """The SDK's own loop; its last text."""
    runner = client.beta.messages.tool_runner(
        **SETTINGS, tools=[get_orders], messages=first_body()["messages"], **fields
    )
    return [block.text for block in runner.until_done().content if block.type == "text"]


def traced(service: Service, act: Any) -> Trace:
    recorder = Recorder()
    with connect(service, recorder) as client:
        act(client)
    return recorder.trace()
