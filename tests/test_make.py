"""The Makefile as a learner meets it: in a folder with a space and an accent, set up or not, and across an update."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TARGETS = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
MINE = "tasks/t01_fewer_tool_calls/learner/agent.py"

pytestmark = pytest.mark.skipif(not (shutil.which("make") and shutil.which("git")), reason="make or git is missing")


def run(*words: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """A command in an environment that knows neither the tester's git settings nor an outer make."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    settings = {"HOME": str(cwd), "GIT_CONFIG_NOSYSTEM": "1", **kept, **environ}
    return subprocess.run(words, cwd=cwd, env=settings, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that a set-up reads, in a folder whose name has a space and an accent."""
    path = tmp_path / "ask léss"
    path.mkdir()
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, path)
    return path


@pytest.fixture
def installed(folder: Path) -> Path:
    """The same once `make install` is done: an interpreter, and a stamp newer than what it was made from."""
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/python").symlink_to(sys.executable)
    (folder / ".venv/.installed").touch()
    return folder


def test_make_alone_lists_every_target_in_a_line_each(folder: Path) -> None:
    lines = run("make", cwd=folder).stdout.splitlines()
    assert [line.split()[1] for line in lines] == TARGETS
    assert all(len(line) <= 100 for line in lines)


@pytest.mark.parametrize("target", sorted(set(TARGETS) - {"help", "lock", "update"}))
def test_every_target_sets_up_what_it_needs(target: str, folder: Path) -> None:
    assert "pip install" in run("make", "-n", target, cwd=folder).stdout


@pytest.mark.parametrize("target", sorted(set(TARGETS) - {"help", "lock", "update", "install"}))
def test_a_second_call_starts_at_once(target: str, installed: Path) -> None:
    first, *_ = run("make", "-n", target, cwd=installed).stdout.splitlines()
    assert first.startswith(".venv/bin/python -m ")
    assert "pip" not in first


def test_a_new_lock_file_is_installed_by_the_next_call(installed: Path) -> None:
    stamp = (installed / ".venv/.installed").stat().st_mtime
    os.utime(installed / "requirements.lock", (stamp + 1, stamp + 1))
    assert "pip install" in run("make", "-n", "hint", cwd=installed).stdout


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("test", "ARGS=-s"), "pytest -s"),
        (("practice", "RUNG=2", "TASK=t09"), "askless practice t09 --rung 2 "),
        (("watch",), "askless practice t01  --watch "),
        (("bench", "ARGS=--json"), "bench --json"),
    ],
)
def test_args_task_and_rung_are_passed_on(words: tuple[str, ...], command: str, installed: Path) -> None:
    assert run("make", "-n", *words, cwd=installed).stdout == f".venv/bin/python -m {command}\n"


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_a_plain_locale_hides_no_path(locale: str, installed: Path) -> None:
    python = installed / ".venv/bin/python"
    python.unlink()
    python.write_text('#!/bin/sh\necho "$LC_ALL"\n')
    python.chmod(0o755)
    assert run("make", "ladder", cwd=installed, LC_ALL=locale).stdout == "C.UTF-8\n"


def test_without_a_python_new_enough_the_message_says_what_to_do(folder: Path) -> None:
    tools = folder / "bin"
    tools.mkdir()
    for tool in ("sh", "echo", "test", "rm"):
        (tools / tool).symlink_to(shutil.which(tool) or "")
    make = shutil.which("make") or ""
    done = run(make, "install", cwd=folder, PATH=str(tools))
    assert done.returncode == 2
    assert done.stderr.splitlines()[:2] == [
        "askless needs Python 3.11 or newer with its venv module, and found none.",
        "Next: install it, or name one: make install PYTHON=/path/to/python3.12",
    ]


class Repositories:
    """An upstream repository and a learner's clone of it."""

    def __init__(self, folder: Path) -> None:
        self.upstream, self.clone = folder / "upstream", folder / "mine é"
        self.upstream.mkdir()
        self.git("init", "-q", "-b", "main")
        for name in ("Makefile", ".gitattributes"):
            shutil.copy(ROOT / name, self.upstream)
        self.publish({MINE: "def answer():\n    return 1\n", "README.md": "old\n"})
        run("git", "clone", "-q", str(self.upstream), str(self.clone), cwd=folder)

    def git(self, *words: str, cwd: Path | None = None) -> None:
        author = ("-c", "user.name=a", "-c", "user.email=a@localhost")
        done = run("git", *author, *words, cwd=cwd or self.upstream)
        assert done.returncode == 0, done.stderr

    def publish(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.upstream / name).parent.mkdir(parents=True, exist_ok=True)
            (self.upstream / name).write_text(text, "utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Publish")


@pytest.fixture
def repositories(tmp_path: Path) -> Repositories:
    return Repositories(tmp_path)


@pytest.mark.parametrize("committed", [False, True], ids=["edited", "committed"])
@pytest.mark.parametrize("changed", [{}, {MINE: "def answer():\n    return 3\n"}], ids=["others", "agent"])
def test_a_learners_edit_survives_an_update(
    committed: bool, changed: dict[str, str], repositories: Repositories
) -> None:
    mine = repositories.clone / MINE
    mine.write_text("def answer():\n    return 2  # mine\n", "utf-8")
    if committed:
        repositories.git("commit", "-q", "-a", "-m", "Answer", cwd=repositories.clone)
    repositories.publish({"README.md": "new\n", **changed})
    identity = {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@localhost"} if committed else {}
    done = run("make", "update", cwd=repositories.clone, **identity)
    assert done.returncode == 0, done.stderr
    assert mine.read_text("utf-8") == "def answer():\n    return 2  # mine\n"
    assert (repositories.clone / "README.md").read_text("utf-8") == "new\n"
    assert run("git", "stash", "list", cwd=repositories.clone).stdout == ""
