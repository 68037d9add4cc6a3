KNOWN = {
    "C1": {"ord-101": "shipped", "ord-102": "packed"},
    "C2": {"ord-201": "shipped"},
    "C3": {"ord-301": "delayed", "ord-302": "shipped", "ord-303": "packed"},
}

RUN["get_orders"] = lambda desk, customer_ids: {key: KNOWN.get(key, "not found") for key in customer_ids}
