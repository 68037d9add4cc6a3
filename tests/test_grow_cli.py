"""askless grow, as a person types it: agents of every end in the sandbox, the bar, and Ctrl-C."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from askless import cli, task
from askless.judge.process.runs import Launcher

WORKED = {rung.name: rung.worked.read_text("utf-8") for rung in task.load("t01").rungs if rung.worked}
COARSE = WORKED["v3"]
HEAD = "\ndef answer(client, desk, question):\n"
ASK = "client.messages.create(model=MODEL, max_tokens=9, messages=[{'role': 'user', 'content': question}])"

AGENTS = {
    "right": COARSE,
    "wrong_at_ten": COARSE.replace("for customer_id in customer_ids}", "for customer_id in customer_ids[:9]}"),
    "raises": COARSE + f"{HEAD}    raise RuntimeError('\x1b[2J no more')\n",
    "loops": COARSE + f"{HEAD}    while True:\n        {ASK}\n",
    "asks_nobody": COARSE + f"{HEAD}    return 'C1: 2 open orders (ord-10 packed, ord-11 shipped)'\n",
}
ENDS = {
    "right": "",
    "wrong_at_ten": "at 10 customers: the answer is wrong",
    "raises": "at 1 customer: RuntimeError: \x1b[2J no more",
    "loops": "at 1 customer: 210 requests were sent and there was no answer",
    "asks_nobody": "at 1 customer: the model never gave an answer",
}

Result = tuple[int, str, str]  # exit code, standard output, standard error


@pytest.fixture
def grow(
    own_task: Path, started: Launcher, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """Run the command at 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words: object) -> Result:
        code = cli.main(["grow", str(own_task), *map(str, words)])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def agents(tmp_path: Path) -> dict[str, Path]:
    """A file for each agent."""
    files = {name: tmp_path / f"{name}.py" for name in AGENTS}
    for name, file in files.items():
        file.write_text(AGENTS[name], "utf-8")
    return files


def test_each_agent_ends_its_own_curve_and_no_other(grow: Callable[..., Result], agents: dict[str, Path]) -> None:
    code, out, said = grow("--to", 10, "--json", "--agent", *agents.values())
    curves = {Path(curve["agent"]).stem: curve for curve in json.loads(out)["curves"]}
    assert list(curves) == [*WORKED, *AGENTS]
    for name, end in ENDS.items():
        assert (curves[name]["end"] or {"what": ""})["what"].startswith(end)
    assert [len(curves[name]["points"]) for name in AGENTS] == [2, 1, 0, 0, 0]
    assert curves["right"]["points"] == curves["v3"]["points"]
    assert code == 1
    assert "v3, 10 customers: 2 round trips\n" in said


def test_a_person_reads_a_table_why_a_curve_stops_and_what_to_do(
    grow: Callable[..., Result], agents: dict[str, Path], tmp_path: Path
) -> None:
    code, out, _ = grow("--to", 1, "--agent", agents["raises"], "--out", tmp_path / "growth.svg")
    assert code == 1
    assert "customers  round trips  tool calls  input tokens  simulated seconds\n" in out
    flat = " ".join(out.split())
    assert "stops here: at 1 customer: RuntimeError: \\x1b[2J no more. Next: mend line" in flat
    assert "an estimate of the shape, not a bill" in flat
    ElementTree.parse(tmp_path / "growth.svg")


def test_without_a_file_the_learners_own_agent_is_grown(grow: Callable[..., Result]) -> None:
    code, out, _ = grow("--to", 2, "--json")
    v0, *_, learner = json.loads(out)["curves"]
    assert code == 0
    assert (learner["agent"], learner["points"]) == ("learner", v0["points"])


@pytest.mark.parametrize("words", [["--to", "0"], ["--to", "many"], ["--agent", "nowhere.py"], ["--to", "1000000"]])
def test_wrong_usage_says_what_comes_next(grow: Callable[..., Result], words: list[str]) -> None:
    code, out, said = grow(*words)
    assert (code, out) == (2, "")
    assert "\nNext: " in said
    assert "Traceback" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_one_line_is_written_over(own_task: Path, agents: dict[str, Path]) -> None:
    terminal, inner = pty.openpty()
    command = [sys.executable, "-m", "askless", "grow", str(own_task), "--to", "1", "--agent", str(agents["right"])]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=inner)
    os.close(inner)
    said = os.read(terminal, 65_536)
    os.close(terminal)
    assert done.returncode == 0
    assert b"[################....] 4 of 5 runs; " in said
    bar, _, _ = said.partition(b"On record as shown")
    assert bar.endswith(b"\r\x1b[K")
    assert b"\n" not in bar


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_ctrl_c_shows_what_is_known_so_far(own_task: Path) -> None:
    command = [sys.executable, "-m", "askless", "grow", str(own_task)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr
        assert run.stdout
        while "100 customers" not in run.stderr.readline():
            pass
        run.send_signal(signal.SIGINT)
        out, said = run.stdout.read(), run.stderr.read()
    assert run.returncode == 130
    assert "\nInterrupted. This is what is known so far.\n" in said
    assert out.count("\nv0 ") == 1
    assert "3,034,082" in out
