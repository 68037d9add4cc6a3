"""askless feedback where what comes back is no review: nothing, nothing that fits, or no message of the API's."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reviewing import FAIR, GOOD, KEY, Reviewer, said

Ask = Callable[..., tuple[int, str, str]]


@pytest.mark.usefixtures("learner")
@pytest.mark.parametrize(
    ("findings", "told"),
    [
        ([], "The reviewer had no finding"),
        ([{**FAIR, "quote": "nobody's"}], "No finding was kept. Dropped: 1 of 1 finding: 1 without"),
    ],
)
def test_no_finding_is_told_apart_from_none_that_held(
    findings: list[Any], told: str, ask_own: Ask, reviewer: Reviewer
) -> None:
    reviewer.says({"findings": findings})
    code, out, _ = ask_own("feedback", "--yes")
    assert (code, told in out, "Dropped: none" in out) == (0, True, False)


@pytest.mark.usefixtures("learner")
@pytest.mark.parametrize("reply", ["no json", [], {"findings": [{**FAIR, "about": "x" * 9000}]}, "[" * 100_000])
def test_a_reply_that_never_fits_is_one_short_line_with_its_cost(reply: Any, ask_own: Ask, reviewer: Reviewer) -> None:
    reviewer.says(reply, reply)
    code, _, err = ask_own("feedback", "--yes", "--budget", "5")
    seen, following = err.splitlines()[-2:]
    assert (code, len(seen) < 300, following.startswith("Next: ")) == (3, True, True)
    assert re.search(r" Asking cost \$0\.\d+\.$", seen)


@pytest.mark.usefixtures("learner")
@pytest.mark.parametrize(
    "answer",
    ["<html>", '{"content": ', "[]", "null", "{}", '{"content": [{"text": 1}]}', "[" * 100_000],
    ids=["page", "cut", "list", "null", "object", "block", "deep"],
)
def test_an_answer_that_is_no_message_is_the_fault_of_the_address(
    answer: str, ask_own: Ask, reviewer: Reviewer
) -> None:
    reviewer.says(answers=answer)
    code, _, err = ask_own("feedback", "--yes")
    assert (code, len(reviewer.heard)) == (2, 1)
    assert "answered 200, and not in the API's form" in err
    assert "ANTHROPIC_BASE_URL" in err.splitlines()[-1]


@pytest.mark.usefixtures("learner")
@pytest.mark.parametrize(
    "usage", [None, {}, {"input_tokens": "many", "output_tokens": 1}, {"input_tokens": -9, "output_tokens": -9}]
)
def test_a_cost_that_nobody_told_is_counted_as_the_most_it_can_be(usage: Any, ask_own: Ask, reviewer: Reviewer) -> None:
    message = {"content": [{"type": "text", "text": said(FAIR)}], "stop_reason": "end_turn", "usage": usage}
    reviewer.says(answers=json.dumps(message))
    code, out, _ = ask_own("feedback", "--yes")
    assert (code, FAIR["says"] in " ".join(out.split())) == (0, True)
    assert re.search(r"It cost \$0\.0[1-9]", out)


@pytest.mark.parametrize("key", [KEY, 'another"s-form-of-key'])
def test_a_key_in_the_text_is_not_sent(
    key: str, ask_own: Ask, reviewer: Reviewer, learner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    (learner / "explain.md").write_text(f"{GOOD}\nexport ANTHROPIC_API_KEY={key}\n")
    _, out, err = ask_own("feedback", "--yes")
    assert reviewer.heard == []
    assert "key" in err
    assert "Next: delete it there" in out + err
    assert key not in out + err
