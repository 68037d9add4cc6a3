import time


def answer(client, desk, question):
    time.sleep(10**6)
