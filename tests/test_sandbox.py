"""What a run sees and may use: as this machine has it, as for a plain user, and where namespaces are refused."""

import os
import resource
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from shop import HEAD, Shop, run
from stand_in import MODEL

from askless.judge.process import isolation, limits
from askless.judge.process.runs import Start
from askless.judge.room import Outcome, Room
from askless.judge.sandbox import End, Sandbox
from askless.service import Service

REFUSED = isolation.refusal()
EVERYWHERE = pytest.mark.parametrize("sandbox", ["started", "plain", "refused"], indirect=True)
ISOLATED = pytest.mark.parametrize("sandbox", ["started", "plain"], indirect=True)


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with Sandbox(request.getfixturevalue(request.param)) as made:
        made.ready()
        if request.param != "refused" and made.exposed:
            pytest.skip(f"runs are not isolated here: {made.exposed}")
        yield made


def said(sandbox: Sandbox, lines: str, agent: Path | None = None) -> str | None:
    """What an agent of a few lines answers; one that stands nowhere stands beside this file."""
    source = HEAD + "".join(f"    {line}\n" for line in lines.splitlines())
    made = Room(str(agent or __file__), source.encode(), Shop(), Service(MODEL), 20, 60.0)
    end = sandbox.run(made)
    assert (end, made.outcome and made.outcome.crash) == (End("exited", 0, ""), None)
    assert made.outcome
    return made.outcome.text


def test_where_the_kernel_refuses_namespaces_its_reason_is_kept(refused):
    refused.ready()
    assert refused.exposed == "unshare: Operation not permitted"


@EVERYWHERE
def test_the_environment_holds_a_home_and_nothing_else(sandbox):
    assert said(sandbox, "import os\nreturn ' '.join(sorted(os.environ))") == "HOME TMPDIR"


@EVERYWHERE
def test_each_run_has_a_home_of_its_own_that_is_empty(sandbox):
    lines = "import os\nopen('mine', 'w').write('x')\nreturn ' '.join(os.listdir(os.environ['HOME']))"
    assert [said(sandbox, lines) for _ in range(2)] == ["mine", "mine"]


@EVERYWHERE
def test_nothing_that_a_run_wrote_is_there_after_it(sandbox):
    said(sandbox, "return '-'")  # the folder is ready then
    before = sorted(sandbox._folder.iterdir())
    said(sandbox, "import os\nos.makedirs('a/b/c')\nopen('a/b/c/mine', 'w').write('x')\nreturn '-'")
    assert sorted(sandbox._folder.iterdir()) == before


@EVERYWHERE
def test_an_agent_can_read_what_stands_beside_it(sandbox, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "prompt.txt").write_text("be brief")
    lines = "import pathlib\nreturn pathlib.Path(__file__).with_name('prompt.txt').read_text()"
    assert said(sandbox, lines, tmp_path / "agent.py") == "be brief"


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


@ISOLATED
def test_no_user_no_task_and_no_process_is_in_sight(sandbox):
    gone = [
        "/proc/self",
        "/etc/passwd",
        "/var/log",
        str(Path.home() / ".ssh"),
        str(Path(__file__).parent.parent / "tasks"),
    ]
    lines = f"import os, socket\nreturn repr([os.path.exists(path) for path in {gone!r}]) + socket.gethostname()"
    assert said(sandbox, lines) == f"{[False] * len(gone)}askless"


@ISOLATED
def test_no_part_of_the_root_can_be_written(sandbox):
    lines = (
        "import os, askless, sys\n"
        "tried = ['/', '/usr', '/etc', os.path.dirname(askless.__file__), sys.prefix, os.path.dirname(__file__)]\n"
        "return repr([path for path in tried if os.access(path, os.W_OK)])"
    )
    assert said(sandbox, lines) == "[]"


@EVERYWHERE
@pytest.mark.parametrize(
    ("act", "error"),
    [
        ("bytearray(1 << 30)", "MemoryError"),
        ("file = open('large', 'wb'); file.seek(1 << 30); file.write(b'-'); file.flush()", "OSError"),
        ("[os.dup(0) for _ in range(300)]", "OSError"),
    ],
    ids=["memory", "file size", "open files"],
)
def test_what_is_over_a_limit_is_refused(sandbox, act, error):
    lines = f"import os\ntry:\n    {act}\nexcept BaseException as error: return type(error).__name__"
    assert said(sandbox, lines) == error


@pytest.mark.parametrize("sandbox", ["started", "refused"], indirect=True)
def test_processes_come_to_an_end(sandbox):
    if sandbox.exposed and os.getuid() == 0:
        pytest.skip("the kernel lets root start any number")
    lines = (
        "import os, time\n"
        "for count in range(200):\n"
        "    try:\n"
        "        if os.fork() == 0: time.sleep(60)\n"
        "    except OSError: return 'refused'\n"
    )
    assert said(sandbox, lines) == "refused"


@EVERYWHERE
def test_a_run_that_has_computed_for_too_long_is_timed_out(sandbox, monkeypatch):
    monkeypatch.setattr("askless.judge.sandbox.Start", lambda address, file, _: Start(address, file, 1))
    end, outcome, _ = run(sandbox, HEAD + "    while True: pass\n")
    assert (end.how, outcome) == ("timed_out", None)


@ISOLATED
def test_a_run_that_cannot_be_set_up_is_the_labs_fault(sandbox, tmp_path):
    made = Room(str(tmp_path / "gone" / "agent.py"), b"", Shop(), Service(MODEL), 20)
    assert sandbox.run(made).how == "fault"
    assert made.fault == "FileNotFoundError: [Errno 2] mount: No such file or directory"
    assert run(sandbox, HEAD + "    return 'well'\n")[1] == Outcome(text="well")


@pytest.mark.usefixtures("started")
def test_a_full_disk_leaves_a_sandbox_in_memory(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with Sandbox() as made:
        assert said(made, "return 'well'") == "well"


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="there is no other place for a socket")
@pytest.mark.usefixtures("started")
def test_a_folder_for_temporary_files_may_have_any_name(monkeypatch, tmp_path):
    folder = tmp_path / ("long" * 20)
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with Sandbox() as made:
        assert said(made, "return 'well'") == "well"


@pytest.mark.skipif(os.name != "posix", reason="there is no fork")
def test_a_run_that_cannot_fetch_its_job_is_a_fault_in_a_line(started, monkeypatch):
    monkeypatch.setattr("askless.judge.sandbox.token_hex", lambda _: "no/such/room")
    room = Room(__file__, b"", Shop(), Service(MODEL), 20)
    with Sandbox(started) as made:
        assert made.run(room).how == "fault"
    assert room.fault
    assert "Traceback" not in room.fault


def test_a_limit_that_stands_lower_stays():
    pid = os.fork()
    if pid == 0:
        with suppress(BaseException):
            resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))
            limits.keep(limits.of_a_run(1, alone=True))
            os._exit(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 50


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
