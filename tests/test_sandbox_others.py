"""What a run finds of others: beside its file, at the other end of a socket, among the processes of its user."""

import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from sandboxed import EVERYWHERE, ISOLATED, opened, said

from askless.judge.sandbox import Sandbox


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    yield from opened(request)


@EVERYWHERE
def test_an_agent_can_read_what_stands_beside_it(sandbox, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "prompt.txt").write_text("be brief")
    lines = "import pathlib\nreturn pathlib.Path(__file__).with_name('prompt.txt').read_text()"
    assert said(sandbox, lines, tmp_path / "agent.py") == "be brief"


@ISOLATED
def test_what_is_hidden_beside_an_agent_it_does_not_see(sandbox, tmp_path):
    tmp_path.chmod(0o755)
    for hidden in (".ssh", "lib/.git"):
        (tmp_path / hidden).mkdir(parents=True)
        (tmp_path / hidden / "key").write_text("secret")
    (tmp_path / ".env").write_text("KEY=secret")
    lines = """
import pathlib
found = []
for path in pathlib.Path(__file__).parent.rglob('*'):
    try:
        found.append(path.read_text())
    except OSError:
        pass
return repr(found)
"""
    assert said(sandbox, lines, tmp_path / "agent.py") == "[]"


@ISOLATED
def test_a_file_that_is_not_named_as_one_in_a_folder_of_its_own_is_shown_alone(sandbox, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "alice.py").write_text("")
    (tmp_path / "bob.py").write_text("KEY = 1")
    lines = "import os\nhere = os.path.dirname(__file__)\nreturn repr([os.listdir(here), os.path.basename(__file__)])"
    assert said(sandbox, lines, tmp_path / "alice.py") == "[['alice.py'], 'alice.py']"


@ISOLATED
def test_what_stands_beside_an_agent_it_cannot_change(sandbox, tmp_path):
    lines = "import pathlib\ntry: pathlib.Path(__file__).touch()\nexcept OSError as error: return error.strerror"
    assert said(sandbox, lines, tmp_path / "agent.py") in ("Read-only file system", "Permission denied")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
@ISOLATED
def test_a_folder_may_hold_another_that_nobody_may_read(sandbox, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "closed").mkdir(0o000)
    assert said(sandbox, "return 'ran'", tmp_path / "agent.py") == "ran"


@ISOLATED
def test_a_run_reaches_nobody_through_a_socket_or_a_pipe_in_its_folder(sandbox, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "inner").mkdir()
    (tmp_path / "agent.py").touch()
    os.mkfifo(tmp_path / "inner" / "pipe", 0o666)
    with socket.socket(socket.AF_UNIX) as outside:
        outside.bind(str(tmp_path / "socket"))
        (tmp_path / "socket").chmod(0o777)
        outside.listen()
        lines = """
import os, socket
here, stopped = os.path.dirname(__file__), []
for attempt in (lambda: socket.socket(socket.AF_UNIX).connect(here + '/socket'),
                lambda: os.open(here + '/inner/pipe', os.O_RDWR)):
    try:
        attempt()
    except OSError:
        stopped.append(True)
return str(len(stopped))
"""
        assert said(sandbox, lines, tmp_path / "agent.py") == "2"


@ISOLATED
def test_a_run_that_starts_all_it_can_takes_nothing_from_another(sandbox):
    greedy = """
import os, time
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
except OSError:
    time.sleep(2)
return 'all'
"""
    modest = """
import threading, time
time.sleep(0.7)
threads = [threading.Thread(target=time.sleep, args=(0.2,)) for _ in range(20)]
for thread in threads:
    thread.start()
return 'some'
"""
    if said(sandbox, "import os\nreturn str(os.getuid())") == "65534" and os.geteuid() == 0:
        pytest.skip("the kernel lets root start any number")
    with ThreadPoolExecutor() as pool:
        assert list(pool.map(partial(said, sandbox), (greedy, modest))) == ["all", "some"]
