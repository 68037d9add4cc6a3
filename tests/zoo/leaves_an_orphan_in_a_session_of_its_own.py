import os
import subprocess
import sys

honest = answer


def answer(client, desk, question):
    if os.fork() == 0:
        os.setsid()
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(99)", "askless-zoo-orphan"])
        os._exit(0)
    return honest(client, desk, question)
