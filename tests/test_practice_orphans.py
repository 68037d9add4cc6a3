"""What an agent or the sandbox leaves behind: no process, no file, also when the parent is killed."""

import os
import subprocess
import sys

import pytest
from processes import alive, children, sleeping, until
from shop import HEAD, run

from askless.judge.process.launcher import launcher
from askless.judge.process.runs import BrokenError
from askless.judge.sandbox import Sandbox


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux brings orphans home")
@pytest.mark.parametrize("ending", ["return '-'", "while True: pass", "os.kill(os.getpid(), 9)"])
@pytest.mark.parametrize("kernel", ["started", "refused"])
def test_no_process_that_an_agent_started_outlives_its_run(request, ending, kernel):
    seconds = f"9{os.getpid()}"
    source = HEAD + (
        "    import os, subprocess\n"
        "    for alone in (True, False):\n"
        f"        subprocess.Popen(['sleep', '{seconds}'], start_new_session=alone)\n"
        f"    subprocess.run(['sh', '-c', 'setsid sleep {seconds} & echo started'])\n"
        f"    {ending}\n"
    )
    with Sandbox(request.getfixturevalue(kernel)) as made:
        assert run(made, source, timeout_s=1.0)[0].output == "started\n"
        assert sleeping(seconds) == []


def test_a_closed_sandbox_leaves_no_process_and_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(children(os.getpid()))
    with Sandbox() as made:
        run(made, HEAD + "    open('mine', 'w')\n    return '-'\n")
        assert list(tmp_path.iterdir()) != []
        mine = set(children(os.getpid())) - before
    assert mine
    assert [pid for pid in mine if alive(pid)] == []
    assert list(tmp_path.iterdir()) == []


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
    seconds = f"8{os.getpid()}"
    code = (
        "import sys, tempfile, threading, os\n"
        f"sys.path[:0] = {[*sys.path]!r}\n"
        f"tempfile.tempdir = {str(tmp_path)!r}\n"
        "from test_practice_orphans import HEAD, Sandbox, run\n"
        f'source = HEAD + \'    import os\\n    os.execlp("sleep", "sleep", "{seconds}")\\n\'\n'
        "run(Sandbox(), source)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as parent:
        until(lambda: sleeping(seconds) != [])
        (zygote,) = children(parent.pid)
        parent.kill()
    until(lambda: not alive(zygote) and not sleeping(seconds))
    assert list(tmp_path.iterdir()) == []
