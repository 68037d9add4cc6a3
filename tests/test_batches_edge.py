"""What is refused of message batches at once, and what their counts always come to."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_in import HEADERS, MODEL, post, reply_of
from test_batches import asks

from askless.service import Service

REFUSED: list[tuple[Any, str, str]] = [
    ({}, "field-required", "requests"),
    ({"requests": []}, "batch-size", "requests"),
    ({"requests": [{"custom_id": "a"}]}, "field-required", "requests.0.params"),
    ({"requests": asks("a", "b c")}, "batch-id-form", "requests.1.custom_id"),
    ({"requests": asks("a", "b", "a")}, "batch-ids-unique", "requests.2.custom_id"),
    ({"requests": asks("a"), "metadata": {}}, "field-unknown", "metadata"),
    (b"{", "body-unreadable", ""),
]


@pytest.mark.parametrize(("body", "rule", "place"), REFUSED)
def test_a_batch_as_a_whole_is_checked_at_once(body: Any, rule: str, place: str) -> None:
    answer = post(Service(MODEL), body, "/v1/messages/batches")
    details = reply_of(answer)["error"]["details"]
    assert (answer.status, details["rule"], details["place"]) == (400, rule, place)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/messages/batches/msgbatch_0", 404),
        ("GET", "/v1/messages/batches?limit=0", 400),
        ("GET", "/v1/messages/batches?limit=many", 400),
        ("GET", f"/v1/messages/batches?limit={'9' * 5000}", 400),
        ("GET", "/v1/messages/batches?after_id=msgbatch_0", 400),
        ("PUT", "/v1/messages/batches", 404),
        ("POST", "/v1/messages/batches/msgbatch_0/pause", 404),
        ("GET", "/v1/messages/batchesque", 404),
        ("GET", "/v1/messages", 404),
    ],
)
def test_what_nobody_can_ask_for_is_refused_as_the_api_would(method: str, path: str, status: int) -> None:
    service = Service(MODEL)
    answer = service.serve(method, path, HEADERS, b"")
    assert (answer.status, reply_of(answer)["type"]) == (status, "error")
    assert service.serve(method, path, {}, b"").status in (401, 404)


@given(st.lists(st.sampled_from(["ask", "bad", "cancel", "retrieve"]), max_size=8))
def test_counts_always_sum_to_the_whole_and_are_0_until_the_end(steps: list[str]) -> None:
    requests = [
        *asks("first"),
        *({"custom_id": f"{at}", "params": {}} for at, step in enumerate(steps) if step == "bad"),
    ]
    service = Service(MODEL)
    batch = reply_of(post(service, {"requests": requests}, "/v1/messages/batches"))
    path = f"/v1/messages/batches/{batch['id']}"
    for step in steps:
        if step == "cancel":
            service.serve("POST", f"{path}/cancel", HEADERS, b"")
        batch = reply_of(service.serve("GET", path, HEADERS, b"")) if step == "retrieve" else batch
        counts = dict(batch["request_counts"])
        assert sum(counts.values()) == len(requests)
        assert (counts["processing"] == 0) == (batch["processing_status"] == "ended")
        assert counts["processing"] in (0, len(requests))
