"""Which rules of the API can be asked of it for next to nothing, and with which requests.

A refused request costs nothing, and one that is no longer refused is answered with
a token. What only an idle hour, a full window or a missing header shows is not
asked. What the API should say is what the lab itself says to the same request.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
Holds = Callable[[Body], bool]

MODEL = "claude-haiku-5-5"  # the cheapest
UNFORCED = "claude-sonnet-5-5"  # refuses forced tools
OLDER = "claude-haiku-4-5"  # refuses messages of the role system

TOOL: Body = {
    "name": "look_up",
    "description": "The colour of one thing, by its name.",
    "input_schema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
}
SAY: Body = {"type": "text", "text": "and now?"}
USER: Body = {"role": "user", "content": "Say yes."}
YES: Body = {"role": "assistant", "content": "yes"}
SYSTEM: Body = {"role": "system", "content": "be brief"}
SEVERAL = "What colour are the ball, the box and the kite? Look each of them up."


@dataclass(frozen=True)
class Asked:
    """A rule's id and the request that breaks it; for a behaviour, what its reply must show."""

    rule: str
    body: Body
    holds: Holds | None = None
    free: bool = field(default=False)  # asked of count_tokens, as no price bounds it


def call(number: int, **more: Any) -> Body:
    """A call in a conversation that was never held."""
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "look_up", "input": {"name": "ball"}, **more}


def result(number: int, **more: Any) -> Body:
    """Its result."""
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "red", **more}


def plain(**fields: Any) -> Body:
    """A short request with other fields."""
    return {"model": MODEL, "max_tokens": 1, "messages": [USER], **fields}


def said(*messages: Body, **fields: Any) -> Body:
    """The same with other messages."""
    return plain(messages=list(messages), **fields)


def turn(calls: list[Body], results: list[Body], *after: Body, **fields: Any) -> Body:
    """The same after one turn with calls."""
    held = [USER, {"role": "assistant", "content": calls}, {"role": "user", "content": results}, *after]
    return said(*held, **{"tools": [TOOL], **fields})


def tool(**more: Any) -> Body:
    """The same with one tool that is not as it should be."""
    return plain(tools=[{**TOOL, **more}])


def asked() -> Iterator[Asked]:
    """Every rule that is asked, in the order of the table."""
    for rule, body in {**_fields(), **_tools(), **_messages(), **_turns()}.items():
        yield Asked(rule, body)
    unknown = {"model": "claude-no-such-model", "messages": [USER]}
    yield Asked("model-unknown", unknown, free=True)
    yield from _behaviours()


def _fields() -> dict[str, Body]:
    missing = plain()
    del missing["max_tokens"]
    return {
        "field-required": missing,
        "field-unknown": plain(response_format=1),
        "field-value": plain(max_tokens="1"),
        "text-value": said({"role": "user", "content": 3}),
        "sampling-removed": plain(temperature=0),
        "parallel-misplaced": plain(disable_parallel_tool_use=True),
        "max-tokens-negative": plain(max_tokens=-1),
        "max-tokens-zero": plain(max_tokens=0, stream=True),
        "stop-sequence-empty": plain(stop_sequences=[""]),
        "stop-sequence-blank": plain(stop_sequences=["\n"]),
        "system-text-empty": plain(system=[{"type": "text", "text": ""}]),
        "messages-empty": said(),
    }


def _tools() -> dict[str, Body]:
    return {
        "tool-name-form": tool(name="look.up"),
        "tool-name-long": tool(name="a" * 129),
        "tool-names-unique": plain(tools=[TOOL, TOOL]),
        "schema-union": tool(input_schema={"type": "object", "anyOf": [{"required": ["name"]}]}),
        "schema-invalid": tool(input_schema={"type": "object", "properties": {"name": {"type": "str"}}}),
        "tools-all-deferred": tool(defer_loading=True),
        "strict-open-object": tool(strict=True),
        "choice-forced": plain(model=UNFORCED, tools=[TOOL], tool_choice={"type": "any"}),
        "choice-without-tools": plain(tool_choice={"type": "any"}),
        "choice-unknown": plain(tools=[TOOL], tool_choice={"type": "tool", "name": "other"}),
    }


def _messages() -> dict[str, Body]:
    five = {"cache_control": {"type": "ephemeral"}}
    return {
        "message-empty": said({"role": "user", "content": ""}),
        "text-empty": said({"role": "user", "content": [SAY, {"type": "text", "text": ""}]}),
        "text-blank": said({"role": "user", "content": " \n"}),
        "error-result-empty": turn([call(1)], [result(1, content="", is_error=True)]),
        "call-id-form": turn([call(1, id="a:1")], [result(1, tool_use_id="a:1")]),
        "block-misplaced": said({"role": "user", "content": [call(1)]}, tools=[TOOL]),
        "cache-marks": said({"role": "user", "content": [{**SAY, **five}] * 5}),
        "cache-empty-text": said({"role": "user", "content": [SAY, {"type": "text", "text": "", **five}]}),
    }


def _turns() -> dict[str, Body]:
    return {
        "tools-required": turn([call(1)], [result(1)], tools=[]),
        "system-message-model": said(USER, SYSTEM, model=OLDER),
        "first-role": said(YES, USER),
        "call-ids-unique": turn([call(1), call(1)], [result(1)]),
        "result-missing": turn([call(1), call(2)], [result(1)]),
        "text-before-result": turn([call(1)], [SAY, result(1)]),
        "result-unexpected": turn([call(1)], [result(1), result(2)]),
        "result-twice": turn([call(1)], [result(1), result(1)]),
        "system-message-place": said(USER, SYSTEM, USER),
        "prefill": said(USER, YES),
    }


def _behaviours() -> Iterator[Asked]:
    several = said({"role": "user", "content": SEVERAL}, tools=[TOOL], max_tokens=400)
    yield Asked("parallel-by-default", several, lambda reply: _calls(reply) > 1)
    none = {**several, "tool_choice": {"type": "none"}, "max_tokens": 50}
    yield Asked("choice-obeyed", none, lambda reply: not _calls(reply))
    long = said({"role": "user", "content": "Count from one to a hundred in words."}, max_tokens=5)
    yield Asked("cut-at-max-tokens", long, lambda reply: reply.get("stop_reason") == "max_tokens")


def _calls(reply: Body) -> int:
    return sum(block.get("type") == "tool_use" for block in reply.get("content", []))
