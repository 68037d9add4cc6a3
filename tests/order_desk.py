"""A small desk, tools made to measure, and the loop of an agent over the scripted model, for the model's tests."""

import importlib.util
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from bodies import ORDERS, QUESTION, STATUS

from askless.api.conversation import Conversation, Request
from askless.model import Reply
from askless.model.scripted import Scripted

SCRIPT = Path(__file__).parent.parent / "tasks" / "t01_fewer_tool_calls" / "script.py"
ANSWER = (
    "C1: 2 open orders (ord-101 shipped, ord-102 packed)\n"
    "C2: 1 open orders (ord-201 shipped)\n"
    "C3: 3 open orders (ord-301 delayed, ord-302 shipped, ord-303 packed)\n"
    "C4: could not be found"
)


class ToolError(Exception):
    """What a tool raises to have its result flagged; the text is the result."""


def script() -> Any:
    """The task's script, made anew."""
    return _module().new()


@cache
def _module() -> Any:
    spec = importlib.util.spec_from_file_location("t01_script", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def model() -> Scripted[Any]:
    """The scripted model of the order desk."""
    return Scripted(script())


@dataclass(frozen=True)
class Tool:
    """A tool as an agent has it: what is offered, and what runs."""

    name: str
    description: str
    properties: Mapping[str, Any]
    run: Callable[..., Any]
    required: list[str] | None = None
    strict: bool = False

    @property
    def offered(self) -> dict[str, Any]:
        """The definition as sent."""
        required = list(self.properties) if self.required is None else self.required
        schema = {
            "type": "object",
            "properties": dict(self.properties),
            "required": required,
            "additionalProperties": False,
        }
        offered = {"name": self.name, "description": self.description, "input_schema": schema}
        return {**offered, "strict": True} if self.strict else offered


@dataclass
class Run:
    """What happened in one run."""

    answer: str | None = None
    replies: list[Reply] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)

    @property
    def trips(self) -> int:
        """Requests sent."""
        return len(self.replies)

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """Every call, in order."""
        return [(block["name"], block["input"]) for reply in self.replies for block in uses(reply)]


def uses(reply: Reply) -> list[dict[str, Any]]:
    """A reply's calls."""
    return [block for block in reply.content if block["type"] == "tool_use"]


def result(tool: Tool, block: dict[str, Any]) -> dict[str, Any]:
    """The tool_result of one call."""
    answered = {"type": "tool_result", "tool_use_id": block["id"]}
    try:
        value = tool.run(**block["input"])
    except ToolError as failure:
        return {**answered, "content": str(failure), "is_error": True}
    if value is None:
        return answered
    return {**answered, "content": value if isinstance(value, str) or _is_blocks(value) else json.dumps(value)}


def _is_blocks(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and value[0].get("type") == "text"


def run(
    tools: list[Tool],
    question: str = QUESTION,
    *,
    split: bool = False,
    incremental: bool = True,
    most_trips: int = 60,
    answers: Scripted[Any] | None = None,
    **fields: Any,
) -> Run:
    """The whole loop: ask, run the tools, send the results, until a final text.

    Incremental: one conversation that grows, as a served run has; else each request is read afresh.
    """
    answers = answers or model()
    by_name = {tool.name: tool for tool in tools}
    body = {"model": "claude-sonnet-5", "max_tokens": 1024, **fields, "messages": []}
    if tools:
        body["tools"] = [tool.offered for tool in tools]
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    conversation = Conversation(messages)
    done = Run()
    while done.trips < most_trips:
        afresh = Request.of({**body, "messages": list(messages)})
        reply = answers(Request(body, conversation, len(messages)) if incremental else afresh)
        done.replies.append(reply)
        done.bodies.append(afresh.body)
        if reply.stop_reason != "tool_use":
            done.answer = "".join(block.get("text", "") for block in reply.content)
            return done
        messages.append({"role": "assistant", "content": list(reply.content)})
        results = [result(by_name[block["name"]], block) for block in uses(reply)]
        together = [[one] for one in results] if split else [results]
        messages.extend({"role": "user", "content": content} for content in together)
    return done


def one_of(table: Mapping[str, Any]) -> Callable[[str], Any]:
    """A look-up that fails as a dictionary does."""

    def look_up(key: str) -> Any:
        if key not in table:
            raise ToolError(f"'{key}' not found")
        return table[key]

    return look_up


def one(word: str) -> dict[str, Any]:
    """A property that takes one identifier."""
    return {word: {"type": "string"}}


def many(word: str, **more: Any) -> dict[str, Any]:
    """A property that takes several."""
    return {word: {"type": "array", "items": {"type": "string"}, **more}}


def get_orders() -> Tool:
    """The spec's first tool."""

    def run(customer_id: str) -> Any:
        return {"customer_id": customer_id, "orders": one_of(ORDERS)(customer_id)}

    return Tool("get_orders", "Open orders for one customer.", one("customer_id"), run)


def get_status() -> Tool:
    """The spec's second tool."""

    def run(order_id: str) -> Any:
        return {"order_id": order_id, "status": one_of(STATUS)(order_id)}

    return Tool("get_status", "Shipping status of one order.", one("order_id"), run)


def v1() -> list[Tool]:
    """The spec's tools."""
    return [get_orders(), get_status()]
