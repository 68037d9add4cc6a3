"""What an agent or the sandbox leaves behind: no process, no file, also when the parent is killed."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shop import HEAD, run

from askless.judge.process import launcher
from askless.judge.runs import BrokenError
from askless.judge.sandbox import Sandbox


@pytest.fixture(scope="module")
def forked() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def until(holds: Callable[[], bool]) -> None:
    """Wait for what must come about; a minute is far more than it takes."""
    for _ in range(6_000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never came about")


def alive(pid: int) -> bool:
    """Whether a process is there and not merely waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux brings orphans home")
@pytest.mark.parametrize("ending", ["return '-'", "while True: pass"])
def test_no_process_that_an_agent_started_outlives_its_run(forked, ending):
    source = HEAD + (
        "    import subprocess\n"
        "    for alone in (True, False):\n"
        "        print(subprocess.Popen(['sleep', '999'], start_new_session=alone).pid)\n"
        "    print(subprocess.Popen(['sh', '-c', 'setsid sleep 999 & echo $!'], stdout=2).pid)\n"
        f"    {ending}\n"
    )
    end, _, _ = run(forked, source, timeout_s=2.0)
    pids = [int(line) for line in end.output.split()]
    assert len(pids) >= 3
    assert [pid for pid in pids if alive(pid)] == []


def test_a_closed_sandbox_leaves_no_process_and_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Sandbox() as made:
        outcome = run(made, HEAD + "    import os\n    open('mine', 'w')\n    return str(os.getppid())\n")[1]
        assert list(tmp_path.iterdir()) != []
    assert outcome is not None
    assert list(tmp_path.iterdir()) == []
    assert not alive(int(outcome.text or 0))


def test_a_sandbox_that_is_interrupted_as_it_is_made_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("askless.judge.sandbox.listen", interrupted)
    started = launcher()
    with pytest.raises(KeyboardInterrupt):
        Sandbox(started)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BrokenError):
        started.ready()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no zygote without fork")
def test_a_killed_parent_takes_its_child_and_its_folder_along(tmp_path):
    code = (
        "import sys, tempfile, threading, os\n"
        f"sys.path[:0] = {[*sys.path]!r}\n"
        f"tempfile.tempdir = {str(tmp_path)!r}\n"
        "from test_practice_orphans import HEAD, Sandbox, run\n"
        "source = HEAD + '    import os\\n    print(os.getppid(), flush=True)\\n    while True: pass\\n'\n"
        "made = Sandbox()\n"
        "print(made._launcher._process.pid, flush=True)\n"
        "run(made, source)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        zygote = int(parent.stdout.readline())
        until(lambda: children(zygote) != [])
        (agent,) = children(zygote)
        parent.kill()
    until(lambda: not alive(zygote) and not alive(agent))
    assert list(tmp_path.iterdir()) == []


def children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
