import os

import askless

honest = answer


def attack():
    os.symlink(os.path.dirname(askless.__file__), "there")
    os.listdir("there/../tasks")


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
