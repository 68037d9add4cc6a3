"""The real SDK against the server: plain, streamed, async, its own loop with threads, counting, batches."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import anthropic
import pytest
from anthropic import beta_tool
from serving import Desk, Served, serving, work
from stand_in import first_body

RUN = "/run/ann"


@pytest.fixture(scope="module")
def shared() -> Iterator[Served]:
    with serving() as made:
        yield made


@pytest.fixture
def served(shared: Served) -> Served:
    shared.ask("PUT", RUN)
    return shared


def totals(served: Served, run: str = RUN) -> dict[str, int]:
    return served.get(f"{run}/trace").json["totals"]


@pytest.mark.parametrize(("rung", "trips", "calls", "tokens"), [(1, 3, 10, 1408), (3, 2, 1, 386)])
def test_a_worked_rung_costs_what_it_costs_in_process(served, rung, trips, calls, tokens):
    answer = work(served, RUN, rung)
    assert answer.startswith("C1: 2 open orders (ord-101 shipped, ord-102 packed)\n")
    counted = totals(served)
    assert (counted["round_trips"], counted["tool_calls"], counted["input_tokens"]) == (trips, calls, tokens)


def test_without_a_name_it_is_the_run_default(served):
    with served.client() as sdk:
        reply = sdk.messages.create(**first_body())
    trips = served.get("/run/default/trace").json["round_trips"]
    assert trips[-1]["reply"] == reply.to_dict()


def test_a_stream_says_what_the_whole_reply_says(served):
    with served.client(RUN) as sdk:
        whole = sdk.messages.create(**first_body())
        with sdk.messages.stream(**first_body()) as stream:
            kinds = {event.type for event in stream}
            streamed = stream.get_final_message()
    assert streamed.to_dict()["content"] == whole.to_dict()["content"]
    assert {"message_start", "content_block_delta", "message_stop"} <= kinds


def test_async_clients_may_ask_at_once(served):
    async def several() -> list[Any]:
        async with anthropic.AsyncAnthropic(api_key="k", base_url=served.address + RUN) as sdk:
            return await asyncio.gather(*(sdk.messages.create(**first_body()) for _ in range(20)))

    replies = asyncio.run(several())
    assert len({reply.id for reply in replies}) == 1  # a pure function of the body
    assert totals(served)["round_trips"] == 20


@pytest.mark.parametrize("threads", [{}, {"thread": False}], ids=["threads", "whole"])
def test_the_sdks_own_loop_costs_the_same_with_threads_and_without(served, threads):
    desk = Desk(served, RUN)

    @beta_tool
    def get_orders(customer_ids: list[str]) -> str:
        """Open orders of each of the customers, with their shipping status."""
        found = {}
        for customer_id in customer_ids:
            try:
                found[customer_id] = {order: desk.status(order) for order in desk.orders(customer_id)}
            except KeyError:
                found[customer_id] = "not found"
        return json.dumps(found)

    question = served.get(f"{RUN}/question").text
    with served.client(RUN) as sdk:
        asked = {"model": "claude-sonnet-5", "max_tokens": 1024, "messages": [{"role": "user", "content": question}]}
        sdk.beta.messages.tool_runner(tools=[get_orders], **asked, **threads).until_done()
    assert served.get(f"{RUN}/verdict").json["verdict"] == "reached"
    assert totals(served)["round_trips"] == 2


def test_tokens_are_counted_as_they_are_charged_and_cost_no_round_trip(served):
    body = first_body()
    with served.client(RUN) as sdk:
        counted = sdk.messages.count_tokens(**{name: body[name] for name in ("model", "messages", "tools")})
    assert 0 < counted.input_tokens <= 170  # max_tokens is not sent
    assert totals(served)["round_trips"] == 0


def test_a_batch_runs_over_http(served):
    with served.client(RUN) as sdk:
        batch = sdk.messages.batches.create(requests=[{"custom_id": "a", "params": first_body()}])
        while batch.processing_status != "ended":
            batch = sdk.messages.batches.retrieve(batch.id)
        (line,) = sdk.messages.batches.results(batch.id)
    assert line.result.type == "succeeded"
    assert totals(served)["round_trips"] == 1


def test_a_refusal_comes_in_the_apis_envelope_with_its_rule(served):
    with served.client(RUN) as sdk, pytest.raises(anthropic.BadRequestError) as refused:
        sdk.messages.create(**first_body(messages=[]))
    assert refused.value.body["error"]["details"]["rule"] == "messages-empty"
    assert totals(served)["failed_requests"] == 1


def test_headers_are_the_apis(served):
    with served.client(RUN) as sdk:
        raw = sdk.messages.with_raw_response.create(**first_body())
    assert raw.headers["request-id"] == f"req_{raw.parse().id.removeprefix('msg_')}"
    for what in ("requests", "tokens", "input-tokens", "output-tokens"):
        limit, left = (int(raw.headers[f"anthropic-ratelimit-{what}-{end}"]) for end in ("limit", "remaining"))
        assert 0 < left <= limit
        assert raw.headers[f"anthropic-ratelimit-{what}-reset"].endswith("Z")


def test_any_key_is_taken_and_none_is_not(served):
    body = json.dumps(first_body()).encode()
    version = {"anthropic-version": "2026-10-21"}
    statuses = [
        served.ask("POST", f"{RUN}/v1/messages", body, **headers).status
        for headers in (
            {**version, "x-api-key": "any"},
            {**version, "authorization": "Bearer any"},
            version,
            {"x-api-key": "any"},
        )
    ]
    assert statuses == [200, 200, 401, 400]
