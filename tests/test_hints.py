"""Hints one by one, all of them after success, and the learner's file given its first text back."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from shipped import shipped

from askless import task as tasks
from askless.cli import main
from askless.errors import Problem
from askless.learn import glance, hints, progressfile
from askless.learn.prediction import Prediction
from askless.learn.progress import Last, Progress
from askless.learn.restore import restore

NAME = "t01_fewer_tool_calls"
TASK = tasks.load(NAME)
STEPS = hints.read(TASK.folder / "hints.json")


def last(*findings: str, verdict: str = "missed", highest: str | None = None) -> Last:
    return Last("v3", verdict, highest, findings)


def test_the_tasks_hints_have_four_or_more_for_every_rung_and_suspect():
    steps = {step.name: step for step in STEPS}
    assert [step.rung for step in STEPS if step.rung] == ["v1", "v2", "v3", "v4"]
    assert set(steps) == {
        "split_results",
        "one_item_tools",
        "chained_tools",
        "unflagged_errors",
        "vague_descriptions",
        "repeated_calls",
        "failed_requests",
        "unknown_tools",
        "past_the_answer",
        *(scenario.finding for scenario in TASK.scenarios()),
    }
    assert all(len(set(step.hints)) >= hints.FEWEST for step in STEPS)


@pytest.mark.parametrize(
    ("run", "step"),
    [
        (None, "split_results"),
        (last(), "split_results"),
        (last("one_item_tools", "split_results"), "one_item_tools"),
        (last("exception", "failed_requests"), "failed_requests"),
        (last("round_trips", highest="v0"), "split_results"),
        (last("round_trips", highest="v1"), "one_item_tools"),
        (last("round_trips", highest="v2"), "chained_tools"),
        (last("round_trips", highest="v3"), "rung4_answers"),
        (last(highest="no-such-rung"), "split_results"),
    ],
)
def test_the_step_is_the_costliest_finding_else_the_rung_above_the_highest(run, step):
    assert hints.step_for(STEPS, run.findings if run else (), run.highest if run else None).name == step


def test_each_call_gives_one_more_hint_and_the_last_one_stays(own_task, capsys):
    said = []
    for _ in range(5):
        assert main(["hint", str(own_task)]) == 0
        said.append(capsys.readouterr().out)
    assert [line.partition(" (")[0] for line in said] == [f"Hint {number} of 4" for number in (1, 2, 3, 4, 4)]
    assert len(set(said)) == 4
    assert all("\nNext: " in text for text in said)


def test_another_finding_begins_its_own_hints_and_the_first_ones_are_not_forgotten(own_task, capsys):
    for finding in ("split_results", "one_item_tools", "split_results"):
        progressfile.change(own_task / "learner", lambda before, finding=finding: replace(before, last=last(finding)))
        main(["hint", str(own_task)])
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Hint")]
    assert [line.partition(":")[0] for line in said] == [
        "Hint 1 of 4 (split_results)",
        "Hint 1 of 4 (one_item_tools)",
        "Hint 2 of 4 (split_results)",
    ]


def test_a_hint_leaves_all_else_in_the_record_as_it_was(own_task, capsys):
    folder = own_task / "learner"
    predicted = Progress(last("split_results")).commit("v1", Prediction(3, 10, 1408))
    progressfile.change(folder, lambda _: predicted)
    main(["hint", str(own_task)])
    assert progressfile.load(folder) == replace(predicted, hints={"split_results": 1})


@pytest.mark.parametrize("text", ["{", "[]", '{"schema": "askless.progress/1"}', "\x00"])
def test_a_damaged_record_is_set_aside_and_the_first_hint_given(own_task, capsys, text):
    record = own_task / "learner" / ".progress.json"
    record.write_text(text)
    assert main(["hint", str(own_task)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Hint 1 of 4")
    assert "damaged" in said.err
    assert record.with_name(".progress.json.damaged-1").read_text() == text
    assert main(["hint", str(own_task)]) == 0
    assert capsys.readouterr().out.startswith("Hint 2 of 4")


def test_a_glance_sees_what_the_whole_record_holds(own_task):
    folder = own_task / "learner"
    for progress in (Progress(), Progress(last("a", highest="v1"), {"a": 2})):
        progressfile.change(folder, lambda _, progress=progress: replace(progress, hints={**progress.hints, "b": 1}))
        kept, seen = progressfile.load(folder), glance.read(folder)
        assert seen
        assert seen.hints == kept.hints
        assert not kept.last or (seen.verdict, seen.highest, seen.findings) == (
            kept.last.verdict,
            kept.last.highest,
            kept.last.findings,
        )
    assert (glance.FILE, glance.LOCK) == (progressfile.FILE, progressfile.LOCK)


def test_hints_and_reset_load_no_dataclass_and_no_more_than_they_need(own_task):
    main(["hint", str(own_task)])
    code = "import sys\nfrom askless.cli import main\nmain(sys.argv[1:])\nprint(*sys.modules)"
    for command in ("hint", "reset"):
        done = subprocess.run(
            [sys.executable, "-c", code, command, str(own_task)], capture_output=True, text=True, check=True
        )
        loaded = set(done.stdout.splitlines()[-1].split())
        assert not loaded & {"dataclasses", "inspect", "anthropic", "asyncio", "subprocess", "askless.trace"}


def test_after_success_all_hints_and_the_worked_rung_are_shown(own_task, capsys):
    progressfile.change(own_task / "learner", lambda _: Progress(last(verdict="reached", highest="v3")))
    assert main(["hint", str(own_task)]) == 0
    shown = capsys.readouterr().out
    worked = own_task.parent.parent / "worked" / NAME / "v3.py"
    assert all(hint in shown for step in STEPS for hint in step.hints)
    assert str(worked) in shown
    assert worked.read_text() in shown


def test_no_hint_holds_a_line_of_a_worked_rung():
    worked = [rung.worked.read_text() for rung in TASK.rungs if rung.worked]
    code = {line.strip() for text in worked for line in text.splitlines() if len(line.strip()) > 20}
    assert [line for line in code for step in STEPS for hint in step.hints if line in hint] == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"a": {"hints": ["1", "2", "3"]}}', '{"a": {}}', '{"a": []}', b"\xff"], ids=repr
)
def test_damaged_hints_are_a_problem_that_names_the_file(tmp_path, text):
    path = tmp_path / "hints.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(Problem) as problem:
        hints.read(path)
    assert str(path) in problem.value.seen


def test_reset_gives_the_first_text_back_and_keeps_a_dated_copy(own_task, capsys):
    agent = own_task / "learner" / "agent.py"
    first = (own_task.parent.parent / "worked" / NAME / "v0.py").read_bytes()
    for number in (1, 2):
        agent.write_text(f"mine = {number}\n")
        assert main(["reset", str(own_task)]) == 0
        assert agent.read_bytes() == first
    copies = sorted(path for path in agent.parent.glob("agent.*.py"))
    assert [copy.read_text() for copy in copies] == ["mine = 1\n", "mine = 2\n"]
    said = capsys.readouterr().out
    assert all(copy.name in said for copy in copies)
    assert "\nNext: " in said


def test_a_copy_is_never_overwritten_and_named_after_the_day(tmp_path):
    agent, original = tmp_path / "agent.py", tmp_path / "v0.py"
    original.write_text("first\n")
    (tmp_path / "agent.2026-11-29-1.py").write_text("kept\n")
    agent.write_bytes(b"caf\xe9\r\n")
    assert restore(agent, original, "2026-11-29") == tmp_path / "agent.2026-11-29-2.py"
    assert (tmp_path / "agent.2026-11-29-2.py").read_bytes() == b"caf\xe9\r\n"
    assert (tmp_path / "agent.2026-11-29-1.py").read_text() == "kept\n"


def test_a_missing_file_is_restored_without_a_copy(tmp_path):
    (tmp_path / "v0.py").write_text("first\n")
    assert restore(tmp_path / "agent.py", tmp_path / "v0.py", "2026-11-29") is None
    assert (tmp_path / "agent.py").read_text() == "first\n"


def test_a_folder_in_its_place_is_a_problem_and_stays(tmp_path):
    (tmp_path / "v0.py").write_text("first\n")
    (tmp_path / "agent.py").mkdir()
    with pytest.raises(Problem):
        restore(tmp_path / "agent.py", tmp_path / "v0.py", "2026-11-29")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.py", "v0.py"]


def test_the_learners_file_as_shipped_is_the_first_worked_rung():
    assert TASK.rungs[0].worked
    assert shipped(TASK.learner) == TASK.rungs[0].worked.read_bytes()


def test_hints_are_plain_data_that_the_page_can_read():
    assert list(json.loads((TASK.folder / "hints.json").read_text())) == [step.name for step in STEPS]


def test_the_last_hint_promises_no_more(ask_own) -> None:
    said = [ask_own("hint")[1] for _ in range(hints.FEWEST + 1)]
    assert ["says more" in each for each in said] == [True] * (hints.FEWEST - 1) + [False] * 2


@pytest.mark.parametrize(("rung", "said"), [("v4", f"practice {NAME} --rung v4;"), ("v3", f"practice {NAME};")])
def test_a_hint_names_the_rung_that_was_aimed_at(own_task, ask_own, rung, said) -> None:
    seen = Last(rung, "missed", None, ("rung4_desk",))
    progressfile.change(own_task / "learner", lambda _: Progress(seen))
    assert said in ask_own("hint")[1]


def test_a_hint_is_given_where_the_record_cannot_be_written(own_task, ask_own) -> None:
    (own_task / "learner" / glance.LOCK).mkdir()  # not even root can write to it
    code, out, err = ask_own("hint")
    assert (code, out.startswith("Hint 1 of ")) == (0, True)
    assert "gives the same hint" in err
