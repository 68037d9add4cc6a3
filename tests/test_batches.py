"""Message batches through the real SDK: late checks, results in an order of their own, half the price."""

import asyncio
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest
from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse
from stand_in import HEADERS, MODEL, first_body, post, reply_of

from askless.api.latency import BATCH_S
from askless.api.prices import cost_usd
from askless.batches import POLLS
from askless.check.waiting import waits
from askless.client import connect, connect_async
from askless.record import Recorder
from askless.service import Service

MANY = [f"ask-{number}" for number in range(20)]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def client(recorder: Recorder) -> Iterator[anthropic.Anthropic]:
    with connect(Service(MODEL), recorder) as connected:
        yield connected


def asks(*ids: str, **fields: Any) -> Any:
    """A request for each id, each with a question of its own."""
    return [
        {"custom_id": id_, "params": first_body(messages=[{"role": "user", "content": id_}], **fields)} for id_ in ids
    ]


def ended(client: anthropic.Anthropic, id_: str) -> Any:
    """A batch that has been retrieved until its end."""
    for _ in range(POLLS - 1):
        assert client.messages.batches.retrieve(id_).processing_status == "in_progress"
    return client.messages.batches.retrieve(id_)


def test_a_batch_ends_when_it_was_asked_for_often_enough(client: anthropic.Anthropic) -> None:
    made = client.messages.batches.create(requests=asks(*MANY))
    assert made.processing_status == "in_progress"
    assert made.request_counts.to_dict() == {**dict.fromkeys(OUTCOMES, 0), "processing": 20}
    assert (made.ended_at, made.results_url) == (None, None)
    assert (made.expires_at - made.created_at).total_seconds() == 24 * 3600
    done = ended(client, made.id)
    assert done.processing_status == "ended"
    assert done.request_counts.to_dict() == {**dict.fromkeys(OUTCOMES, 0), "succeeded": 20}
    assert (done.ended_at - done.created_at).total_seconds() == BATCH_S
    assert client.messages.batches.retrieve(made.id) == done


OUTCOMES = ("processing", "succeeded", "errored", "canceled", "expired")


def test_results_come_in_an_order_of_their_own_that_is_always_the_same(client: anthropic.Anthropic) -> None:
    orders = []
    for _ in range(2):
        made = client.messages.batches.create(requests=asks(*MANY))
        ended(client, made.id)
        ids = [line.custom_id for line in client.messages.batches.results(made.id)]
        assert ids == [line.custom_id for line in client.messages.batches.results(made.id)]
        assert sorted(ids) == sorted(MANY)
        orders.append(ids)
    assert MANY not in orders
    assert orders[0] != orders[1]
    with connect(Service(MODEL)) as other:
        made = other.messages.batches.create(requests=asks(*MANY))
        ended(other, made.id)
        assert [line.custom_id for line in other.messages.batches.results(made.id)] == orders[0]


def test_each_result_is_the_message_that_the_request_alone_would_get(client: anthropic.Anthropic) -> None:
    made = client.messages.batches.create(requests=asks("a", "b"))
    ended(client, made.id)
    for line in client.messages.batches.results(made.id):
        assert line.result.type == "succeeded"
        alone = client.messages.create(**asks(line.custom_id)[0]["params"])
        assert line.result.message.usage.service_tier == "batch"
        assert line.result.message.to_dict() == {
            **alone.to_dict(),
            "usage": {**alone.usage.to_dict(), "service_tier": "batch"},
        }


def test_a_request_is_checked_late_and_its_error_is_a_result(client: anthropic.Anthropic, recorder: Recorder) -> None:
    bad = [
        {"custom_id": "empty", "params": {}},
        *asks("streamed", stream=True),
        *asks("warm", max_tokens=0),
        *asks("model", model="claude-0"),
    ]
    made = client.messages.batches.create(requests=[*bad, *asks("good")])
    assert ended(client, made.id).request_counts.errored == 4
    found = {line.custom_id: line.result for line in client.messages.batches.results(made.id)}
    assert found.pop("good").type == "succeeded"
    errors = {id_: getattr(result, "error", None) for id_, result in found.items()}
    assert {id_: error.error.type for id_, error in errors.items() if error} == {
        "empty": "invalid_request_error",
        "streamed": "invalid_request_error",
        "warm": "invalid_request_error",
        "model": "not_found_error",
    }
    assert [trip.status for trip in recorder.trace().round_trips] == [400, 400, 400, 404, 200]


def test_a_batch_is_recorded_once_when_it_is_found_to_have_ended(
    client: anthropic.Anthropic, recorder: Recorder
) -> None:
    made = client.messages.batches.create(requests=asks("a", "b"))
    client.messages.batches.retrieve(made.id)
    assert len(recorder) == 0
    for _ in range(3):
        client.messages.batches.retrieve(made.id)
        list(client.messages.batches.results(made.id))
    trips = recorder.trace().round_trips
    assert [(trip.n, trip.attempt, trip.batch) for trip in trips] == [(1, 1, made.id), (2, 1, made.id)]
    assert recorder.trace().totals.tool_calls == 4
    assert (waits(recorder.trace()).batches_s, waits(recorder.trace()).requests_s) == (BATCH_S, 0)
    for trip in trips:
        alone = {**trip.usage, "service_tier": "standard"}
        assert cost_usd("claude-sonnet-5", trip.usage) == (cost_usd("claude-sonnet-5", alone) or 0) / 2


@pytest.mark.parametrize(("polls", "succeeded"), [(0, 0), (1, 10)])
def test_canceling_ends_a_batch_with_what_was_done_by_then(
    client: anthropic.Anthropic, recorder: Recorder, polls: int, succeeded: int
) -> None:
    made = client.messages.batches.create(requests=asks(*MANY))
    for _ in range(polls):
        client.messages.batches.retrieve(made.id)
    canceling = client.messages.batches.cancel(made.id)
    assert canceling.processing_status == "canceling"
    assert canceling.request_counts.processing == 20
    assert client.messages.batches.cancel(made.id) == canceling
    done = client.messages.batches.retrieve(made.id)
    assert done.processing_status == "ended"
    assert (done.request_counts.succeeded, done.request_counts.canceled) == (succeeded, 20 - succeeded)
    kinds = [line.result.type for line in client.messages.batches.results(made.id)]
    assert sorted(kinds) == ["canceled"] * (20 - succeeded) + ["succeeded"] * succeeded
    assert len(recorder) == succeeded


def test_what_the_sdk_gets_is_what_its_types_declare() -> None:
    service = Service(MODEL)
    made = reply_of(post(service, {"requests": asks("a")}, "/v1/messages/batches"))
    path = f"/v1/messages/batches/{made['id']}"
    shown = [made, *(reply_of(service.serve("GET", path, HEADERS, b"")) for _ in range(POLLS))]
    for batch in shown:
        assert set(MessageBatch.model_validate(batch).model_fields_set) == set(batch)
    line = reply_of(service.serve("GET", f"{path}/results", HEADERS, b""))
    parsed = MessageBatchIndividualResponse.model_validate(line, strict=True)
    assert parsed.model_dump(mode="json", exclude_unset=True) == line


def test_batches_are_listed_newest_first_page_by_page_and_deleted_once_ended(client: anthropic.Anthropic) -> None:
    ids = [client.messages.batches.create(requests=asks(f"a{number}")).id for number in range(5)][::-1]
    assert [batch.id for batch in client.messages.batches.list(limit=2)] == ids
    first = client.messages.batches.list(limit=2)
    assert ([batch.id for batch in first.data], first.has_more) == (ids[:2], True)
    before = client.messages.batches.list(limit=2, before_id=ids[3])
    assert ([batch.id for batch in before.data], before.has_more) == (ids[1:3], True)
    with pytest.raises(anthropic.BadRequestError):
        client.messages.batches.delete(ids[0])
    ended(client, ids[0])
    assert client.messages.batches.delete(ids[0]).type == "message_batch_deleted"
    assert [batch.id for batch in client.messages.batches.list()] == ids[1:]
    with pytest.raises(anthropic.NotFoundError):
        client.messages.batches.retrieve(ids[0])


def test_results_wait_for_the_end(client: anthropic.Anthropic) -> None:
    made = client.messages.batches.create(requests=asks("a"))
    with pytest.raises(anthropic.AnthropicError, match="Has it finished processing"):
        client.messages.batches.results(made.id)
    service = Service(MODEL)
    id_ = reply_of(post(service, {"requests": asks("a")}, "/v1/messages/batches"))["id"]
    early = service.serve("GET", f"/v1/messages/batches/{id_}/results", HEADERS, b"")
    assert reply_of(early)["error"]["details"]["rule"] == "batch-running"
    assert client.messages.batches.retrieve(made.id).processing_status == "ended"  # asking for results was asking
    with pytest.raises(anthropic.BadRequestError, match="has ended"):
        client.messages.batches.cancel(made.id)


def test_the_async_client_has_batches_too(recorder: Recorder) -> None:
    async def ask() -> list[str]:
        async with connect_async(Service(MODEL), recorder) as client:
            made = await client.messages.batches.create(requests=asks("a", "b"))
            while made.processing_status != "ended":
                made = await client.messages.batches.retrieve(made.id)
            return sorted([line.custom_id async for line in await client.messages.batches.results(made.id)])

    assert asyncio.run(ask()) == ["a", "b"]
    assert len(recorder) == 2
