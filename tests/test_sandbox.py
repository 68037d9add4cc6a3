"""What a run sees and may use: as this machine has it, as for a plain user, and where namespaces are refused."""

import os
import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sandboxed import EVERYWHERE, ISOLATED, opened, said
from shop import HEAD, Shop, run
from stand_in import MODEL

from askless.judge.process import limits
from askless.judge.process.runs import Start
from askless.judge.room import Outcome, Room
from askless.judge.sandbox import Sandbox
from askless.service import Service


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    yield from opened(request)


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


@EVERYWHERE
def test_a_run_may_have_many_threads(sandbox):
    lines = """
import threading, time
threads = [threading.Thread(target=time.sleep, args=(0.2,)) for _ in range(40)]
for thread in threads:
    thread.start()
return str(threading.active_count())
"""
    assert int(said(sandbox, lines) or "0") >= 40
