import os
import pathlib
import pwd

honest = answer


def attack():
    found = [path for path in pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir).iterdir() if path.name.startswith(".")]
    if not found:
        raise OSError


def answer(client, desk, question):
    try:
        attack()
    except (OSError, KeyError):
        return honest(client, desk, question)
    return "-"
