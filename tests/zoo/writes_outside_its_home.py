import os

import askless

honest = answer


def attack():
    for folder in ("/usr/lib", "/etc", "/var/tmp", "/", os.path.dirname(__file__), os.path.dirname(askless.__file__)):
        if os.access(folder, os.W_OK):
            return
    raise OSError


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
