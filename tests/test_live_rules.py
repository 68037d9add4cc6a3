"""The rules asked of the real API: a service in another process that keeps them, or breaks them."""

import json
from pathlib import Path

import pytest
from living import KEY, Far, Said

from askless import cli, folders
from askless.api import rules
from askless.live import asking
from askless.live.access import Access
from askless.live.asked_rules import asked
from askless.live.carrier import Carrier
from askless.live.purse import Purse

BUSY = [429, "rate_limit_error", "Slow down."]


@pytest.fixture
def ask(far: Far, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    monkeypatch.setattr(folders, "TASKS", tmp_path / "tasks")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    def run(name: str, *words: str, **plan: object) -> Said:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", far.plan(name, **plan))
        return Said(cli.main(["rules", "--live", *words]), *capsys.readouterr())

    return run


def kept(root: Path) -> list[Path]:
    return sorted((root / ".askless" / "rules").glob("*"))


def test_each_rule_that_is_asked_is_a_rule_of_the_table_and_asked_once() -> None:
    ids = [one.rule for one in asked()]
    assert len(ids) == len(set(ids))
    assert set(ids) <= {rule.id for rule in (*rules.RULES, *rules.BEHAVIOURS)}


def test_an_api_that_keeps_the_rules_is_found_to_and_the_dated_result_is_kept(ask, far, tmp_path) -> None:
    said = ask("kept", "--yes")
    assert said.code == 0
    assert "Of 44 rules asked of 127.0.0.1" in said.out
    assert "43 hold, 1 not seen in one try" in said.out  # the scripted model knows nothing of colours
    (path,) = kept(tmp_path)
    document = json.loads(path.read_text())
    assert (document["schema"], document["date"], len(document["rules"])) == (asking.SCHEMA, path.stem, 44)
    assert document["spent_usd"] < 0.01
    assert KEY not in path.read_text() + said.out + said.err
    assert ask("kept", "--yes", "--json").document["rules"] == document["rules"]
    assert [path.stem[10:] for path in kept(tmp_path)] == ["-2", ""]


def test_a_rule_that_no_longer_holds_and_one_in_other_words_are_told(ask) -> None:
    fails = [[400, "invalid_request_error", "max_tokens: is missing"], [422, "invalid_request_error", "no"]]
    said = ask("broken", "--yes", fails=fails)
    assert said.code == 1
    assert "field-required: other words\n  here:  400 invalid_request_error: max_tokens: Field required" in said.out
    assert "field-unknown: changed\n" in said.out
    assert "  there: 422 invalid_request_error: no" in said.out


def test_a_busy_api_is_asked_again(ask, far) -> None:
    assert ask("busy", "--yes", fails=[BUSY, BUSY]).code == 0
    assert len(far.heard("busy")) == 46


@pytest.mark.parametrize(
    ("name", "plan", "line", "code"),
    [
        ("storm", {"fails": [None, None, *[BUSY] * 9]}, "too many requests for this key's limits", 3),
        ("locked", {"key": "another"}, "the key was refused", 2),
        ("down", {"fails": ["drop"]}, "the connection to 127.0.0.1", 3),
        ("portal", {"fails": ["portal"]}, "what answered is not the API", 2),
        ("stranger", {"fails": ["stranger"]}, "what answered is not the API", 2),
        ("hour", {"fails": [[429, "rate_limit_error", "Slow down.", 3600, "for real"]]}, "too many requests", 3),
    ],
)
def test_what_keeps_the_rest_from_being_asked_is_told_and_what_was_asked_is_kept(
    ask, tmp_path, name, plan, line, code
) -> None:
    said = ask(name, "--yes", **plan)
    assert said.code == code
    assert line in said.err
    assert ("Of " in said.out) == (name == "storm")
    assert ("Nobody told what it cost" in said.err) == (name in ("down", "portal"))
    assert [len(json.loads(path.read_text())["rules"]) for path in kept(tmp_path)] == ([2] if name == "storm" else [])


def test_nothing_is_asked_where_nobody_agrees(ask, far) -> None:
    assert ask("nobody").code == 2
    assert far.heard("nobody") == []


def test_the_budget_holds_for_rules_too(far: Far) -> None:
    purse = Purse(0.0005)
    with Carrier(Access(KEY, far.plan("poor", usage=1000)), 10.0) as carrier, pytest.raises(Exception, match="used up"):
        list(asking.ask(carrier, purse))
    assert len(far.heard("poor")) < 44
