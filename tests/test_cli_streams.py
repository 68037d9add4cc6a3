"""What a command prints to: a terminal, a pipe whose reader leaves, a full disk, an encoding without the letters."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from ladders import TASKS, run

from askless import tracefile


def process(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "askless", *words]
    return subprocess.run(command, check=False, text=True, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload,no-any-return]


def shown(*rungs: str) -> str:
    """What is said on standard error when rungs are shown for the first time."""
    return f"On record as shown now: {', '.join(rungs)}. A prediction counts only if it was made before.\n"


@pytest.fixture
def recording(tmp_path: Path) -> str:
    """A trace to show, which imports no SDK."""
    tracefile.write(run(TASKS[0], "v1"), tmp_path / "v1.jsonl")
    return str(tmp_path / "v1.jsonl")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("words", "colours"), [([], True), (["--plain"], False), (["NO_COLOR"], False)])
def test_on_a_terminal_there_are_colours_unless_they_are_not_wanted(
    recording: str, words: list[str], colours: bool
) -> None:
    terminal, inner = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    if "NO_COLOR" in words:
        environment, words = {**environment, "NO_COLOR": "1"}, []
    done = process("trace", recording, *words, stdout=inner, env=environment)
    os.close(inner)
    assert done.returncode == 0
    assert (b"\x1b[" in os.read(terminal, 65_536)) is colours
    os.close(terminal)


def test_a_reader_who_leaves_ends_it_quietly(own_task: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = process("trace", str(own_task), "v1", "--json", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, shown("v1"))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_heard(own_task: Path) -> None:
    with open("/dev/full", "w") as full:
        done = process("trace", str(own_task), "v1", stdout=full)
    assert done.returncode == 2
    assert done.stderr.startswith(shown("v1") + "the disk is full")
    assert "Next: " in done.stderr


def test_a_terminal_without_unicode_gets_every_word(own_task: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    done = process("ladder", str(own_task), stdout=subprocess.PIPE, env=environment)
    assert (done.returncode, done.stderr) == (0, shown("v0", "v1", "v2", "v3"))
    assert "1,408" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="closes a descriptor")
@pytest.mark.parametrize("command", ["trace", "rules"])
def test_an_output_that_was_closed_is_no_fault(recording: str, command: str) -> None:
    words = [command, recording] if command == "trace" else [command]
    done = process(*words, preexec_fn=lambda: os.close(1))
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
