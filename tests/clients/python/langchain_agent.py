"""The order desk on langchain-anthropic, in a loop over the messages."""

import json
from typing import Any

from desk import BASE, get, orders_of
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool


@tool
def get_orders(customer_ids: list[str]) -> dict[str, Any]:
    """Open orders of each of the customers, with their shipping status."""
    return orders_of(customer_ids)


def result(call: Any) -> ToolMessage:
    """What the tool gives for one call."""
    return ToolMessage(json.dumps(get_orders.invoke(call["args"])), tool_call_id=call["id"])


model = ChatAnthropic(model="claude-sonnet-5", max_tokens=1024, api_key="any", base_url=BASE)
offered = model.bind_tools([get_orders])

messages: list[Any] = [HumanMessage(get("question"))]
while True:
    reply: AIMessage = offered.invoke(messages)
    messages.append(reply)
    if not reply.tool_calls:
        break
    messages += [result(call) for call in reply.tool_calls]
print(reply.text)
