"""A kernel that refuses namespaces to the sandbox, as many do, or grants them to it as to a plain user alone."""

import os
from pathlib import Path
from typing import Any

from askless.judge.process.launcher import launcher
from askless.judge.process.runs import Launcher, environment

# Load the call's number; when it is `unshare`, answer EPERM; else allow.
FILTER = """
import ctypes, os, struct
unshare = {"x86_64": 272, "aarch64": 97}[os.uname().machine]
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, unshare), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
program = b"".join(struct.pack("<HBBI", *step) for step in steps)
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Program(len(steps), program)), 0, 0) == 0
"""


# Root without its powers is a plain user, and may still make a namespace of users.
DROP = """
import ctypes
SETFCAP = 1 << 31  # without it root may not be called root there
held = (ctypes.c_uint32 * 6)(SETFCAP, SETFCAP)
assert ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(0x20080522, 0), held) == 0
"""


def refusing_launcher(folder: Path, monkeypatch: Any) -> Launcher:
    """A launcher whose process the kernel lets into no namespace."""
    return _launcher_after(FILTER, folder, monkeypatch)


def plain_launcher(folder: Path, monkeypatch: Any) -> Launcher:
    """A launcher whose process is as a plain user's."""
    return _launcher_after(DROP, folder, monkeypatch)


def unfiltered_launcher(folder: Path, monkeypatch: Any) -> Launcher:
    """A launcher whose process is on a processor for which nobody has written a filter of calls."""
    return _launcher_after("import platform\nplatform.machine = lambda: 'abacus'\n", folder, monkeypatch)


def _launcher_after(code: str, folder: Path, monkeypatch: Any) -> Launcher:
    """Some code runs as Python starts."""
    (folder / "sitecustomize.py").write_text(code)
    path = os.pathsep.join([str(folder), environment()["PYTHONPATH"]])
    with monkeypatch.context() as patch:
        patch.setattr("askless.judge.process.forked.environment", lambda: {**environment(), "PYTHONPATH": path})
        return launcher()
