import os


def answer(client, desk, question):
    while True:
        os.write(2, b"flood" * 1_000)
