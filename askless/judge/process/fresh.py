"""Runs in new interpreters, for systems that do not fork."""

import contextlib
import subprocess
import sys
from typing import IO

from askless.judge.process.runs import BrokenError, Start, environment


class Fresh:
    """Runs in new interpreters; the first one imports the SDK before its run is known."""

    exposed = "new interpreters are isolated from nothing"

    def __init__(self) -> None:
        self._folder: str | None = None
        self._waiting = [self._spawn()]

    def ready(self) -> None:
        """A run's clock starts when it asks for its job, so there is nothing to wait for."""

    def _spawn(self) -> "Spawned":
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "askless.judge.process.child"],
            env=environment(),
            cwd=self._folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return Spawned(process)

    def use(self, folder: str) -> None:
        """Where the runs after the first one stand."""
        self._folder = folder

    def start(self, start: Start) -> "Spawned":
        """Give an interpreter its address."""
        try:
            run = self._waiting.pop()
        except IndexError:
            run = self._spawn()
        run.begin(start.address)
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
            raise BrokenError from None

    def wait(self) -> int:
        """Its exit status."""
        status = self._process.wait()
        with contextlib.suppress(OSError):
            self._input.close()
        return status

    def kill(self) -> None:
        """End it."""
        self._process.kill()
