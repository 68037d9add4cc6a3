"""`askless practice` as its learner meets it: words, exit codes, wrong usage."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from ladders import load

from askless.cli import main
from askless.judge.process.runs import Launcher
from askless.learn import progressfile

NAME = "t01_fewer_tool_calls"
ROOT = load(NAME).folder.parent.parent
V3 = (ROOT / "worked" / NAME / "v3.py").read_text()
PRACTICE = [sys.executable, "-m", "askless", "practice"]
BIG_KIB = 60 * 1000

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """As a learner's, with a key to keep and a place for temporary files that must be empty in the end."""
    (tmp_path / "tmp").mkdir()
    return {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp"), "ANTHROPIC_API_KEY": "canary-key"}


@pytest.fixture
def practise(ask_own: Ask, started: Launcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run it on that task in this process: exit code, standard output, standard error."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))

    def run(*words: object) -> tuple[int, str, str]:
        done = ask_own("practice", *words)
        assert list((tmp_path / "tmp").iterdir()) == []
        return done

    return run


def test_the_file_as_shipped_misses_and_is_told_what_to_do_next(own_task, practise):
    code, out, _ = practise()
    assert code == 1
    assert out.startswith("MISSED: rung v3")
    assert "Highest rung met: v0" in out
    assert out.rstrip().rpartition("\n")[2].startswith("Next: ")
    kept = progressfile.load(own_task / "learner")
    assert kept.last
    assert (kept.last.verdict, kept.last.highest, kept.last.findings[0]) == ("missed", "v0", "split_results")


def test_the_run_of_the_last_practice_is_a_trace_to_read(practise, ask_own):
    code, out, err = ask_own("trace", "learner")
    assert (code, out) == (2, "")
    assert "Next: askless practice" in err
    assert f"askless trace {NAME} learner" in practise()[1]
    code, out, _ = ask_own("trace", "learner")
    assert code == 0
    assert "4,958" in out
    assert ask_own("diff", "v0", "learner")[0] == 0


def test_a_verdict_tells_its_target_and_the_rung_that_the_agent_equals(own_task, practise):
    assert "On record as shown now: v0, v3." in practise()[2]
    kept = progressfile.load(own_task / "learner")
    assert [kept.rung(f"v{number}").seen for number in range(4)] == [True, False, False, True]
    assert "On record" not in practise()[2]


def test_under_json_the_output_is_the_verdict_alone_whatever_the_agent_prints(own_task, environment):
    agent = own_task / "learner" / "agent.py"
    agent.write_text(f"import os\nprint('loud', dict(os.environ))\nos.write(1, b'louder')\n{V3}")
    done = subprocess.run(
        [*PRACTICE, str(own_task), "--json"], env=environment, capture_output=True, text=True, check=False
    )
    verdict = json.loads(done.stdout)
    assert (done.returncode, done.stderr.partition(" ")[0]) == (0, "On")
    assert list(verdict) == ["schema", "task", "rung", "verdict", "measured", "target", "findings", "scenarios"]
    assert (verdict["schema"], verdict["verdict"]) == ("askless.verdict/1", "reached")
    assert "canary" not in done.stdout + done.stderr
    assert list(Path(environment["TMPDIR"]).iterdir()) == []


def test_another_file_and_another_rung_may_be_named(own_task, practise):
    code, out, _ = practise("--agent", own_task.parent.parent / "worked" / NAME / "v1.py", "--rung", 1)
    assert (code, out.partition(" ")[0]) == (0, "REACHED:")
    assert progressfile.load(own_task / "learner").last is None  # the agent is not the learner's own


def test_a_verdict_stands_where_the_disk_is_full(own_task, environment):
    code = (
        "import resource, sys; from askless.cli import main;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "practice", str(own_task)],
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.partition(":")[0]) == (1, "MISSED")
    assert done.stderr.startswith("The verdict stands, but your progress was not kept: ")


def test_a_record_that_was_damaged_is_set_aside_with_a_word(own_task, practise):
    (own_task / "learner" / ".progress.json").write_text("{")
    assert "was damaged" in practise()[2]
    assert progressfile.load(own_task / "learner").last


@pytest.mark.usefixtures("started")
@pytest.mark.parametrize(
    ("args", "seen"),
    [
        (["no_such_task"], "no_such_task"),
        (["t01", "--rung", "9"], "9"),
        (["t01", "--scenario", "nobody"], "no scenario 'nobody'"),
        *((["t01", option, ""], f"{option} is empty") for option in ("--agent", "--rung", "--scenario", "--junit")),
        (["t01", "--agent="], "--agent is empty"),
        ([""], "is empty"),
        (["t01", "--junit", "."], ". is a folder"),
        (["t01", "--rung", "2", "--scenario", "page"], "rung 2 has no scenarios"),
        (["t01", "--timeout", "soon"], "soon"),
        (["t01", "--timeout", "-1"], "-1"),
        (["t01", "--timeout", "nan"], "nan"),
        (["t01", "--agent", "nowhere.py"], "does not exist"),
        (["t01", "--agent", "folder"], "is a folder"),
        (["t01", "--agent", "link.py"], "link to a file that does not exist"),
        (["t01", "--agent", "/dev/zero"], "is not a file"),
        (["t01", "--agent", "long.py"], "longer than"),
        (["t01", "--no-such-option"], "--no-such-option"),
    ],
)
def test_wrong_usage_is_told_with_one_act_and_exit_code_2(tmp_path, monkeypatch, capsys, args, seen):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.py").symlink_to("nowhere.py")
    (tmp_path / "long.py").write_text("#" * (1 << 21))
    monkeypatch.chdir(tmp_path)
    assert main(["practice", *args]) == 2
    said = capsys.readouterr()
    assert seen in said.err
    assert "\nNext: " in said.err
    assert said.out == ""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_wrong_usage(tmp_path, capsys):
    (tmp_path / "agent.py").write_text(V3)
    (tmp_path / "agent.py").chmod(0)
    assert main(["practice", NAME, "--agent", str(tmp_path / "agent.py")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_the_parent_stays_small_and_loads_no_sdk(own_task, environment):
    code = (
        "import pathlib, sys\nfrom askless.cli import main\n"
        "main(['practice', sys.argv[1], '--json'])\n"
        "status = pathlib.Path('/proc/self/status')\n"
        "peak = status.read_text().partition('VmHWM:')[2].split()[0] if status.exists() else 0\n"
        "print(peak, *sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(own_task)], env=environment, capture_output=True, text=True, check=True
    )
    peak, *modules = done.stdout.splitlines()[-1].split()
    assert not {"anthropic", "httpx2", "pydantic", "matplotlib", "IPython", "ipywidgets", "rich"} & set(modules)
    assert int(peak) < BIG_KIB
