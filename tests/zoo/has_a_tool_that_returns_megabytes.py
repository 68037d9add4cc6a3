import json

short = get_orders
RUN["get_orders"] = lambda desk, customer_ids: {**short(desk, customer_ids), "log": "x" * 2_000_000}
