"""The verdict over HTTP: which history a run's model has said, however its client writes it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from serving import Desk, Served, serving
from stand_in import HEADERS, first_body

LISTS = {"customer_ids": {"type": "array", "items": {"type": "string"}}, "all": {"type": "boolean"}}
LOOK_UP = {
    "name": "get_orders",
    "description": "Open orders of several customers, each with its shipping status.",
    "input_schema": {"type": "object", "properties": LISTS, "required": ["customer_ids", "all"]},
}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as made:
        yield made


FIRST = first_body(tools=[LOOK_UP])


def looked_up(served: Served, run: str) -> str:
    """Everything that a run's desk has of the question, looked up, as the result of one call."""
    desk = Desk(served, run)
    known = {name: {order: desk.status(order) for order in desk.orders(name)} for name in ("C1", "C2", "C3")}
    with pytest.raises(KeyError):
        desk.orders("C4")
    return json.dumps(known)


def second(call: dict[str, Any], result: str) -> dict[str, Any]:
    """The body that follows a first one whose reply was a call."""
    answered = {"type": "tool_result", "tool_use_id": call["id"], "content": result}
    said, told = {"role": "assistant", "content": [call]}, {"role": "user", "content": [answered]}
    return {**FIRST, "messages": [*FIRST["messages"], said, told]}


def other_id(call: dict[str, Any]) -> dict[str, Any]:
    return {**call, "id": "call_1"}


def other_order(call: dict[str, Any]) -> dict[str, Any]:
    return {**call, "input": dict(reversed(call["input"].items()))}


def other_input(call: dict[str, Any]) -> dict[str, Any]:
    return {**call, "input": {**call["input"], "customer_ids": call["input"]["customer_ids"][::-1]}}


@pytest.mark.parametrize(
    ("change", "verdict"), [(dict, "reached"), (other_id, "reached"), (other_order, "reached"), (other_input, "missed")]
)
def test_a_client_may_write_ids_and_objects_in_its_own_way_and_change_nothing_else(served, change, verdict):
    run = f"/run/{change.__name__}"
    (call,) = served.post(FIRST, run).json["content"]
    assert served.post(second(change(call), looked_up(served, run)), run).status == 200
    told = served.get(f"{run}/verdict").json
    assert (told["verdict"], told["run"], told["seed"]) == (verdict, change.__name__, None)
    assert [finding["id"] for finding in told["findings"]][:1] == ([] if verdict == "reached" else ["made_up_calls"])


@pytest.mark.parametrize("together", [True, False])
def test_what_a_batch_holds_was_said_before_any_of_its_replies(served, together):
    run = f"/run/batch-{together}"
    (call,) = served.post(FIRST, "/run/elsewhere").json["content"]
    bodies = [FIRST, second(call, looked_up(served, run))]
    for at_once in [bodies] if together else [[one] for one in bodies]:
        asks = [{"custom_id": f"n{at}", "params": params} for at, params in enumerate(at_once)]
        batch = served.ask("POST", f"{run}/v1/messages/batches", {"requests": asks}, **HEADERS).json["id"]
        for _ in range(2):
            served.ask("GET", f"{run}/v1/messages/batches/{batch}", **HEADERS)
    told = served.get(f"{run}/verdict").json
    assert told["measured"]["round_trips"] == 2
    assert told["verdict"] == ("missed" if together else "reached")
