import threading


def get_orders(desk, customer_ids):
    threading.Event().wait()


RUN["get_orders"] = get_orders
