"""A list tool may report a missing customer in any form; one that it left without orders is no missing one."""

import json
from typing import Any

import pytest
from order_desk import ANSWER, ORDERS, STATUS, Tool, many, run

ROWS = {c: [{"id": order, "status": STATUS[order]} for order in ORDERS[c]] for c in ORDERS}
NO_DATA: list[Any] = [
    None,
    False,
    "n/a",
    "N/A",
    "null",
    "not found",
    {"error": True},
    {"found": False},
    {"missing": True},
]
ENTRIES: list[dict[str, Any]] = [{"customer": c, "orders": ROWS[c]} for c in ROWS]
SENTENCES = [". ".join(f"{c} has {', '.join(f'{o} ({STATUS[o]})' for o in ORDERS[c])}" for c in ORDERS) + ". "]


def answer(result: Any) -> str | None:
    said = result if isinstance(result, str) else json.dumps(result)
    return run(
        [Tool("overview", "Open orders and their status.", many("customer_ids"), lambda customer_ids: said)]
    ).answer


@pytest.mark.parametrize("no_data", NO_DATA, ids=str)
def test_a_word_in_place_of_data_reports_a_missing_customer(no_data: Any) -> None:
    assert answer({**ROWS, "C4": no_data}) == ANSWER


@pytest.mark.parametrize("no_data", NO_DATA[:6], ids=str)
def test_a_pair_may_report_a_missing_customer(no_data: Any) -> None:
    assert answer([*ROWS.items(), ("C4", no_data)]) == ANSWER
    assert answer([*ENTRIES, {"customer": "C4", "orders": no_data}]) == ANSWER


@pytest.mark.parametrize("flag", ["error", "missing", "not_found", "unknown"])
def test_a_flag_may_report_a_missing_customer(flag: str) -> None:
    assert answer([*ENTRIES, {"customer": "C4", flag: True}]) == ANSWER
    without = ANSWER.replace("could not be found", "0 open orders")
    assert answer([*ENTRIES, {"customer": "C4", "orders": [], flag: False}]) == without


@pytest.mark.parametrize("report", ["There is no customer C4.", "C4 not found.", "C4 does not exist!", "C4: unknown;"])
def test_a_missing_customer_may_be_reported_in_the_same_line_as_others(report: str) -> None:
    assert answer(SENTENCES[0] + report) == ANSWER
    assert answer(f"{report} {SENTENCES[0]}") == ANSWER


FAILURES = [
    "could not be looked up: the order system did not answer",
    "temporarily unavailable",
    "lookup failed, the order system is down",
    "error",
    "timed out",
]


@pytest.mark.parametrize("words", FAILURES)
def test_words_of_a_failure_in_place_of_data_are_told_as_one(words: str) -> None:
    told = ANSWER.replace("could not be found", f"could not be looked up ({words})")
    assert answer({**ROWS, "C4": words}) == told
    assert answer([*ROWS.items(), ("C4", words)]) == told
    assert answer([*ENTRIES, {"customer": "C4", "orders": words}]) == told
    assert answer(f"{SENTENCES[0]}\nC4: {words}") == told.replace(f"({words})", f"(C4: {words})")


@pytest.mark.parametrize("words", ["delivery failed", "unavailable", "error"])
def test_words_of_a_failure_may_be_a_status(words: str) -> None:
    changed = {**ROWS, "C4": [], "C2": [{"id": "ord-201", "status": words}]}
    assert f"ord-201 {words}" in str(answer(changed))
    assert f"ord-201 {words}" in str(answer({**changed, "C2": {"ord-201": words}}))


@pytest.mark.parametrize("no_status", [None, "", {"error": "no status"}])
def test_a_status_that_is_not_told_is_unknown_and_no_fault_of_the_tools(no_status: Any) -> None:
    told = answer({**ROWS, "C4": None, "C2": {"ord-201": no_status}})
    assert told == ANSWER.replace("ord-201 shipped", "ord-201 status unknown")
