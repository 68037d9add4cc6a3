"""askless replay as its user meets it: a recording made once, and an agent that is changed afterwards."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ladders import load, run

from askless import cli, tracefile
from askless.judge.played import Played, play
from askless.judge.process.runs import Launcher
from askless.judge.sandbox import Sandbox
from askless.show.played import lines
from askless.trace import Trace

Ask = Callable[..., tuple[int, str, str]]
TASK = load("t01_fewer_tool_calls")
RECORDED = run(TASK.name, "v1")


@pytest.fixture
def ask(started: Launcher, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: object) -> tuple[int, str, str]:
        code = cli.main(["replay", *map(str, words)])
        return code, *capsys.readouterr()

    return run


def played(sandbox: Sandbox, folder: Path, source: str, recorded: Trace = RECORDED) -> tuple[Played, list[str]]:
    """v1's recording played back to an agent, and what is said of it."""
    path = folder / "agent.py"
    path.write_text(source, "utf-8")
    of = play(sandbox, TASK, recorded, path)
    return of, [line.text for line in lines(of, "v1.jsonl", "agent.py")]


def source(rung: str) -> str:
    return (TASK.rung(rung).worked or Path()).read_text("utf-8")


def test_a_recording_is_played_back_to_its_own_rung_else_to_the_agent_named(ask: Ask, tmp_path: Path) -> None:
    recording = tmp_path / "v1.jsonl"
    tracefile.write(RECORDED, recording)
    code, out, _ = ask(recording)
    told = f"{recording}, played back to worked/{TASK.name}/v1.py: 3 of 3 requests as recorded, and the same answer.\n"
    assert (code, out) == (0, told)
    code, out, _ = ask(recording, "v2")
    assert code == 1
    assert "The first difference is in request 1: tools, character 52\n" in out
    assert out.splitlines()[-1].startswith("Next: ")


def test_another_agent_is_told_where_it_first_sends_something_else(sandbox: Sandbox, tmp_path: Path) -> None:
    of, said = played(sandbox, tmp_path, source("v0"))
    assert not of.same
    assert of.trace.model == "replay"
    assert [trip.status for trip in of.trace.round_trips] == [200, 400]
    assert said[:2] == [
        "v1.jsonl, played back to agent.py: 1 of 3 requests as recorded.",
        "The first difference is in request 2: messages.2, character 172",
    ]


def test_an_agent_that_only_answers_something_else_is_found(sandbox: Sandbox, tmp_path: Path) -> None:
    of, said = played(sandbox, tmp_path, source("v1").replace('return "".join', 'return "Hm. " + "".join'))
    assert not of.same
    assert "The answer is another one:" in said
    assert any(line.startswith('returned  "Hm. C1') for line in said)


def test_an_agent_that_sends_the_same_and_loses_the_answer_is_no_success(sandbox: Sandbox, tmp_path: Path) -> None:
    of, said = played(sandbox, tmp_path, source("v1") + "\nonce = answer\ndef answer(*given): once(*given); 1 / 0\n")
    assert (of.same, of.parted, of.unplayed) == (False, None, 0)
    assert "3 of 3 requests as recorded." in said[0]
    assert "ZeroDivisionError" in "".join(said)
    assert said[-1].startswith("Next: mend line ")


def test_an_agent_that_stops_early_is_found(sandbox: Sandbox, tmp_path: Path) -> None:
    of, said = played(sandbox, tmp_path, "def answer(client, desk, question):\n    return ''\n")
    assert (of.same, of.unplayed) == (False, 3)
    assert said[0] == "v1.jsonl, played back to agent.py: 0 of 3 requests as recorded."


def test_a_recording_of_another_question_is_not_as_recorded(sandbox: Sandbox, tmp_path: Path) -> None:
    of, said = played(
        sandbox, tmp_path, source("v1"), replace(RECORDED, question=RECORDED.question.replace("C3", "C9"))
    )
    assert (of.same, of.parted, said[1]) == (False, None, "The question is another one:")
    assert "C9" in said[2]
    assert "C3" in said[3]


@pytest.mark.parametrize("status", [200, 401])
def test_a_recorded_run_that_broke_off_is_told_as_that_and_not_as_the_agents_change(
    status: int, sandbox: Sandbox, tmp_path: Path
) -> None:
    first, second = RECORDED.round_trips[:2]
    failed = {"type": "error", "error": {"type": "authentication_error", "message": "no"}}
    last = second if status == 200 else replace(second, status=status, reply=failed)
    cut = replace(RECORDED, round_trips=(first, last), answer=None)
    of, said = played(sandbox, tmp_path, source("v1"), cut)
    assert not of.same
    assert (
        said[1] == f"The recorded run itself broke off after request 2, answered with {status}: it came to no answer."
    )
    assert said[2].startswith("Next: record a run that comes to its answer")
    assert len(said) == 3


@pytest.mark.parametrize("usage", ['{"input_tokens": NaN}', '{"output_tokens": Infinity}', '{"input_tokens": "many"}'])
def test_a_recording_whose_usage_is_no_number_is_damaged(usage: str, ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "v1.jsonl"
    tracefile.write(RECORDED, path)
    told = json.dumps(RECORDED.round_trips[0].reply["usage"])
    path.write_text(path.read_text("utf-8").replace(told, usage, 1), "utf-8")
    code, _, err = ask(path)
    assert (code, "its header says 323 output_tokens" in err) == (2, True)


@pytest.mark.parametrize("words", [["nothing.jsonl"], ["{recording}", "v9"], ["{recording}", "nothing.py"]])
def test_what_cannot_be_played_is_wrong_usage(words: list[str], ask: Ask, tmp_path: Path) -> None:
    tracefile.write(RECORDED, tmp_path / "v1.jsonl")
    code, out, err = ask(*(word.format(recording=tmp_path / "v1.jsonl") for word in words))
    assert (code, out) == (2, "")
    assert "\nNext: " in err
