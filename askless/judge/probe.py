"""An agent that tries what a sandbox should stop, and harms nothing; its answer says what was stopped."""

import json
import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

BYTES = 1 << 31
FILE_BYTES = 1 << 30
DESCRIPTORS = 300
PROCESSES = 100


def answer(client: Any, desk: Any, question: str) -> str:
    """`{name: whether it was stopped}` as JSON; the question holds what to go for."""
    aims = json.loads(question)
    tries: dict[str, Callable[[], Any]] = {
        "cpu": _compute,
        "memory": lambda: bytearray(BYTES),
        "file_size": _write,
        "open_files": _open,
        "processes": _fork,
        "files": lambda: open(aims["file"]).close(),
        "calls": _call,
        "network": lambda: socket.create_connection((aims["host"], aims["port"]), timeout=1).close(),
        "other_processes": lambda: os.kill(aims["pid"], 0),
    }
    return json.dumps({name: _stopped(attempt) for name, attempt in tries.items()})


def _stopped(attempt: Callable[[], Any]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError):
        return True
    return False


def _call() -> None:
    """Memory that is no process's own; a system without it is one whose calls nobody looks at, either."""
    if hasattr(os, "memfd_create"):
        os.close(os.memfd_create("probe"))


def _compute() -> None:
    """Here a look is enough: to use it all up takes as long as a run may."""
    if resource.getrlimit(resource.RLIMIT_CPU)[0] != resource.RLIM_INFINITY:
        raise OSError


def _write() -> None:
    with open("large", "wb") as file:
        file.seek(FILE_BYTES)
        file.write(b"-")


def _open() -> None:
    with ExitStack() as opened:
        for _ in range(DESCRIPTORS):
            opened.enter_context(open(os.devnull))


def _fork() -> None:
    started = []
    try:
        for _ in range(PROCESSES):
            pid = os.fork()
            if pid == 0:
                signal.pause()
            started.append(pid)
    finally:
        for pid in started:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
