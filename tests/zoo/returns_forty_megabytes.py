honest = answer


def answer(client, desk, question):
    return honest(client, desk, question) + "x" * 40_000_000
