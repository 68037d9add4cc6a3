"""Runs forked from a process that has imported the SDK, askless.judge.process.zygote."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO

from askless.judge.process.runs import BrokenError, Start, environment


class Forking:
    """The parent's end of the zygote. A thread hears what it says."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "askless.judge.process.zygote", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        self._ready = False
        self.exposed: str | None = None
        self.unisolated: str | None = None  # why a run's process has the same id here, where it has
        self._starting = Lock()
        self._said: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self._ends: dict[int, SimpleQueue[int | None]] = {}
        self._hearing = Thread(target=self._hear, daemon=True)
        self._hearing.start()

    def use(self, folder: str) -> None:
        """Where runs stand; the zygote removes it should the parent be killed."""
        self.say(f"folder {folder}")

    def ready(self) -> None:
        """Wait until the SDK is imported."""
        if not self._ready:
            self.unisolated, unfiltered = json.loads(self._await("ready"))
            self.exposed = self.unisolated or unfiltered
            self._ready = True

    def start(self, start: Start) -> "Forked":
        """Fork, as soon as the SDK is imported."""
        reader, writer = os.pipe()
        try:
            pid, end = self._fork(start, writer)
        except BrokenError:
            os.close(reader)
            raise
        finally:
            os.close(writer)
        return Forked(self, open(reader, "rb", buffering=0), pid, end)

    def _fork(self, start: Start, output: int) -> tuple[int, "SimpleQueue[int | None]"]:
        """A run's process id, and where its exit status will be."""
        with self._starting:
            self.ready()
            try:
                socket.send_fds(self._control, [f"run {json.dumps(vars(start))}\n".encode()], [output])
            except OSError:
                raise BrokenError from None
            pid = int(self._await("started"))
            return pid, self._ends[pid]

    def say(self, command: str) -> None:
        """Send a command."""
        with contextlib.suppress(OSError):  # it is gone, and whoever waits will be told
            self._control.sendall(f"{command}\n".encode())

    def close(self) -> None:
        """End the zygote; no run is on."""
        self._process.terminate()
        self._process.wait()
        self._hearing.join()
        self._control.close()

    def _await(self, word: str) -> str:
        """The rest of what the zygote says next, which begins with `word`."""
        said, rest = self._said.get()
        if said != word:
            self._said.put((said, rest))  # for the next who waits
            raise BrokenError(rest)
        return rest

    def _hear(self) -> None:
        with contextlib.suppress(ConnectionError), self._control.makefile("rb") as lines:
            for line in lines:
                word, _, rest = line.decode().rstrip("\n").partition(" ")
                if word == "ended":
                    pid, status = map(int, rest.split())
                    self._ends[pid].put(status)
                    continue
                if word == "started":
                    self._ends[int(rest)] = SimpleQueue()
                self._said.put((word, rest))
        self._said.put(("gone", "the judge's child process is gone"))
        for end in self._ends.values():
            end.put(None)


class Forked:
    """A run whose parent is the zygote."""

    def __init__(self, zygote: Forking, output: IO[bytes], pid: int, end: "SimpleQueue[int | None]") -> None:
        self.output = output
        self._zygote = zygote
        self._pid = pid
        self._end = end

    def wait(self) -> int:
        """Its exit status, once nothing of it is left."""
        status = self._end.get()
        if status is None:  # an agent may have killed the zygote
            if self._zygote.unisolated:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self._pid, signal.SIGKILL)
            raise BrokenError
        return status

    def kill(self) -> None:
        """End it and all that it started."""
        self._zygote.say(f"stop {self._pid}")
