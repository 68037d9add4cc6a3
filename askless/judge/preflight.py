"""What this machine's sandbox stops, layer by layer: an agent tries it all, in the sandbox as it is."""

import json
import os
import socket
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from askless.errors import Problem
from askless.judge.room import Room
from askless.judge.sandbox import Sandbox
from askless.model import Reply
from askless.service import Service

SCHEMA = "askless.preflight/1"
TIMEOUT_S = 60.0
PROBE = Path(__file__).parent / "probe.py"

STOPS = {
    "time": "a program that never ends",
    "output": "printing without end",
    "requests": "asking the model without end",
    "cpu": "computing without end, in any of its processes",
    "memory": "a process whose own memory grows without end",
    "file_size": "a file that fills the disk",
    "open_files": "opening files without end",
    "processes": "starting processes without end",
    "orphans": "processes that outlive their run",
    "files": "reading and changing what is not its own",
    "network": "talking to anything but the model",
    "calls": "calls of the system that lead past these limits",
    "other_processes": "reaching other processes, the judge among them",
}
ALWAYS = {"time", "output", "requests"}  # the parent sees to them
APART = ("files", "network", "other_processes")  # they come together, or not at all

REFUSING = {  # what forbids namespaces to all but root, where it says so
    "kernel/apparmor_restrict_unprivileged_userns": "1",
    "kernel/unprivileged_userns_clone": "0",
    "user/max_user_namespaces": "0",
}


@dataclass(frozen=True)
class Layer:
    """One thing that a sandbox may stop. `missing` says why it does not do so here; None where it does."""

    name: str
    stops: str
    missing: str | None


@dataclass
class Aims:
    """A desk with nothing on it: its question is what the agent goes for."""

    question: str


def layers() -> list[Layer]:
    """All of them, tried. Raises Problem where no run can be started at all."""
    with Sandbox() as sandbox:
        stopped = _tried(sandbox)
        why = sandbox.exposed
    stopped |= dict.fromkeys(ALWAYS, True)
    stopped["orphans"] = not why or sys.platform == "linux"
    return [Layer(name, stops, None if stopped.get(name) else _missing(name, why)) for name, stops in STOPS.items()]


def _tried(sandbox: Sandbox) -> dict[str, bool]:
    with tempfile.NamedTemporaryFile() as file, socket.create_server(("127.0.0.1", 0)) as server:
        os.chmod(file.name, 0o644)
        host, port = server.getsockname()
        aims = Aims(json.dumps({"file": file.name, "host": host, "port": port, "pid": os.getpid()}))
        room = Room(str(PROBE), PROBE.read_bytes(), aims, Service(_nobody), requests=0, timeout_s=TIMEOUT_S)
        end = sandbox.run(room)
    if room.fault:
        raise Problem(f"a fault of the lab: {room.fault}.", "run make install, then this again.", exit_code=3)
    if not room.outcome or room.outcome.text is None:
        return {}  # no probe.py on a system without such limits
    tried: dict[str, bool] = json.loads(room.outcome.text)
    return tried if end.how == "exited" else {}


def _nobody(request: Any) -> Reply:
    raise AssertionError("the probe's room lets no request through")


def _missing(name: str, why: str | None) -> str:
    if name == "processes" and why and hasattr(os, "getuid") and os.getuid() == 0:
        return "root may start any number"
    return why if why and name in APART else "this system does not see to it"


def mend() -> str | None:
    """What an administrator can do where namespaces are forbidden; None where nothing known forbids them."""
    for setting, value in REFUSING.items():
        path = Path("/proc/sys", setting)
        if path.exists() and path.read_text().strip() == value:
            return f"have {setting.replace('/', '.')} changed from {value} (sysctl), or judge as another user."
    return None
