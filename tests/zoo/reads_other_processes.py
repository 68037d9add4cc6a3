import os
import pathlib

honest = answer


def attack():
    others = [each for each in pathlib.Path("/proc").glob("[0-9]*") if each.name != str(os.getpid())]
    print(*[(each / "cmdline").read_text() for each in others] or [open("/proc/other")])


def answer(client, desk, question):
    try:
        attack()
    except OSError:
        return honest(client, desk, question)
    return "-"
