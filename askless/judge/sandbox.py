"""Runs of a stranger's agent, each in a process of its own, watched from here.

Logical budgets decide; the clock only guards. All that a run started is gone when
`run` returns, and the folder with the socket when the sandbox closes.
"""

import math
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Lock, Thread
from typing import Literal, Self

from askless.judge.doors import Doors
from askless.judge.process.launcher import launcher
from askless.judge.process.runs import BrokenError, Launcher, Run, Start
from askless.judge.room import Room
from askless.server import LONGEST_SOCKET_PATH, Server, listen

OUTPUT_BYTES = 1 << 20
MEMORY = "/dev/shm"
CHUNK_BYTES = 1 << 16
SIGKILL, SIGXCPU = 9, 24
POLL_S = 0.2  # how often `stop` is asked
START_S = 120.0  # for the SDK's import, which is no part of an agent's time

How = Literal["exposed", "exited", "timed_out", "requests", "bytes", "output", "stopped", "fault"]


@dataclass(frozen=True)
class End:
    """How a run ended. `status` is its exit status, a signal as its negative number."""

    how: How
    status: int
    output: str  # what it printed, at most OUTPUT_BYTES of it


def never() -> bool:
    """Nobody stops a run."""
    return False


class Sandbox:
    """A server, and a launcher of processes: its owner may have started it early, as the SDK's import takes long.

    One that must be `isolated` runs nothing where runs are not.
    """

    def __init__(self, started: Launcher | None = None, *, isolated: bool = False) -> None:
        self._launcher = started or launcher()
        self._isolated = isolated
        self._closed = False
        self._changing = Lock()
        self._rooms: dict[str, Room] = {}
        with ExitStack() as undone:  # by whatever interrupts this
            undone.callback(self._end)
            self._folder = _folder()
            if self._folder:
                undone.callback(shutil.rmtree, self._folder, ignore_errors=True)
            listener, self._address = _listen(self._folder)
            self._use_folder()
            undone.callback(Server(Doors(self._rooms), listener).close)
            self._made = undone.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server and the processes, and remove the folder."""
        self._made.close()

    def _end(self) -> None:
        with self._changing:
            self._closed = True
            self._launcher.close()

    @property
    def exposed(self) -> str | None:
        """Why runs are not isolated here, None where they are; known once `ready` has returned."""
        return self._launcher.exposed

    def ready(self) -> None:
        """Wait until a run can start at once, or cannot start at all."""
        with suppress(BrokenError):
            self._launcher.ready()

    def run(self, room: Room, stop: Callable[[], bool] = never) -> End:
        """Run the agent of a room to its end; other threads may run others. It is given up once `stop` is true."""
        key = token_hex(16)  # a run cannot guess another's room
        self._rooms[key] = room
        used = self._launcher
        try:
            start = Start(f"{self._address}/{key}", os.path.abspath(room.path), math.ceil(room.timeout_s))
            return self._watch(used, room, start, stop)
        except BrokenError as error:
            room.fault = str(error)
            self._replace(used)
            return End("fault", 0, "")
        finally:
            del self._rooms[key]

    def _replace(self, broken: Launcher) -> None:
        """Another launcher for the next run, unless another thread has seen to it."""
        with self._changing:
            if self._launcher is broken and not self._closed:
                broken.close()
                self._launcher = launcher()
                self._use_folder()

    def _use_folder(self) -> None:
        if self._folder:
            self._launcher.use(str(self._folder))

    def _watch(self, used: Launcher, room: Room, start: Start, stop: Callable[[], bool]) -> End:
        used.ready()
        if self._isolated and used.exposed:
            return End("exposed", 0, "")
        happenings: SimpleQueue[str] = SimpleQueue()
        room.tell = happenings.put
        run = used.start(start)
        output = _Output(run, happenings)
        status = _Status(run, happenings)
        try:
            how = _first_end(happenings, room.timeout_s, stop)
        finally:
            run.kill()
            code = status.get()
        if code is None:  # a run that ended the process which watches it
            self._replace(used)
        if how == "exited" and not room.started:
            room.fault = output.get().strip() or "the run ended before it began"
        if code == -SIGXCPU:
            how = "timed_out"
        return End("fault" if room.fault else how, -SIGKILL if code is None else code, output.get())


def _folder() -> Path | None:
    """A folder for the socket and for what runs write: in memory where the disk is full, or its name too long."""
    for parent in _parents():
        with suppress(OSError):
            return Path(tempfile.mkdtemp(prefix="askless-", dir=parent))
    return None


def _parents() -> list[str]:
    try:
        usual = tempfile.gettempdir()
    except FileNotFoundError:  # it can be written nowhere
        return [MEMORY]
    fits = len(os.fsencode(usual)) + len("/askless-12345678/socket") <= LONGEST_SOCKET_PATH
    return [usual, MEMORY] if fits else [MEMORY, usual]


def _listen(folder: Path | None) -> tuple[socket.socket, str]:
    """As the server listens; the folder lets nobody in, so whom a run is makes no difference at the socket."""
    listener, address = listen(folder)
    if address.startswith("unix:"):
        os.chmod(address.removeprefix("unix:"), 0o666)
    return listener, address


def _first_end(happenings: "SimpleQueue[str]", timeout_s: float, stop: Callable[[], bool]) -> How:
    """What ends a run first; its clock starts once it has fetched its job."""
    deadline = time.monotonic() + START_S
    while True:
        left_s = deadline - time.monotonic()
        try:
            happening = happenings.get(timeout=max(0.0, min(left_s, POLL_S)))
        except Empty:
            if stop():
                return "stopped"
            if left_s <= 0:
                return "timed_out"
            continue
        match happening:
            case "started":
                deadline = time.monotonic() + timeout_s
            case "exited" | "requests" | "bytes" | "output" | "fault":
                return happening


class _Output:
    """What a run prints, read as it comes; past the limit nothing more is read."""

    def __init__(self, run: Run, happenings: "SimpleQueue[str]") -> None:
        self._run = run
        self._happenings = happenings
        self._chunks: list[bytes] = []
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        left = OUTPUT_BYTES
        with self._run.output as output:
            while left > 0 and (chunk := output.read(min(CHUNK_BYTES, left))):
                self._chunks.append(chunk)
                left -= len(chunk)
        if left <= 0:
            self._happenings.put("output")

    def get(self) -> str:
        """All of it; a process that escaped may still hold the pipe, and is not waited for."""
        self._thread.join(timeout=1)
        return b"".join(self._chunks).decode(errors="replace")


class _Status:
    """A run's end, waited for by a thread."""

    def __init__(self, run: Run, happenings: "SimpleQueue[str]") -> None:
        self._run = run
        self._happenings = happenings
        self._code: int | None = None
        self._thread = Thread(target=self._wait, daemon=True)
        self._thread.start()

    def _wait(self) -> None:
        with suppress(BrokenError):
            self._code = self._run.wait()
        self._happenings.put("exited")

    def get(self) -> int | None:
        """The exit status; None where nobody is left to tell it."""
        self._thread.join()
        return self._code
