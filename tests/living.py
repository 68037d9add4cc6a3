"""Live runs as the tests have them: a service far away, in a process of its own, and the command line."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from processes import until

from askless import cli, task
from askless.judge.process.runs import Launcher
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
    """The service's address, the folder of its plans and of what it heard, and whose plans these are."""

    address: str
    folder: Path
    of: str = ""

    def plan(self, name: str, **plan: Any) -> str:
        """The address under which it does as a plan says."""
        (self.folder / f"{self.of}{name}.json").write_text(json.dumps(plan))
        return f"{self.address}/{self.of}{name}"

    def heard(self, name: str) -> list[dict[str, Any]]:
        """The requests that came there: path, headers, body."""
        path = self.folder / f"{self.of}{name}.heard"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture(scope="session")
def far_away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Far]:
    """One service for all files of tests."""
    folder = tmp_path_factory.mktemp("far")
    with subprocess.Popen([sys.executable, str(SERVER), str(folder)]) as process:
        try:
            until((folder / "port").exists)
            yield Far(f"http://127.0.0.1:{(folder / 'port').read_text()}", folder)
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def far(far_away: Far, request: pytest.FixtureRequest) -> Far:
    """The service, with plans that no other file of tests knows."""
    return far_away._replace(of=f"{request.module.__name__}-")


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch, far: Far) -> None:
    """As the environment of a live run has it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", far.address)


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


@pytest.fixture
def live(
    far: Far,
    started: Launcher,
    own_task: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Live:
    """`live` on a task, with a plan for the service; nobody is asked unless something is typed."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words: str, typed: str | None = None, plan: dict[str, Any] | None = None, name: str = "plan") -> Said:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", far.plan(name, **(plan or {})))
        monkeypatch.setattr(sys, "stdin", io.StringIO() if typed is None else Terminal(typed))
        code = cli.main(["live", str(own_task), *words, *(() if typed is not None else ("--yes",))])
        return Said(code, *capsys.readouterr())

    return run


def ran(sandbox: Sandbox, far: Far, name: str, found: Agent | None = None, usd: float = 0.25, **plan: Any) -> Lived:
    """A live run of v3, or of another agent."""
    with Carrier(Access(KEY, far.plan(name, **plan)), 10.0) as carrier:
        way = Way(carrier, Purse(usd), 60.0, False, lambda *_: None)
        return run(sandbox, found or agent.find(TASK, "v3"), way)
