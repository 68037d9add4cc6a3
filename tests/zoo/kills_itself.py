import os
import signal


def answer(client, desk, question):
    os.kill(os.getpid(), signal.SIGKILL)
