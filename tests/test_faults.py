"""Plans of faults: what can be planned, what cannot, and how a plan reads."""

from typing import Any, get_args

import pytest
from anthropic.types import RefusalStopDetails
from hypothesis import given
from hypothesis import strategies as st

from askless.api.faults import STATUSES, Category, Fault, Kind, Plan

ALWAYS: dict[str, Any] = {
    "request": st.integers(-1, 5),
    "kind": st.sampled_from([*get_args(Kind), "end_turn", "stop_sequence"]),
}
SOMETIMES: dict[str, Any] = {
    "delay_s": st.sampled_from([0.0, 0.5, 600.0, 601.0, -1.0, float("nan")]),
    "status": st.sampled_from([None, 200, 400, 401, 404, 413, 418, 429, 500, 504, 529]),
    "retry_after_s": st.sampled_from([None, 0, 1, 60]),
    "after_events": st.sampled_from([None, 0, 1, 7]),
    "category": st.sampled_from([None, "bio", "weather"]),
    "after_output": st.booleans(),
}


def planned(fields: dict[str, Any]) -> Fault | None:
    try:
        return Fault(**fields)
    except ValueError:
        return None


@given(st.fixed_dictionaries(ALWAYS, optional=SOMETIMES))
def test_a_fault_that_can_be_made_is_one_that_the_api_can_give(fields: dict[str, Any]) -> None:
    fault = planned(fields)
    if fault is None:
        return
    assert fault.request >= 1
    assert 0 <= fault.delay_s <= 600
    assert (fault.status is not None) == (fault.kind == "status")
    assert fault.status is None or fault.status in STATUSES
    assert fault.retry_after_s is None or (fault.status == 429 and fault.retry_after_s >= 1)
    assert (fault.after_events is not None) == (fault.kind == "cut_stream")
    assert fault.category is None or fault.kind == "refusal"
    assert fault.kind == "refusal" or not fault.after_output
    assert fault.kind in get_args(Kind)


EACH: list[dict[str, Any]] = [
    {"kind": "slow", "delay_s": 2.5},
    {"kind": "status", "status": 429, "retry_after_s": 2},
    *({"kind": "status", "status": status} for status in STATUSES),
    {"kind": "drop"},
    {"kind": "cut_stream", "after_events": 3},
    {"kind": "refusal"},
    *({"kind": "refusal", "category": category, "after_output": True} for category in get_args(Category)),
    {"kind": "max_tokens"},
    {"kind": "context_window"},
    {"kind": "pause_turn"},
    {"kind": "unknown_tool"},
    {"kind": "bad_input"},
]


@pytest.mark.parametrize("fields", EACH, ids=str)
def test_what_the_api_can_give_can_be_planned(fields: dict[str, Any]) -> None:
    assert Fault(1, **fields).request == 1


def test_every_kind_is_planned_above() -> None:
    assert {fields["kind"] for fields in EACH} == set(get_args(Kind))


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"request": 0, "kind": "drop"}, "requests are counted from 1"),
    ({"kind": "stop"}, "its kind is 'stop', not one of slow, status"),
    ({"kind": "slow"}, "slow without a delay"),
    ({"kind": "drop", "delay_s": 601}, "a client waits from 0 to 600 s"),
    ({"kind": "status"}, "a status of None"),
    ({"kind": "status", "status": 400}, "those that come whatever was sent are 401"),
    ({"kind": "status", "status": 529, "retry_after_s": 1}, "only 429 says when to come back"),
    ({"kind": "drop", "status": 500}, "drop takes no status"),
    ({"kind": "cut_stream"}, "a stream is cut after 1 event or more"),
    ({"kind": "pause_turn", "after_output": True}, "pause_turn takes no after_output"),
    ({"kind": "refusal", "category": "weather"}, "a refusal's category of 'weather'"),
]


@pytest.mark.parametrize(("fields", "why"), IMPOSSIBLE)
def test_what_the_api_cannot_give_cannot_be_planned(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match="that the API cannot give") as caught:
        Fault(**{"request": 1, **fields})
    assert why in str(caught.value)


def test_a_request_has_one_outcome() -> None:
    with pytest.raises(ValueError, match="two faults at one request"):
        Plan((Fault(2, "drop"), Fault(2, "max_tokens")))


def test_a_plan_reads_as_one_line_in_the_order_of_the_requests() -> None:
    plan = Plan(
        (
            Fault(5, "refusal", category="bio", after_output=True, delay_s=3),
            Fault(1, "status", status=429, retry_after_s=2),
            Fault(2, "cut_stream", after_events=4),
            Fault(3, "drop"),
        )
    )
    assert str(plan) == (
        "request 1: 429 rate_limit_error, try again after 2 s; request 2: the stream is cut after 4 events; "
        "request 3: the connection breaks; request 5: a refusal (bio) in the middle of the output, 3 s late"
    )
    assert str(Plan()) == "no faults"
    assert plan.at(3) == Fault(3, "drop")
    assert plan.at(4) is None


@pytest.mark.parametrize("fields", EACH, ids=str)
def test_every_fault_has_its_words(fields: dict[str, Any]) -> None:
    assert str(Fault(7, **fields)).startswith("request 7: ")


def test_an_envelope_is_the_apis() -> None:
    assert Fault(1, "status", status=529).envelope("req_1") == {
        "type": "error",
        "error": {"type": "overloaded_error", "message": "Overloaded"},
        "request_id": "req_1",
    }


def test_categories_are_the_sdks() -> None:
    declared = get_args(get_args(RefusalStopDetails.model_fields["category"].annotation)[0])
    assert set(get_args(Category)) == set(declared)
