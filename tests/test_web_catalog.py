"""The catalog as its readers see it: its form, who rests on what, and what is not sure."""

import json
import re
from html import unescape
from pathlib import Path

from jsonschema import Draft202012Validator
from ladders import TASKS, load
from webpages import html, pages

from askless import catalog
from askless.api.rules import BEHAVIOURS, RULES
from askless.show import cited

WEB = Path(__file__).parent.parent / "web"
ROWS = json.loads((WEB / "resources.json").read_text("utf-8"))
UNSURE = {"four-chars-superseded": "superseded", "message-threads-cost": "secondary"}


def test_the_catalog_has_the_form_that_its_schema_says() -> None:
    schema = json.loads((WEB / "resources.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(ROWS)] == []
    assert [row["id"] for row in ROWS] == sorted({row["id"] for row in ROWS})


def test_every_source_says_who_cites_it_and_none_is_uncited() -> None:
    uses = cited.uses([load(name) for name in TASKS])
    assert uses.keys() == {row["id"] for row in ROWS}
    built = json.loads(pages()["resources.json"])
    assert [{name: row[name] for name in row if name != "cited_by"} for row in built] == ROWS
    assert all(row["cited_by"] for row in built)


def test_every_rule_cites_a_source_and_stands_on_the_page_of_rules() -> None:
    known = {row["id"] for row in ROWS}
    for rule in (*RULES, *BEHAVIOURS):
        assert rule.source in known
        assert rule.id in html()["rules.html"].ids


def test_a_source_that_is_not_verified_says_so_wherever_it_is_cited() -> None:
    for name, status in UNSURE.items():
        assert catalog.sources()[name].status.startswith(status)
    for path, text in pages().items():
        for source in catalog.sources().values():
            item = re.search(rf'<li id="source-{source.id}".*?</li>', text, re.DOTALL)
            if item and source.status != "verified":
                assert f"({source.status})" in unescape(item[0]), path


def test_a_claim_is_not_copied_from_the_page_that_it_is_about() -> None:
    assert all("quote" not in row for row in ROWS)
    assert all(len(row["claim"].split()) < 50 for row in ROWS)
