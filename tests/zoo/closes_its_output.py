import os
import sys

honest = answer


def answer(client, desk, question):
    sys.stdout.close()
    os.close(2)
    return honest(client, desk, question)
