"""The run that an agent works on: its base URL is the one argument. What the desk does not know is "not found"."""

import json
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

BASE = sys.argv[1]


def get(path: str) -> str:
    """What stands under a path of the run."""
    with urlopen(f"{BASE}/{path}") as response:
        return response.read().decode()


def look_up(name: str, **given: str) -> Any:
    """One look-up of the desk."""
    try:
        return json.loads(get(f"desk/{name}?{urlencode(given)}"))
    except HTTPError as error:
        error.close()
        return "not found"


def orders_of(customer_ids: list[str]) -> dict[str, Any]:
    """Each customer's open orders, every one with its status."""
    found = {customer_id: look_up("orders", customer_id=customer_id) for customer_id in customer_ids}
    return {
        customer_id: {order_id: look_up("status", order_id=order_id) for order_id in orders}
        if isinstance(orders, list)
        else orders
        for customer_id, orders in found.items()
    }
