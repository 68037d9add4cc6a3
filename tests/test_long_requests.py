"""What a long request costs: its length, whatever it is long in. One server answers many agents."""

import json
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from bodies import call
from stand_in import HEADERS, first_body
from steps import steps

from askless import task
from askless.api import tools as offered
from askless.model.scripted import Scripted
from askless.service import Service

TASK = task.load("t01")

ONE = {"type": "object", "properties": {"customer_id": {"type": "string"}}, "required": ["customer_id"]}
VAGUE = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}


def tool(name: str, description: str = "", schema: Any = ONE, **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "input_schema": schema, **fields}


def tools(n: int) -> Any:
    return {"tools": [tool(f"orders_{at}", f"The open orders of a customer, as at place {at}.") for at in range(n)]}


def vague_tools(n: int) -> Any:
    return {"tools": [tool(f"it{at}", "Does it.", VAGUE) for at in range(n)]}


def tools_that_speak_of_others(n: int) -> Any:
    return {"tools": [tool(f"it-{at}", f"Call it-{at + 1} first. Orders as in `it-{at + 2}`.") for at in range(n)]}


def one_tool_that_speaks_of_all(n: int) -> Any:
    named = [tool(f"it{at}") for at in range(n)]
    return {"tools": [tool("all", f"Like {', '.join(each['name'] for each in named)}."), *named]}


def properties(n: int) -> Any:
    return {"tools": [tool("it", schema={"type": "object", "properties": {f"p{at}": {} for at in range(n)}})]}


def deep_schema(n: int) -> Any:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(n // 20):
        schema = {"type": "object", "properties": {"a": schema}}
    return {"tools": [tool("it", schema={"type": "object", "properties": {"a": schema}})]}


def examples(n: int) -> Any:
    schema = {"type": "object", "properties": {"a": {"enum": list(range(n))}}}
    return {"tools": [tool("it", schema=schema, input_examples=[{"a": at} for at in range(n)])]}


def system_blocks(n: int) -> Any:
    return {"system": [{"type": "text", "text": f"Be kind {at} times."} for at in range(n)]}


def user(*content: Any) -> Any:
    return {"messages": [{"role": "user", "content": list(content)}]}


def blocks(n: int) -> Any:
    return user(*({"type": "text", "text": f"And {at}."} for at in range(n)))


def blocks_with_questions(n: int) -> Any:
    return user(*({"type": "text", "text": f"Customer C{at}, too."} for at in range(n)))


def customers(n: int) -> Any:
    return user({"type": "text", "text": f"Orders of the customers {', '.join(f'C{at}' for at in range(n))}."})


def prose(n: int) -> Any:
    return user({"type": "text", "text": "A word to the wise: " * n})


def messages(n: int) -> Any:
    return {"messages": [{"role": "user", "content": f"Say {at}."} for at in range(n)]}


def turns(n: int) -> Any:
    said = ([{"role": "user", "content": f"Customer C{at}."}, reply(at)] for at in range(n))
    return {"messages": [*chain.from_iterable(said), {"role": "user", "content": "And now?"}]}


def reply(at: int) -> Any:
    return {"role": "assistant", "content": f"C{at}: nothing."}


def results(n: int) -> Any:
    calls = [call(at, "get_orders", customer_id=f"C{at}") for at in range(n)]
    found = [{"type": "tool_result", "tool_use_id": each["id"], "content": f'["O{each["id"]}"]'} for each in calls]
    messages = [*customers(n)["messages"], {"role": "assistant", "content": calls}, *user(*found)["messages"]]
    return {"messages": messages}


LONG = [
    tools, vague_tools, tools_that_speak_of_others, one_tool_that_speaks_of_all, properties, deep_schema,
    system_blocks, blocks, blocks_with_questions, customers, prose, messages, turns, results,
]  # fmt: skip


def cost(fields: Any) -> int:
    data, service = json.dumps(first_body(**fields)).encode(), Service(Scripted(TASK.script()))
    return steps(lambda: service.post("/v1/messages", HEADERS, data))


@pytest.mark.parametrize("long", LONG, ids=lambda long: long.__name__)
def test_a_request_twice_as_long_is_twice_the_work(long: Callable[[int], Any]) -> None:
    assert cost(long(400)) < 2.4 * cost(long(200))


def test_examples_are_compared_with_their_schema_as_far_as_that_is_not_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offered, "COMPARED", 100_000)
    assert cost(examples(400)) < 2.4 * cost(examples(200))


ENDLESS = "1" * 6000  # digits, more than Python takes for a number


def asked_for(words: str) -> Any:
    return user({"type": "text", "text": f"The orders of the customers {words}."})


def answered(id_: str, text: str) -> Any:
    made = {"type": "tool_use", "id": id_, "name": "get_orders", "input": {"customer_id": "C1"}}
    said = {"type": "tool_result", "tool_use_id": id_, "content": text, "is_error": True}
    messages = [*asked_for("C1")["messages"], {"role": "assistant", "content": [made]}, *user(said)["messages"]]
    return {"messages": messages}


def described(description: str, kind: str = "string") -> Any:
    schema = {"type": "object", "properties": {"customer_ids": {"type": "array", "items": {"type": kind}}}}
    return {"tools": [tool("get_orders", description, schema)], **asked_for(f"{ENDLESS} and C{ENDLESS}")}


@pytest.mark.parametrize(
    "fields",
    [
        asked_for(f"C{ENDLESS} to C{ENDLESS}2"),
        asked_for(f"{ENDLESS} to {ENDLESS}2"),
        answered(f"toolu_{ENDLESS}_get_orders", "busy"),
        answered("toolu_0001_get_orders", f"Did you mean CUST-{ENDLESS}? At most {ENDLESS} in a call."),
        described(f"The open orders of up to {ENDLESS} customers."),
        described("The open orders of customers.", "integer"),
    ],
)
def test_an_endless_number_is_answered_as_any_other(fields: Any) -> None:
    data = json.dumps(first_body(**fields)).encode()
    assert Service(Scripted(TASK.script())).post("/v1/messages", HEADERS, data).status == 200
