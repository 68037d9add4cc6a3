import re
from concurrent.futures import ThreadPoolExecutor


def answer(client, desk, question, alone=answer):
    one = "For customer {}: list each customer's open orders, then the shipping status of every order."
    asked = [one.format(customer_id) for customer_id in re.findall(r"C\d+", question)]
    with ThreadPoolExecutor(8) as pool:
        return "\n".join(pool.map(lambda text: alone(client, desk, text), asked))
