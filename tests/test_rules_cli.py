"""The rules command, as a reader sees it."""

import json
from pathlib import Path

import pytest

from askless.api.rules import BEHAVIOURS, RULES
from askless.cli import main

ALL = (*RULES, *BEHAVIOURS)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["rules", *words]) == 0
    return capsys.readouterr().out


def test_the_list_has_every_rule_with_its_status_certainty_and_date(capsys):
    lines = printed(capsys).splitlines()
    for rule in ALL:
        status = f"{rule.status}, " if rule.status else ""
        assert f"{rule.id}  ({status}{rule.certainty} {rule.as_of})" in lines


def test_every_line_of_prose_fits_into_eighty_columns(capsys):
    for rule in ALL:
        for line in printed(capsys, rule.id).splitlines():
            assert len(line) <= 80 or " " not in line.strip()
    assert max(map(len, printed(capsys).splitlines())) <= 80


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.id)
def test_one_rule_has_its_text_mend_and_source(capsys, rule):
    out = " ".join(printed(capsys, rule.id).split())
    for part in (rule.what, rule.text, rule.mend, rule.source, "https://"):
        assert " ".join((part or "").split()) in out


def test_json_is_one_list_of_both_tables_in_their_order(capsys):
    rows = json.loads(printed(capsys, "--json"))
    assert [row["id"] for row in rows] == [rule.id for rule in ALL]
    assert all(row.keys() >= {"what", "status", "type", "text", "mend", "source", "as_of", "certainty"} for row in rows)


def test_json_of_one_rule_is_a_list_of_one(capsys):
    (row,) = json.loads(printed(capsys, "tool-name-form", "--json"))
    assert row["text"] == "PLACE: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"


def test_a_rule_that_does_not_exist_is_wrong_usage(capsys):
    assert main(["rules", "results-splitt"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err == "there is no rule 'results-splitt'.\nNext: askless rules lists them all.\n"


def test_the_table_is_written_as_a_hand_would_keep_it():
    text = (Path(__file__).parent.parent / "askless" / "api" / "rules.json").read_text("utf-8")
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
