honest = client_of = answer


def answer(client, desk, question):
    create = client.messages.create
    client.messages.create = lambda **body: create(**{**body, "max_tokens": 1})
    return honest(client, desk, question)
