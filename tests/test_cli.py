"""The command line, as a person types it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from askless import cli, tracefile
from askless.api.conversation import Request
from askless.record import Exchange, Recorder

Result = tuple[int, str, str]  # exit code, standard output, standard error
Ask = Callable[..., Result]


@pytest.fixture
def ask(own_task: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run a command at 80 columns, on a copy of the tasks."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("askless.folders.TASKS", own_task.parent)

    def run(*words: object) -> Result:
        code = cli.main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


def strange_trace(path: Path) -> Path:
    """A file of a run with everything that v1 lacks: a refusal, a lost connection, other blocks, a hostile text."""
    recorder = Recorder()
    body = {
        "model": "m",
        "max_tokens": 1,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "\x1b[2Jhi\u202e"}],
    }
    error = {"type": "invalid_request_error", "message": "no", "details": {"rule": "some-rule", "place": "messages.0"}}
    recorder.record(Exchange(Request.of(body), 400, {"type": "error", "error": error}))
    recorder.record(
        Exchange(Request.of({**body, "messages": [7, {"content": [{"type": "image", "data": "A" * 999}]}]}), 0, {})
    )
    call = {"type": "tool_use", "id": "toolu_0001_x", "name": "x", "input": {}}
    recorder.record(Exchange(Request.of(body), 200, {"content": [call], "stop_reason": "tool_use"}))
    tracefile.write(recorder.trace(), path)
    return path


def test_the_ladder_is_one_table_with_its_note(ask: Ask) -> None:
    code, out, _ = ask("ladder", "t01")
    assert code == 0
    rows = re.findall(r"^ v(\d) .*? +(\d+) +(\d+) +([\d,]+) +(?:([\d,]+) \((\d+) %\) +)?right", out, re.MULTILINE)
    assert [row[:3] for row in rows] == [("0", "8", "10"), ("1", "3", "10"), ("2", "3", "2"), ("3", "2", "1")]
    assert rows[1][4:] == ("3,550", "72")
    assert "an estimate of the shape, not a bill" in out.replace("\n", "")


def test_a_trace_file_can_stand_in_the_table(ask: Ask, tmp_path: Path) -> None:
    ask("trace", "t01", "v1", "--out", tmp_path / "mine.jsonl")
    _, out, _ = ask("ladder", tmp_path / "mine.jsonl")
    assert re.search(r"^ v1 +mine\.jsonl +3 +10 +1,408 +right", out, re.MULTILINE)


def test_a_trace_adds_up_on_the_page(ask: Ask) -> None:
    _, out, _ = ask("trace", "t01", "v1")
    for line in (
        "  user message: 173 characters",
        "  tools offered: 432 characters, first sent by request 1",
        "  173 + 462 + 576 + 688 + 819 + 432 + 83 = 3,233 characters",
        "  3,233 / 4, rounded down: 808 input tokens",
        "  by the request that first sent them: 170 + 260 + 378 tokens",
        "  Reply: stop_reason tool_use, 107 output tokens",
        "    result of toolu_0004_get_orders, is_error: \"'C4' not found\"",
        "Answer (right):",
    ):
        assert f"\n{line}\n" in out


def test_one_request_alone(ask: Ask) -> None:
    _, out, _ = ask("trace", "t01", "v1", "--request", 2)
    assert re.findall(r"^Request (\d)", out, re.MULTILINE) == ["2"]
    assert json.loads(ask("trace", "t01", "v1", "--request", 2, "--json")[1])["chars"] == 1722


def test_json_is_the_whole_document(ask: Ask) -> None:
    document = json.loads(ask("trace", "t01", "v1", "--json")[1])
    assert document["schema"] == "askless.trace/1"
    assert [trip["new_tokens"] for trip in document["round_trips"]] == [[170], [170, 260], [170, 260, 378]]


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_trace_that_was_written_prints_the_same(ask: Ask, tmp_path: Path, options: list[str]) -> None:
    code, out, _ = ask("trace", "t01", "v1", "--out", tmp_path / "run.jsonl", *options)
    assert (code, "3 round trips" in out) == (0, True)
    assert ask("trace", tmp_path / "run.jsonl") == ask("trace", "t01", "v1")


def test_a_difference_names_the_first_part_and_every_sum(ask: Ask) -> None:
    _, out, _ = ask("diff", "v0", "v1")
    assert '+        messages.append({"role": "user", "content": results})' in out
    assert "v0, request 2, messages.2: 174 characters" in out
    assert "v1, request 2, messages.2: 576 characters" in out
    for row in (r"round trips +8 +3 +-5", r"tool calls +10 +10 +$", r"results +8,016 +1,971 +-6,045"):
        assert re.search(row, out, re.MULTILINE)
    assert ask("diff", "t01", "v0", "v1")[1] == out


def test_with_room_the_runs_stand_beside_the_code(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert re.search(r"^--- v0 +The first part that differs", ask("diff", "v0", "v1")[1])


def test_two_trace_files_are_compared_without_code(ask: Ask, tmp_path: Path) -> None:
    for rung in ("v2", "v3"):
        ask("trace", "t01", rung, "--out", tmp_path / f"{rung}.jsonl")
    _, out, _ = ask("diff", tmp_path / "v2.jsonl", tmp_path / "v3.jsonl")
    assert out.startswith("The first part that differs\nv2.jsonl, request 1, tools: ")
    same = ask("diff", tmp_path / "v2.jsonl", "v2")[1]
    assert "both runs sent the same requests" in same


def test_a_run_that_ends_earlier_differs_by_a_request(ask: Ask, tmp_path: Path) -> None:
    strange_trace(tmp_path / "long.jsonl")
    tracefile.write(Recorder().trace(), tmp_path / "none.jsonl")
    assert "none.jsonl, request 1: no such request" in ask("diff", tmp_path / "long.jsonl", tmp_path / "none.jsonl")[1]


def test_failures_and_strange_blocks_are_shown_and_no_text_steers_the_terminal(ask: Ask, tmp_path: Path) -> None:
    code, out, _ = ask("trace", strange_trace(tmp_path / "run.jsonl"))
    assert code == 0
    assert 'Refused: 400 invalid_request_error: "no"' in out
    assert 'rule: "some-rule"' in out
    assert "No reply: the connection broke." in out
    assert "Sent back: nothing." in out
    assert r"\x1b[2Jhi\u202e" in out
    assert "\x1b" not in out
    assert "system prompt: 11 characters" in out


@pytest.mark.parametrize(
    "command", [["ladder"], ["trace", "t01", "v0"], ["trace", "t01", "v2"], ["diff", "v0", "v1"], ["diff", "v2", "v3"]]
)
def test_nothing_is_wider_than_80_columns(ask: Ask, command: list[str]) -> None:
    assert max(map(len, ask(*command)[1].splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "invalid choice"),
        (["ladder", "t99"], "there is no task 't99'"),
        (["trace"], "required"),
        (["trace", "t01", "v9"], "has no rung v9"),
        (["trace", "t01", "v4"], "no worked version"),
        (["trace", "t01", "v1", "v2"], "too many words"),
        (["trace", "t01", "v1", "--request", "4"], "no request 4"),
        (["trace", "t01", "v1", "--request", "two"], "invalid int"),
        (["trace", "t01", "v1", "--request", "1", "--out", "x"], "--out writes the whole run"),
        (["trace", "none.jsonl"], "No such file"),
        (["diff", "v0"], "two runs"),
        (["diff", "t01", "v0", "v1", "v2"], "two runs"),
    ],
)
def test_wrong_usage_says_what_was_seen_and_what_comes_next(ask: Ask, words: list[str], said: str) -> None:
    code, out, err = ask(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert len(re.findall(r"^Next: .", err, re.MULTILINE)) == 1


def test_without_a_command_the_commands_are_listed(ask: Ask) -> None:
    code, out, _ = ask()
    assert code == 0
    assert {"ladder", "trace", "diff"} <= set(out.split())
    assert ask("--help")[1] == out


def test_off_a_terminal_there_are_no_colours(ask: Ask) -> None:
    assert "\x1b" not in "".join(ask(*words)[1] for words in (["ladder"], ["trace", "t01", "v1"], ["diff", "v0", "v1"]))


def test_ctrl_c_ends_it_quietly(monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("askless.ladder.run", interrupted)
    assert ask("trace", "t01", "v1") == (130, "", "")


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    monkeypatch.setitem(sys.modules, "rich.console", None)
    code, _, err = ask("ladder")
    assert (code, err.splitlines()[-2]) == (2, "rich.console is not installed here.")
    assert "Next: make install" in err


def test_help_needs_nothing_heavy() -> None:
    code = "import sys; from askless.cli import main; main(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"anthropic", "rich", "dataclasses", "asyncio", "subprocess", "tempfile"} & set(done.stdout.split())
