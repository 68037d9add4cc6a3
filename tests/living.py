"""Live runs as the tests have them: a service far away, in a process of its own, and the command line."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from processes import until

from askless import cli, task
from askless.judge.sandbox import Sandbox
from askless.live import agent
from askless.live.access import Access
from askless.live.agent import Agent
from askless.live.carrier import Carrier
from askless.live.purse import Purse
from askless.live.run import Lived, Way, run

KEY = "sk-ant-canary-0123456789"
TASK = task.load(task.names()[0])
SERVER = Path(__file__).with_name("far_away.py")


class Far(NamedTuple):
    """The service's address, and the folder of its plans and of what it heard."""

    address: str
    folder: Path

    def plan(self, name: str, **plan: Any) -> str:
        """The address under which it does as a plan says."""
        (self.folder / f"{name}.json").write_text(json.dumps(plan))
        return f"{self.address}/{name}"

    def heard(self, name: str) -> list[dict[str, Any]]:
        """The requests that came there: path, headers, body."""
        path = self.folder / f"{name}.heard"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@contextmanager
def far_away(folder: Path) -> Iterator[Far]:
    with subprocess.Popen([sys.executable, str(SERVER), str(folder)]) as process:
        try:
            until((folder / "port").exists)
            yield Far(f"http://127.0.0.1:{(folder / 'port').read_text()}", folder)
        finally:
            process.terminate()


class Said(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


class Terminal(io.StringIO):
    """Somebody types."""

    def isatty(self) -> bool:
        return True


Live = Callable[..., Said]


def living(far: Far, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], path: Path) -> Live:
    """`live` on a task, with a plan for the service; nobody is asked unless something is typed."""

    def live(*words: str, typed: str | None = None, plan: dict[str, Any] | None = None, name: str = "plan") -> Said:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", far.plan(name, **(plan or {})))
        monkeypatch.setattr(sys, "stdin", io.StringIO() if typed is None else Terminal(typed))
        code = cli.main(["live", str(path), *words, *(() if typed is not None else ("--yes",))])
        return Said(code, *capsys.readouterr())

    return live


def ran(sandbox: Sandbox, far: Far, name: str, found: Agent | None = None, usd: float = 0.25, **plan: Any) -> Lived:
    """A live run of v3, or of another agent."""
    with Carrier(Access(KEY, far.plan(name, **plan)), 10.0) as carrier:
        way = Way(carrier, Purse(usd), 60.0, False, lambda *_: None)
        return run(sandbox, found or agent.find(TASK, "v3"), way)
