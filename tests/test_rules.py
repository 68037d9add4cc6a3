"""The table of rules, and for each rule a request that breaks it."""

import json
import re
from pathlib import Path

import pytest
from bodies import page_bodies
from faults import Fault
from faults_of_fields import FIELDS, TOOLS
from faults_of_messages import MARKS, SHAPE
from faults_of_turns import TURNS

from askless.api.conversation import Request
from askless.api.rules import BEHAVIOURS, RULES, refusal, refuse

ROOT = Path(__file__).parent.parent
FAULTS = [*FIELDS, *TOOLS, *SHAPE, *MARKS, *TURNS]
SERVICE = {  # what the service sees, not the body: the rule, and what fills in its text
    "key-missing": {},
    "version-missing": {},
    "body-unreadable": {"reason": "line 1"},
    "body-large": {},
    "model-unknown": {"model": "claude-0"},
    "path-unknown": {"path": "/v2"},
    "thread-unsupported": {},
    "thread-lost": {"id": "msg_1"},
    "thread-changed": {},
    "prompt-long": {"tokens": "200251", "most": "200000"},
    "batch-size": {"found": "0", "most": "100,000"},
    "batch-id-form": {},
    "batch-ids-unique": {"id": "a"},
    "batch-stream": {},
    "batch-max-tokens": {},
    "batch-lost": {"id": "msgbatch_1"},
    "batch-running": {"id": "msgbatch_1"},
    "batch-ended": {"id": "msgbatch_1"},
}


def said(fault: Fault) -> tuple[str, str, str]:
    return fault.rule, fault.place, fault.message.replace("@", fault.place)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.rule}-{fault.place}")
def test_a_fault_is_refused_by_its_rule_at_its_place_in_the_apis_words(fault: Fault):
    found = refusal(Request.of(fault.body), **fault.options)
    assert found is not None
    assert (found.rule, found.place, found.message) == said(fault)
    assert (found.status, found.type) == (400, "invalid_request_error")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.rule}-{fault.place}")
def test_every_mend_is_one_act_with_nothing_left_to_fill_in(fault: Fault):
    found = refusal(Request.of(fault.body), **fault.options)
    assert found is not None
    assert found.mend.endswith(".")
    assert not re.search(r"\b(PLACE|EXPECTED|TAGS?|OTHER|OFFERED|ROLE)\b", found.mend)


def test_every_rule_has_a_fault_and_every_fault_a_rule():
    assert {fault.rule for fault in FAULTS} | SERVICE.keys() == {rule.id for rule in RULES}


@pytest.mark.parametrize("rule_id", SERVICE)
def test_the_service_refuses_by_name(rule_id: str):
    found = refuse(rule_id, "here", **SERVICE[rule_id])
    assert found.rule == rule_id
    assert all(value in found.message for value in SERVICE[rule_id].values())
    assert not re.search(r"\b(PLACE|REASON|MODEL|PATH|ID|TOKENS|MOST|FOUND)\b", found.message + found.mend)


def test_the_pages_requests_are_not_refused():
    assert [refusal(Request.of(body), strict_backend=True) for body in page_bodies()] == [None, None, None]


def test_a_refusal_is_the_apis_envelope_with_rule_place_and_mend_in_its_details():
    assert refuse("tools-required", "messages.1.content.0").envelope("req_1") == {
        "type": "error",
        "error": {
            "type": "invalid_request_error",
            "message": "Requests which include `tool_use` or `tool_result` blocks must define tools.",
            "details": {
                "rule": "tools-required",
                "place": "messages.1.content.0",
                "mend": "Send the same tools in every request of the loop; "
                '"tool_choice": {"type": "none"} keeps them unused.',
            },
        },
        "request_id": "req_1",
    }


def test_an_error_code_of_the_api_stands_in_the_details_too():
    details = refuse("thread-unsupported").envelope("req_1")["error"]["details"]
    assert details["error_code"] == "thread_unsupported_request"


def test_the_values_of_a_refusal_are_never_taken_for_words_to_fill_in():
    assert refuse("model-unknown", "model", model="PLACE {place} MODEL").message == "model: PLACE {place} MODEL"


def test_rules_are_told_apart_by_id():
    ids = [rule.id for rule in (*RULES, *BEHAVIOURS)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", id_) for id_ in ids)


def test_a_rule_says_how_it_is_known_and_who_chose_the_words():
    for rule in (*RULES, *BEHAVIOURS):
        assert rule.what.endswith((".", ".)"))
        assert rule.certainty in {"documented", "tried", "reported"}
        assert re.fullmatch(r"20\d\d-\d\d(-\d\d)?", rule.as_of)
    assert {rule.wording for rule in RULES} == {"api", "askless"}


def test_the_scripted_model_has_its_nine_rules_which_refuse_nothing():
    assert len(BEHAVIOURS) == 9
    assert all((rule.status, rule.type, rule.text, rule.mend) == (None,) * 4 for rule in BEHAVIOURS)


TEXTS = [
    path.read_text("utf-8")
    for folder in ("askless", "tasks", "worked")
    for path in (ROOT / folder).rglob("*.*")
    if path.suffix in {".py", ".md", ".json"}
]
CITATIONS = {  # of one or more ids: in code, in a lesson, in data
    r"catalog:\s+([a-z0-9-]+(?:,\s+[a-z0-9-]+)*)",
    r"\[(@[a-z0-9@; -]+)\]",
    r'"sources": \[("[^]]+)\]',
}


def cited() -> set[str]:
    """The ids of sources that something in the repository rests on."""
    groups = [found for text in TEXTS for citation in CITATIONS for found in re.findall(citation, text)]
    named = {name for group in groups for name in re.findall(r"[a-z][a-z0-9-]+", group)}
    return named | {rule.source for rule in (*RULES, *BEHAVIOURS)}


def test_the_catalog_holds_every_source_that_is_cited_and_no_other():
    catalog = json.loads((ROOT / "web" / "resources.json").read_text("utf-8"))
    assert [entry["id"] for entry in catalog] == sorted(cited())


def test_a_source_has_all_that_a_reader_needs():
    for entry in json.loads((ROOT / "web" / "resources.json").read_text("utf-8")):
        assert list(entry) == ["id", "title", "address", "publisher", "kind", "claim", "as_of", "status"]
        assert all(isinstance(value, str) and value.strip() for value in entry.values())
        assert entry["address"].startswith("https://")
