"""Graders of notebooks, each in a folder of its own with its own interpreter: make graders installs them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BIN = "Scripts/python.exe" if os.name == "nt" else "bin/python"


@dataclass(frozen=True)
class Grader:
    """A grader from the registry; the module here of the same name grades with it."""

    name: str

    @property
    def folder(self) -> Path:
        """Where it is installed; git ignores it."""
        return ROOT / ".askless" / "graders" / self.name

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / BIN

    @property
    def lock(self) -> Path:
        """What is installed for it."""
        return HERE / f"{self.name}.lock"

    @property
    def stamp(self) -> Path:
        """A copy of the lock, written when all of it was installed."""
        return self.folder / ".installed"

    def installed(self) -> bool:
        """Whether just that is installed."""
        return self.stamp.is_file() and self.stamp.read_bytes() == self.lock.read_bytes()

    def seconds(self, workers: int, submissions: int) -> float:
        """For each submission; so many workers grade so many each, all warm, at once."""
        program = f"from bench.graders.{self.name} import seconds; print(seconds({submissions}))"
        command = [str(self.python), "-c", program]

        def grade(_: int) -> float:
            done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
            return float(json.loads(done.stdout))

        with ThreadPoolExecutor(workers) as pool:
            return max(pool.map(grade, range(workers))) / workers


GRADERS = (Grader("otter"), Grader("nbgrader"))


def present() -> Iterator[Grader]:
    """Those that are installed; says of each other how to have it."""
    for grader in GRADERS:
        if grader.installed():
            yield grader
        else:
            print(f"bench: {grader.name} is left out: it is not installed. Next: make graders", file=sys.stderr)
