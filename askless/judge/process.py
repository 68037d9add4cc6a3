"""Processes that run agents: forked from one that has imported the SDK, or fresh where a system does not fork."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import IO, Protocol

ROOT = Path(__file__).parent.parent.parent

NEEDED = ("SYSTEMROOT", "PYTHONPYCACHEPREFIX")  # Windows' sockets; where compiled files are


class BrokenError(Exception):
    """The child process cannot run agents: the lab's own fault."""


class Run(Protocol):
    """One run of an agent."""

    @property
    def output(self) -> IO[bytes]:
        """What it prints, standard error included."""

    def wait(self) -> int:
        """Wait for its end: the exit status, a signal as its negative number. Raises BrokenError."""

    def kill(self) -> None:
        """End it, if it has not ended."""


class Launcher(Protocol):
    """Starts runs, one at a time."""

    def start(self, address: str) -> Run:
        """Start the run whose job is at an address. Raises BrokenError."""

    def use(self, folder: str) -> None:
        """Where the next runs stand."""

    def close(self) -> None:
        """End every process."""


def launcher() -> Launcher:
    """The fastest way this system has; its process begins to import the SDK at once."""
    return Forking() if hasattr(os, "fork") and hasattr(socket, "send_fds") else Fresh()


def _environment() -> dict[str, str]:
    """All that a run sees of the parent's environment: no key, no proxy, no home."""
    kept = {name: os.environ[name] for name in NEEDED if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}


class Forking:
    """Runs forked by askless.judge.zygote."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "askless.judge.zygote", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        self._lines = self._control.makefile("rb")
        self._ready = False

    def use(self, folder: str) -> None:
        """Where runs stand; the zygote removes it should the parent be killed."""
        self.say(f"folder {folder}")

    def start(self, address: str) -> "Forked":
        """Fork, as soon as the SDK is imported."""
        if not self._ready:
            self.hear("ready")
            self._ready = True
        reader, writer = os.pipe()
        try:
            socket.send_fds(self._control, [f"run {address}\n".encode()], [writer])
        except OSError:
            raise BrokenError("the judge's child process is gone") from None
        finally:
            os.close(writer)
        return Forked(self, open(reader, "rb", buffering=0), int(self.hear("started")))

    def hear(self, word: str) -> str:
        """The rest of the zygote's next line, which begins with `word`."""
        try:
            line = self._lines.readline()
        except ConnectionError:
            line = b""
        said, _, rest = line.decode().rstrip("\n").partition(" ")
        if said != word:
            raise BrokenError(rest if said == "fault" else "the judge's child process is gone")
        return rest

    def say(self, command: str) -> None:
        """Send a command."""
        with contextlib.suppress(OSError):  # it is gone, and hear() says so
            self._control.sendall(f"{command}\n".encode())

    def close(self) -> None:
        """End the zygote; no run is on."""
        self._process.kill()
        self._process.wait()
        self._control.close()
        self._lines.close()


class Forked:
    """A run whose parent is the zygote."""

    def __init__(self, zygote: Forking, output: IO[bytes], pid: int) -> None:
        self.output = output
        self._zygote = zygote
        self._pid = pid

    def wait(self) -> int:
        """Its exit status, once nothing of it is left."""
        try:
            return int(self._zygote.hear("ended"))
        except BrokenError:  # an agent may have killed the zygote
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._pid, signal.SIGKILL)
            raise

    def kill(self) -> None:
        """End it and all that it started."""
        self._zygote.say("stop")


class Fresh:
    """Runs in new interpreters; the first one imports the SDK before its run is known."""

    def __init__(self) -> None:
        self._folder: str | None = None
        self._waiting: list[Spawned] = []
        self._spawn()

    def _spawn(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "askless.judge.child"],
            env=_environment(),
            cwd=self._folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._waiting.append(Spawned(process))

    def use(self, folder: str) -> None:
        """Where the runs after the first one stand."""
        self._folder = folder

    def start(self, address: str) -> "Spawned":
        """Give an interpreter its address."""
        if not self._waiting:
            self._spawn()
        run = self._waiting.pop()
        run.begin(address)
        return run

    def close(self) -> None:
        """End the interpreter that waits."""
        for run in self._waiting:
            run.kill()
            run.wait()
            run.output.close()


class Spawned:
    """A run that is a fresh interpreter. It ends when its standard input does."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.output: IO[bytes] = process.stdout
        self._input = process.stdin
        self._process = process

    def begin(self, address: str) -> None:
        """Tell it where its job is."""
        try:
            self._input.write(f"{address}\n".encode())
            self._input.flush()
        except OSError:
            raise BrokenError("the judge's child process is gone") from None

    def wait(self) -> int:
        """Its exit status."""
        status = self._process.wait()
        with contextlib.suppress(OSError):
            self._input.close()
        return status

    def kill(self) -> None:
        """End it."""
        self._process.kill()
