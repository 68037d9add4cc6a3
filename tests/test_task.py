"""A folder becomes a task; a damaged one is named, with the line."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from askless import ladder, task
from askless.errors import Problem
from askless.rungs import Measure

NAME = "t01_fewer_tool_calls"
ROOT = Path(__file__).parent.parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A task's folder and its worked rungs under another name."""
    for kind in ("tasks", "worked"):
        shutil.copytree(ROOT / kind / NAME, tmp_path / kind / "t99_copied")
    return tmp_path / "tasks" / "t99_copied"


def damage(folder: Path, old: str, new: str) -> str:
    """rungs.json once a text of it has been replaced."""
    text = (folder / "rungs.json").read_text("utf-8")
    assert old in text
    (folder / "rungs.json").write_text(text.replace(old, new, 1), "utf-8")
    return text.replace(old, new, 1)


def test_a_copied_folder_is_a_task_at_once(copy: Path) -> None:
    copied = task.load(copy)
    assert copied.name == "t99_copied"
    assert [step.trace.totals for step in ladder.table(copied)] == [
        step.trace.totals for step in ladder.table(task.load(NAME))
    ]


@pytest.mark.parametrize("word", ["t01", "t01_fewer", NAME, ROOT / "tasks" / NAME])
def test_the_beginning_of_a_name_is_enough(word: Any) -> None:
    assert task.load(word).folder == ROOT / "tasks" / NAME


@pytest.mark.parametrize("word", ["t99", "", "fewer", "t01_fewer_tool_calls_more"])
def test_an_unknown_task_is_answered_with_the_tasks_there_are(word: str) -> None:
    with pytest.raises(Problem, match=NAME):
        task.load(word)


def test_a_rung_is_named_or_numbered() -> None:
    found = task.load(NAME)
    assert found.rung("v2") == found.rung("2") == found.rung(2) == found.rungs[2]
    with pytest.raises(Problem, match="v0, v1, v2, v3"):
        found.rung("v9")


def test_the_last_rung_has_no_worked_version_and_no_target() -> None:
    last = task.load(NAME).rungs[-1]
    assert (last.number, last.worked, last.measured, last.target) == (4, None, None, None)


def test_a_target_allows_the_worked_numbers_and_half_as_many_tokens_more() -> None:
    assert task.load(NAME).rung("v3").target == {
        "round_trips": 2, "tool_calls": 1, "input_tokens": 579, "answer_right": True,
    }  # fmt: skip


def test_a_target_stays_below_the_rung_before() -> None:
    tokens = Measure("input_tokens", at_most=1.5, below_the_rung_before=True)
    assert tokens.limit(100, None) == 150
    assert tokens.limit(100, 200) == 150
    assert tokens.limit(100, 120) == 119


def test_a_measure_that_is_not_counted_must_be_equal() -> None:
    assert Measure("answer_right", at_most=None, below_the_rung_before=False).limit(False, True) is False


@pytest.mark.parametrize(
    ("old", "new", "near", "said"),
    [
        ('"measures": {', '"measures": {,', '"measures"', ""),
        ('"title"', '"heading"', "{", "no 'title'"),
        ('"rungs": [', '"steps": [', "{", "no 'rungs'"),
        ('"tool_calls": {"at_most"', '"tool_cals": {"at_most"', '"tool_cals"', "tool_cals is no measure"),
        ('{"at_most": 1.0}', '{"at_most": "one"}', '"one"', "'at_most' is not as it should be: 'one'"),
        ('"idea": "list', '"thought": "list', '"v2"', "no 'idea'"),
        ('"input_tokens": 386, ', "", '"v3"', "no 'input_tokens'"),
    ],
)
def test_a_damaged_rungs_json_is_named_with_the_line(copy: Path, old: str, new: str, near: str, said: str) -> None:
    text = damage(copy, old, new)
    line = text[: text.index(near)].count("\n") + 1
    with pytest.raises(Problem) as caught:
        task.load(copy)
    assert f"rungs.json, line {line}: " in caught.value.seen
    assert said in caught.value.seen


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"title": "x", "measures": [], "rungs": []}',
        b"[" * 99_999,
        b'{"title": "x", "measures": {}, "rungs": []}',
    ],
)
def test_a_rungs_json_of_another_shape_is_damaged(copy: Path, content: bytes) -> None:
    (copy / "rungs.json").write_bytes(content)
    with pytest.raises(Problem, match=r"rungs\.json, line 1"):
        task.load(copy)


@pytest.mark.parametrize("file", ["rungs.json", "store.py", "script.py"])
def test_a_missing_file_of_a_task_is_named(copy: Path, file: str) -> None:
    (copy / file).unlink()
    with pytest.raises(Problem, match=file):
        ladder.run(task.load(copy), "v0")


@pytest.mark.parametrize("file", ["store.py", "v1.py"])
def test_a_file_that_is_no_python_is_named_with_the_line(copy: Path, file: str) -> None:
    path = copy / file if file == "store.py" else task.load(copy).rung("v1").worked
    assert path
    path.write_text("first = 1\nsecond = (\n", "utf-8")
    with pytest.raises(Problem, match=rf"{file}, line 2: .*\nNext: mend that line, or restore the file: git checkout"):
        ladder.run(task.load(copy), "v1")


def test_a_file_is_executed_anew_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "store.py"
    for value in (1, 2):
        path.write_text(f"number = {value}\n", "utf-8")
        module = task.execute(path)
        assert module.number == value
    assert list(tmp_path.iterdir()) == [path]
