"""python -m askless.judge.zygote FD: imports the SDK once, then forks once for each run.

Commands come over the socket FD. It ends when the parent does, and takes every
process of a run with it.
"""

import contextlib
import gc
import os
import resource
import select
import shutil
import signal
import socket
import sys
from typing import Never

SUBREAPER = 36  # prctl: orphans of a run come to this process
DEATH_SIGNAL = 1  # prctl: a run ends with this process
MEMORY_BYTES = 1 << 30


def load() -> None:
    """Import the SDK and warm it, with the collector off: its objects stay as long as the process."""
    gc.disable()
    from askless.judge import child

    child.warm()
    gc.freeze()


def prctl(option: int, value: int) -> None:
    """Linux's prctl; elsewhere nothing."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class Zygote:
    """Answers the commands on a socket: `folder PATH`, `run ADDRESS` with the descriptor for its output, `stop PID`.

    It says `ready` or `fault TEXT` once, and `started PID` and `ended PID STATUS` for each run; several may be on.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._unread = b""
        self._outputs: list[int] = []  # of runs that are still to begin
        self._runs: set[int] = set()
        self._folder = ""
        self._woken, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Until the parent hangs up; then nothing of any run is left."""
        self._begin()
        while self._hear():
            self._reap()
        for pid in self._runs:
            _kill_group(pid)
        _kill_others(set())
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _begin(self) -> None:
        try:
            load()
        except Exception as error:  # a broken installation is the lab's fault, told as such
            self._say(f"fault {type(error).__name__}: {error}")
        else:
            self._say("ready")

    def _hear(self) -> bool:
        """Wait for commands and obey them, or for the end of a run; false when the parent is gone."""
        readable, _, _ = select.select([self._control.fileno(), self._woken], [], [])
        if self._woken in readable:
            os.read(self._woken, 4096)
        if self._control.fileno() in readable:
            data, descriptors = self._receive()
            if not data:
                return False
            self._outputs += descriptors
            *commands, self._unread = (self._unread + data).split(b"\n")
            for command in commands:
                self._obey(*command.decode().split(" ", 1))
        return True

    def _receive(self) -> tuple[bytes, list[int]]:
        try:
            data, descriptors, _, _ = socket.recv_fds(self._control, 4096, 8)
        except ConnectionError:  # the parent was killed before it had read all that was said
            return b"", []
        return data, descriptors

    def _obey(self, word: str, rest: str) -> None:
        match word:
            case "folder":
                self._move(rest)
            case "run":
                self._run(rest, self._outputs.pop(0))
            case "stop" if int(rest) in self._runs:
                _kill_group(int(rest))

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError):  # a parent that is gone
            self._control.sendall(f"{line.splitlines()[0]}\n".encode())

    def _move(self, folder: str) -> None:
        """Where runs stand and leave their files; it goes when this process does."""
        self._folder = folder
        os.chdir(folder)
        os.environ["TMPDIR"] = folder

    def _run(self, address: str, output: int) -> None:
        pid = os.fork()
        if pid == 0:
            self._become(address, output)
        os.close(output)
        self._runs.add(pid)
        self._say(f"started {pid}")

    def _become(self, address: str, output: int) -> Never:
        """The run's own process from here on."""
        prctl(DEATH_SIGNAL, signal.SIGKILL)
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(output, 1)
        os.dup2(output, 2)
        self._control.close()
        for descriptor in (self._woken, output, *self._outputs):
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        from askless.judge import child

        child.once(address)

    def _reap(self) -> None:
        """Tell of the runs that ended, once nothing of them is left."""
        for pid in sorted(self._runs):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                _kill_group(pid)
                self._runs.remove(pid)
                _kill_others(self._runs)
                self._say(f"ended {pid} {os.waitstatus_to_exitcode(status)}")


def _kill_group(pid: int) -> None:
    """End a run and all that stayed in its group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _kill_others(runs: set[int]) -> None:
    """End and reap what runs left behind in sessions of its own; Linux alone brings these here."""
    while others := [pid for pid in _children() if pid not in runs]:
        for pid in others:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in others:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []


def main() -> None:
    """Serve until the parent is gone, then leave without teardown."""
    prctl(SUBREAPER, 1)
    Zygote(socket.socket(fileno=int(sys.argv[1]))).serve()
    os._exit(0)


if __name__ == "__main__":
    main()
