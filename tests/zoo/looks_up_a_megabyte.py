honest = answer


def answer(client, desk, question):
    try:
        desk.orders("C" * 1_000_000)
    except ConnectionError:
        return honest(client, desk, question)
    return "-"
