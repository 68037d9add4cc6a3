import os

honest = answer


def attack():
    os.symlink(os.path.dirname(os.path.dirname(__file__)), "there")
    os.listdir("there")


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
