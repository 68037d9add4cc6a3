honest = answer


def answer(client, desk, question):
    return honest(client, desk, question) + "\ud800\x00"
