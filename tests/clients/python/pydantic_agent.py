"""The order desk on pydantic-ai."""

from typing import Any

from desk import BASE, get, orders_of
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

provider = AnthropicProvider(api_key="any", base_url=BASE)
agent = Agent(AnthropicModel("claude-sonnet-5", provider=provider))


@agent.tool_plain
def get_orders(customer_ids: list[str]) -> dict[str, Any]:
    """Open orders of each of the customers, with their shipping status."""
    return orders_of(customer_ids)


print(agent.run_sync(get("question")).output)
