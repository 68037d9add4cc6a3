honest = answer


def answer(client, desk, question):
    honest(client, desk, question)
