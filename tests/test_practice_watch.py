"""`askless practice --watch`: what each save comes to, and how it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import IO

import pytest
from ladders import load
from processes import sleeping, until

from askless.judge.watch import Watched

NAME = "t01_fewer_tool_calls"
ROOT = load(NAME).folder.parent.parent
V3 = (ROOT / "worked" / NAME / "v3.py").read_text()
HEAD = "def answer(client, desk, question):\n"
GUARD_S = 120.0


def said(stream: IO[str], word: str) -> str:
    """The lines up to one that begins with a word; what never comes ends with the stream, in a failure."""
    lines = []
    for line in stream:
        lines.append(line)
        if line.startswith(word):
            return "".join(lines)
    raise AssertionError(f"{word!r} was never said in {lines}")


@pytest.fixture
def watching(own_task: Path, tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    agent = own_task / "learner" / "agent.py"
    (tmp_path / "tmp").mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "askless", "practice", str(own_task), "--watch"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        guard = Timer(GUARD_S, process.kill)  # a word that never comes must not keep a test for ever
        guard.start()
        yield agent, process
        guard.cancel()
        process.kill()
    assert list((tmp_path / "tmp").iterdir()) == []


def test_each_save_is_judged_whatever_was_saved_and_ctrl_c_ends_it(watching):
    agent, process = watching
    assert process.stdout
    assert "MISSED" in said(process.stdout, "Watching")
    agent.write_text(HEAD + "    return (\n")
    assert "syntax_error" in said(process.stdout, "Watching")
    agent.write_text(HEAD + "    while True: print('flood')\n")
    assert "too_much_output" in said(process.stdout, "Watching")
    agent.unlink()
    agent.with_suffix(".new").write_text(V3)
    agent.with_suffix(".new").rename(agent)  # as an editor saves
    assert "REACHED" in said(process.stdout, "Watching")
    agent.write_text(V3)
    assert "REACHED" in said(process.stdout, "Watching")
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert (process.wait(), "Traceback" in rest) == (130, False)


def test_a_save_ends_a_run_that_would_never_end(watching):
    agent, process = watching
    assert process.stdout
    said(process.stdout, "Watching")
    seconds = f"7{os.getpid()}"
    agent.write_text(HEAD + f"    import os\n    os.execlp('sleep', 'sleep', '{seconds}')\n")
    until(lambda: sleeping(seconds) != [])
    agent.write_text(V3)
    told = said(process.stdout, "REACHED")
    assert "given up" in told
    said(process.stdout, "Watching")
    agent.write_text(HEAD + "    while True: pass\n")
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130


def test_a_file_that_was_taken_up_is_no_news_until_it_is_saved(tmp_path):
    path = tmp_path / "agent.py"
    watched = Watched(path)
    assert not watched.changed()
    path.write_text("a = 1\n")
    assert watched.changed()
    watched.take()
    assert not watched.changed()
    stood = path.stat()
    path.write_text("a = 2\n")
    os.utime(path, ns=(stood.st_atime_ns, stood.st_mtime_ns))
    assert watched.changed()
    watched.take()
    path.unlink()
    assert not watched.changed()
