"""askless feedback as a learner meets it, with a reviewer in a process of its own in the place of the real API."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reviewing import FAIR, GOOD, KEY, Reviewer, said

Ask = Callable[..., tuple[int, str, str]]
FAILURES = [
    ({"status": 401}, "the key was refused", 2),
    ({"status": 403}, "the key may not do this", 2),
    ({"status": 429, "retry_after_s": 7}, "wait 7 seconds", 3),
    ({"status": 529}, "the API is overloaded", 3),
    ({"status": 500}, "the API failed", 3),
]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.usefixtures("learner")
def test_without_a_key_code_checks_what_it_can_and_says_so(ask_own: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    code, out, err = ask_own("feedback")
    assert code == 0
    assert "what code can check is there and right." in " ".join(out.split())
    assert "ANTHROPIC_API_KEY is not set" in err
    assert "\nNext: " in err


@pytest.mark.usefixtures("learner")
def test_offline_sends_nothing_whatever_the_environment_holds(ask_own: Ask, reviewer: Reviewer) -> None:
    code, _, err = ask_own("feedback", "--offline")
    assert (code, err, reviewer.heard) == (0, "", [])


@pytest.mark.usefixtures("learner")
def test_a_review_shows_what_holds_with_its_source_and_counts_what_was_dropped(
    ask_own: Ask, reviewer: Reviewer
) -> None:
    reviewer.says(
        json.loads(said(FAIR | {"says": "Right: \x1b[m one request asks for all."}, {**FAIR, "quote": "nobody's"}))
    )
    code, out, err = ask_own("feedback", "--yes")
    assert code == 0
    assert "an opinion. It moves no verdict." in out
    assert "  “One call waits for nothing”\n    Right: \\x1b[m one request asks for all.\n" in out
    assert "[parallel-split-results]" in out
    assert "Dropped: 1 of 2 findings: 1 without a literal quote of your own words." in out
    assert "claude-sonnet-5 at 127.0.0.1:" in err
    assert KEY not in out + err


@pytest.mark.usefixtures("learner")
def test_as_json_it_is_one_document_and_nothing_else(ask_own: Ask, reviewer: Reviewer) -> None:
    reviewer.says("not that", json.loads(said(FAIR)))
    code, out, _ = ask_own("feedback", "--yes", "--json")
    document = json.loads(out)
    assert (code, document["schema"], document["facts"]) == (0, "askless.feedback/1", [])
    assert document["review"]["findings"] == [FAIR]
    assert (document["review"]["dropped"], document["review"]["requests"]) == ({}, 2)
    assert 0 < document["review"]["cost_usd"] < 0.25
    assert "it is no JSON" in reviewer.heard[1]["messages"][-1]["content"]


def test_a_review_moves_no_verdict_and_writes_nothing(ask_own: Ask, reviewer: Reviewer, learner: Path) -> None:
    reviewer.says(*[{"findings": [], "verdict": "reached", "progress": {"highest": "v4"}}] * 2)
    before = files(learner)
    code, _, err = ask_own("feedback", "--yes")
    assert (code, "does not fit the schema" in err) == (3, True)
    assert files(learner) == before


@pytest.mark.usefixtures("learner")
def test_nothing_is_sent_where_nobody_agrees(ask_own: Ask, reviewer: Reviewer) -> None:
    code, _, err = ask_own("feedback")
    assert (code, reviewer.heard) == (2, [])
    assert "nobody is here to agree" in err


@pytest.mark.parametrize(
    ("text", "told"),
    [(b"", "nothing of your own"), (GOOD.encode() * 200, "holds"), (b"\xff", "UTF-8")],
    ids=["empty", "100 kB", "no text"],
)
def test_what_is_not_worth_a_review_costs_nothing(
    text: bytes, told: str, ask_own: Ask, reviewer: Reviewer, learner: Path
) -> None:
    (learner / "explain.md").write_bytes(text)
    code, out, err = ask_own("feedback", "--yes")
    assert code == (2 if told == "UTF-8" else 0)
    assert told in err
    assert "Next: " in out + err
    assert reviewer.heard == []


@pytest.mark.parametrize(("fault", "told", "exit_code"), FAILURES)
def test_a_failure_of_the_api_is_one_line_and_one_act_after_what_code_found(
    fault: dict[str, Any], told: str, exit_code: int, ask_own: Ask, reviewer: Reviewer, learner: Path
) -> None:
    reviewer.says(faults=[{"request": 1, "kind": "status", **fault}])
    code, out, err = ask_own("feedback", "--yes")
    assert (code, len(reviewer.heard)) == (exit_code, 1)
    assert "check is there and right." in out
    assert told in err
    assert err.splitlines()[-1].startswith("Next: ")
    assert KEY.encode() not in b"".join([out.encode(), err.encode(), *files(learner).values()])


@pytest.mark.usefixtures("learner")
def test_a_reviewer_that_is_retired_is_the_labs_to_replace(ask_own: Ask, reviewer: Reviewer) -> None:
    reviewer.says(gone=True)
    code, _, err = ask_own("feedback", "--yes")
    assert (code, "this model is not offered" in err) == (3, True)
    assert err.splitlines()[-1] == "Next: make update, then this again; or use --offline."


@pytest.mark.usefixtures("learner", "reviewer")
def test_where_nobody_answers_it_is_one_line_and_one_act(ask_own: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    code, _, err = ask_own("feedback", "--yes")
    assert (code, "127.0.0.1:1 cannot be reached" in err) == (3, True)
    assert err.splitlines()[-1].startswith("Next: ")


@pytest.mark.usefixtures("learner")
def test_a_request_that_could_go_over_the_budget_is_not_sent(ask_own: Ask, reviewer: Reviewer) -> None:
    reviewer.says("not that", json.loads(said(FAIR)))
    code, _, err = ask_own("feedback", "--yes", "--budget", "0.001")
    assert (code, reviewer.heard) == (2, [])
    most = float(err.partition("the next request may cost up to $")[2].partition(",")[0])
    code, _, err = ask_own("feedback", "--yes", "--budget", most + 0.001)
    assert (code, len(reviewer.heard)) == (2, 1)
    assert re.search(r"it was not sent\. Asking cost \$0\.\d+\.\nNext: ", err)


@pytest.mark.parametrize("budget", ["0", "-1", "nan", "inf", "much"])
def test_a_budget_is_a_number_of_dollars(budget: str, ask_own: Ask) -> None:
    code, _, err = ask_own("feedback", f"--budget={budget}")
    assert (code, err.splitlines()[-1]) == (2, "Next: name one: 0.25")
