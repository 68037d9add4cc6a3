import os

honest = answer


def attack():
    files = [open(os.devnull) for _ in range(1_000)]
    print(len(files))


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
