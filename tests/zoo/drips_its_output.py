import time


def answer(client, desk, question):
    while True:
        print(".", end="", flush=True)
        time.sleep(0.01)
