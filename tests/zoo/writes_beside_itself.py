import os

honest = answer


def attack():
    open(os.path.join(os.path.dirname(__file__), "written"), "w").close()


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
