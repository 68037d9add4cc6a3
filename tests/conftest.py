"""What many files of tests use: hypothesis, a learner of one's own."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from shipped import copy

from askless import cli, task

# No clock, nothing written
settings.register_profile("askless", deadline=None, database=None, derandomize=True)
settings.load_profile("askless")

pytest_plugins = ["launched", "living", "reviewing"]
collect_ignore = ["zoo"]  # its agents bring tests of their own


@pytest.fixture(scope="session", autouse=True)
def _the_learners_own_record_stays_as_it_is() -> Iterator[None]:
    """A learner runs these tests, too, and what a test shows to nobody must not count as shown."""
    before = records()
    yield
    assert records() == before


def records() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in task.TASKS.glob("*/learner/.progress.json")}


@pytest.fixture
def own_task(tmp_path: Path) -> Path:
    """A copy of the first task, whose learner has done nothing yet."""
    name = task.names()[0]
    copy([f"tasks/{name}", f"worked/{name}"], tmp_path)
    return tmp_path / "tasks" / name


@pytest.fixture
def ask_own(
    own_task: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Run a command on that task at 80 columns, with lines typed: exit code, standard output, standard error."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(command: str, *words: object, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = cli.main([command, str(own_task), *map(str, words)])
        return code, *capsys.readouterr()

    return run
