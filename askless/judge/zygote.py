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
    """Answers the commands on a socket: `folder PATH`, `run ADDRESS` with the descriptor for its output, `stop`.

    It says `ready` or `fault TEXT` once, and `started PID` and `ended STATUS` for each run.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._unread = b""
        self._outputs: list[int] = []
        self._folder = ""
        self._woken, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Until the parent hangs up."""
        self._begin()
        while command := self._next():
            word, _, rest = command.partition(" ")
            if word == "folder":
                self._move(rest)
            elif word == "run":
                self._run(rest)
        shutil.rmtree(self._folder, ignore_errors=True) if self._folder else None

    def _begin(self) -> None:
        try:
            load()
        except Exception as error:  # a broken installation is the lab's fault, told as such
            self._say(f"fault {type(error).__name__}: {error}")
        else:
            self._say("ready")

    def _next(self) -> str:
        """The next command; empty when the parent is gone."""
        while b"\n" not in self._unread:
            data, descriptors, _, _ = socket.recv_fds(self._control, 4096, 1)
            self._outputs += descriptors
            self._unread += data
            if not data:
                return ""
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode()

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError):  # a parent that is gone
            self._control.sendall(f"{line.splitlines()[0]}\n".encode())

    def _move(self, folder: str) -> None:
        """Where runs stand and leave their files; it goes when this process does."""
        self._folder = folder
        os.chdir(folder)
        os.environ["TMPDIR"] = folder

    def _run(self, address: str) -> None:
        output = self._outputs.pop()
        pid = os.fork()
        if pid == 0:
            self._become(address, output)
        os.close(output)
        self._say(f"started {pid}")
        status = self._wait(pid)
        _kill_descendants()
        self._say(f"ended {os.waitstatus_to_exitcode(status)}")

    def _become(self, address: str, output: int) -> Never:
        """The run's own process from here on."""
        prctl(DEATH_SIGNAL, signal.SIGKILL)
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._control.close()
        os.close(self._woken)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        from askless.judge import child

        child.once(address)

    def _wait(self, pid: int) -> int:
        """A run's status; a word from the parent, or its end, ends the run."""
        while True:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                _kill_group(pid)
                return status
            readable, _, _ = select.select([self._control.fileno(), self._woken], [], [])
            if self._woken in readable:
                os.read(self._woken, 4096)
            if self._control.fileno() in readable:
                _kill_group(pid)
                self._unread += self._control.recv(4096)


def _kill_group(pid: int) -> None:
    """End a run and all that stayed in its group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _kill_descendants() -> None:
    """End and reap what a run left behind in sessions of its own; Linux alone brings these here."""
    while children := _children():
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in children:
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
