honest = answer


def answer(client, desk, question):
    return honest(client, desk, question) * 10_000
