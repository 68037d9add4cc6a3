"""python -m askless.judge.process.zygote FD: imports the SDK once, then forks once for each run.

Commands come over the socket FD. It ends when the parent does, and takes every process of a run with it.
"""

import contextlib
import gc
import json
import os
import select
import shutil
import signal
import socket
import sys
from typing import Never

from askless.judge.process import calls, isolation, limits, linux
from askless.judge.process.isolation import Isolation
from askless.judge.process.remains import NOWHERE, Process, kill_others

DESCRIPTORS = 1024  # more than this process has


def load() -> None:
    """Import the SDK and warm it, with the collector off: its objects stay as long as the process."""
    gc.disable()
    from askless.judge.process import child

    child.warm()
    gc.freeze()


class Zygote:
    """Answers the commands on a socket: `folder PATH`, `run JOB` with the descriptor for its output, `stop PID`.

    It says `ready` with a JSON list, why runs are not isolated and why their calls are not filtered, or `fault TEXT`
    once, and `started PID` and `ended PID STATUS` for each run; several may be on. JOB is a JSON object: `address`,
    `file` and `cpu_s`.
    """

    def __init__(self, control: socket.socket, exposed: str | None, unfiltered: str | None) -> None:
        self._control = control
        self._exposed = exposed
        self._unfiltered = unfiltered
        self._unread = b""
        self._outputs: list[int] = []  # of runs that are still to begin
        self._runs: dict[int, Process] = {}
        self._begun = 0
        self._folder = ""
        self._isolation: Isolation | None = None
        self._woken, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Until the parent hangs up; then nothing of any run is left."""
        self._begin()
        while self._hear():
            self._reap()
        for run in self._runs.values():
            run.kill()
        if self._isolation:
            self._isolation.close()
        else:
            kill_others(())
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _begin(self) -> None:
        try:
            load()
        except Exception as error:  # a broken installation is the lab's fault, told as such
            self._say(f"fault {type(error).__name__}: {error}")
        else:
            self._say(f"ready {json.dumps([self._exposed, self._unfiltered])}")

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
        try:
            match word:
                case "folder":
                    self._settle(rest)
                case "run":
                    self._run(self._outputs.pop(0), **json.loads(rest))
                case "stop" if int(rest) in self._runs:
                    self._runs[int(rest)].kill()
        except OSError as error:
            self._say(f"fault {error.strerror or error}")

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError):  # a parent that is gone
            self._control.sendall(f"{line.splitlines()[0]}\n".encode())

    def _settle(self, folder: str) -> None:
        """Where runs have their homes; it goes when this process does."""
        self._folder = folder
        if not self._exposed:
            root = f"{folder}/root"
            os.mkdir(root)
            self._isolation = Isolation(root, f"{folder}/home", (f"{folder}/socket",))

    def _run(self, output: int, address: str, file: str, cpu_s: int) -> None:
        if not (self._exposed or self._isolation):
            raise OSError("there is no folder for what runs write")
        home = self._home()
        first = self._isolation.open_space() if self._isolation else None
        pid = os.fork()
        if pid == 0:
            self._become(output, address, home, file, cpu_s)
        os.close(output)
        self._runs[pid] = Process(pid, first, home)
        self._say(f"started {pid}")

    def _become(self, output: int, address: str, home: str, file: str, cpu_s: int) -> Never:
        """The run's own process from here on."""
        try:
            self._shed(output)
            file = self._enter(home, file)
            limits.keep(limits.of_a_run(cpu_s, alone=self._isolation is not None))
            if sys.platform == "linux":
                _lose_rights()
            from askless.judge.process import child

            child.once(address, file)
        except BaseException as error:  # the lab's own: what the agent raises is told by then
            print(f"{type(error).__name__}: {error}", flush=True)
        os._exit(1)

    def _shed(self, output: int) -> None:
        """Keep nothing that is the zygote's."""
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(output, 1)
        os.dup2(output, 2)
        self._control.detach()
        os.closerange(3, DESCRIPTORS)

    def _enter(self, home: str, file: str) -> str:
        """Go where the run lives, with an empty environment; the agent's file as it is seen from there."""
        if self._isolation:
            file = self._isolation.confine(file)
        elif sys.platform == "linux":
            linux.end_with_parent(signal.SIGKILL)
        os.chdir(home)
        os.environ.clear()
        os.environ.update(HOME=home, TMPDIR=home)
        return file

    def _home(self) -> str:
        if not self._folder:
            return NOWHERE
        if self._isolation:
            return f"{self._folder}/home"
        self._begun += 1
        home = f"{self._folder}/home-{self._begun}"
        os.mkdir(home)
        return home

    def _reap(self) -> None:
        """Tell of the runs that ended, once nothing of them is left."""
        for pid, run in list(self._runs.items()):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                del self._runs[pid]
                run.clear(self._runs)
                self._say(f"ended {pid} {os.waitstatus_to_exitcode(status)}")


def _lose_rights() -> None:
    """A machine without such filters goes without, which its parent is told."""
    with contextlib.suppress(OSError):
        calls.refuse()


def main() -> None:
    """Serve until the parent is gone, then leave without teardown."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    exposed, unfiltered = isolation.refusal(), calls.allowed()
    if not exposed:
        isolation.enter()
    elif sys.platform == "linux":
        linux.adopt_orphans()
    Zygote(control, exposed, unfiltered).serve()
    os._exit(0)


if __name__ == "__main__":
    main()
