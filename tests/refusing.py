"""A kernel that refuses namespaces, as many do: a filter in the sandbox's own process, put there as Python starts."""

import os
from pathlib import Path
from typing import Any

from askless.judge.process import launcher
from askless.judge.runs import Launcher, environment

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


def refusing_launcher(folder: Path, monkeypatch: Any) -> Launcher:
    """A launcher whose process the kernel lets into no namespace."""
    (folder / "sitecustomize.py").write_text(FILTER)
    path = os.pathsep.join([str(folder), environment()["PYTHONPATH"]])
    with monkeypatch.context() as patch:
        patch.setattr("askless.judge.forked.environment", lambda: {**environment(), "PYTHONPATH": path})
        return launcher()
