"""What code finds in a learner's explanation, without a model."""

from pathlib import Path

import pytest
from ladders import load, run
from reviewing import FORM, GOOD

from askless.check.target import Finding
from askless.errors import Problem
from askless.learn.explanation import Explanation, read
from askless.learn.feedback_facts import facts

TASK = load("t01_fewer_tool_calls")


def found(text: str, rung: str | None = "v3") -> list[Finding]:
    return facts(Explanation(text, FORM), TASK, run(TASK.name, rung) if rung else None)


def ids(text: str, rung: str | None = "v3") -> list[str]:
    return [finding.id for finding in found(text, rung)]


def test_an_answer_with_its_numbers_has_nothing_to_mend() -> None:
    assert found(GOOD) == []


def test_the_form_is_the_file_as_it_was_shipped() -> None:
    from shipped import shipped

    assert shipped(TASK.explanation).decode() == FORM


@pytest.mark.parametrize("text", ["", FORM, " \n\n", "\n".join(FORM.splitlines()[:6])])
def test_nothing_of_ones_own_is_one_finding(text: str) -> None:
    assert ids(text) == ["empty"]


@pytest.mark.parametrize("text", ["{}", GOOD + "{}", FORM + "export KEY='{}'", "{}\n" + "a" * 30_000])
def test_a_key_in_the_text_is_told_before_all_else(text: str) -> None:
    assert ids(text.format("sk-ant-canary-0001")) == ["holds_key"]
    assert "holds_key" not in ids(text.format("sk-ant-"))


def test_what_the_form_says_in_brackets_is_to_go() -> None:
    left = [line for line in FORM.splitlines() if line.startswith("(A question")]
    assert left
    [finding] = found(f"{GOOD}\n{left[0]}\n")
    assert (finding.id, "When I would not make this change" in finding.what) == ("placeholder", True)


def test_a_question_without_an_answer_is_named() -> None:
    assert ids(GOOD.partition("With ten thousand")[0]) == ["unanswered"]
    assert ids(GOOD.replace("## When", "## Where")) == ["unanswered"]


def test_a_number_that_is_not_the_last_runs_is_found() -> None:
    assert ids(GOOD, "v2") == ["no_after", "no_after"]
    assert ids(GOOD.replace("386", "390")) == ["no_after", "not_measured"]
    assert ids(GOOD.replace("10 to 1 tool", "12 to 1 tool")) == ["not_measured"]


def test_a_number_before_is_wanted_beside_the_one_after() -> None:
    assert ids(GOOD.replace("4,958 -> 386", "386")) == ["no_before"]


def test_a_cost_that_did_not_move_wants_no_number() -> None:
    """v1 makes as many tool calls as v0."""
    text = GOOD.replace("8 to 2", "8 to 3").replace(" and from 10 to 1 tool calls", "").replace("386", "1,408")
    assert ids(text, "v1") == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Round trips went from 9 to 2, tool calls from 10 to 1.", "9 round trips"),
        ("Tool calls: 10 -> 4.", "4 tool calls"),
        ("From 4,958 down to 400\ninput tokens.", "400 input tokens"),
        ("Tool calls and round trips fell from 10 to 2.", "10 round trips"),
    ],
)
def test_a_pair_of_numbers_is_held_to_the_cost_it_is_about(text: str, wrong: str) -> None:
    found_ = [finding.what for finding in found(GOOD + text) if finding.id == "not_measured"]
    assert [wrong in what for what in found_] == [True]


def test_a_pair_the_wrong_way_round_is_found_unless_it_is_told_the_right_way_too() -> None:
    assert ids(GOOD.replace("8 to 2 round trips", "2 to 8 round trips")) == ["swapped"]
    assert ids(GOOD + "To undo it leads from 2 to 8 round trips.") == []


def test_a_rung_that_does_not_exist_is_named_once() -> None:
    [finding] = found(GOOD + "v7 and v7 and V3 and version 7 and 3v and C1.")
    assert (finding.id, finding.what) == ("unknown_rung", "there is no rung v7")


def test_without_a_run_the_numbers_are_held_to_nothing() -> None:
    assert ids(GOOD.replace("386", "1"), None) == ["not_run"]


def test_another_language_is_read_for_its_numbers_alone() -> None:
    french = "Un seul outil : 8 puis 2 allers-retours, 10 puis 1 appels, 4\u202f958 puis 386 jetons."
    assert ids(french) == ["unanswered"] * 3
    assert ids(french.replace("386", "\uff13\uff18\uff16")) == ["unanswered"] * 3
    assert ids(french.replace("4\u202f958", "4.958")) == ["unanswered"] * 3
    assert ids(french.replace("386", "90")) == ["unanswered"] * 3 + ["no_after"]


@pytest.mark.parametrize("piece", ["from 1 to 2 round trips ", "v9", "1 to 2 ", "a\n## What I changed\n", "'1,"])
def test_a_text_that_is_too_long_is_looked_into_no_further(piece: str) -> None:
    assert ids(piece * (100_000 // len(piece))) == ["too_long"]
    assert len(ids(piece * (20_000 // len(piece)))) <= 20


def test_a_file_with_a_mark_of_its_order_and_other_line_ends_is_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "explain.md"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read(path, TASK.form) == Explanation(GOOD, FORM)


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (b"fine\n\xff\xfe", "line 2: this is not text in UTF-8"),
        (b"a" * (1 << 20) + b"a", "is longer than 1,048,576 bytes"),
        (None, "No such file"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_the_next_act(data: bytes | None, seen: str, tmp_path: Path) -> None:
    path = tmp_path / "explain.md"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(Problem, match=seen):
        read(path, TASK.form)
