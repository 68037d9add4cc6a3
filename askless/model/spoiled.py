"""A model's reply as a planned fault leaves it: refused (catalog: refusal-stop), cut, paused, or with a bad call."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from askless.api.conversation import Request
from askless.api.faults import Fault
from askless.api.json_schema import fits
from askless.model import Reply

Block = dict[str, Any]
Tool = Mapping[str, Any]

CUT_BY = {"max_tokens": "max_tokens", "context_window": "model_context_window_exceeded"}
STRANGE = "_v2"  # put behind a tool's name, names one that nobody offered


def spoiled(reply: Reply, fault: Fault, request: Request) -> Reply:
    """The reply after a fault; unchanged by one that does not touch it, or that the API could not give here."""
    tools = request.fields.get("tools") or []
    match fault.kind:
        case "refusal":
            details = {"type": "refusal", "category": fault.category, "explanation": None}
            return Reply(_cut(reply, tools) if fault.after_output else (), "refusal", details)
        case "max_tokens" | "context_window":
            return Reply(_cut(reply, tools), CUT_BY[fault.kind])
        case "pause_turn":
            return _paused(reply, tools, request.length)
        case "unknown_tool":
            return _with_first_call(reply, tools, lambda call, _: {**call, "name": _unknown_name(call["name"], tools)})
        case "bad_input":
            return _with_first_call(reply, tools, _misfit)
    return reply


def _cut(reply: Reply, tools: list[Tool]) -> tuple[Block, ...]:
    """The reply without the end of its last block.

    Of a call its input is missing (catalog: cut-tool-use-sdk-issue); where no input is an input, the whole call.
    """
    *whole, last = reply.content or [{}]
    if last.get("type") == "text":
        kept = last["text"][: len(last["text"]) // 2].rstrip()
        return (*whole, *([{**last, "text": kept}] if kept else ()))
    begun = {**last, "input": {}}
    shown = last.get("type") == "tool_use" and not _takes(begun, _offered(last["name"], tools))
    return (*whole, *([begun] if shown else ()))


def _paused(reply: Reply, tools: list[Tool], number: int) -> Reply:
    """A search of the server's, with what it found, before anything that waits for the client (catalog: pause-turn)."""
    if not reply.content or not any(str(tool.get("type")).startswith("web_search_") for tool in tools):
        return reply
    asked = {"type": "server_tool_use", "id": f"srvtoolu_{number:04}", "name": "web_search", "input": {"query": "-"}}
    found: Block = {"type": "web_search_tool_result", "tool_use_id": asked["id"], "content": []}
    return Reply((asked, found), "pause_turn")


def _with_first_call(reply: Reply, tools: list[Tool], change: Callable[[Block, Tool], Block]) -> Reply:
    """The reply with its first call changed; never a strict tool's (catalog: strict-tools)."""
    content = list(reply.content)
    for at, block in enumerate(content):
        if block["type"] == "tool_use":
            tool = _offered(block["name"], tools)
            content[at] = block if tool.get("strict") else change(block, tool)
            return replace(reply, content=tuple(content))
    return reply


def _unknown_name(name: str, tools: list[Tool]) -> str:
    while _offered(name, tools):
        name += STRANGE
    return name


def _misfit(call: Block, tool: Tool) -> Block:
    """The call with an input that does not fit: one value of another type, else one missing; itself where all fit."""
    given = call["input"]
    tries = [{**given, name: _mistyped(value)} for name, value in given.items()]
    tries += [{other: value for other, value in given.items() if other != name} for name in given]
    return next((bad for bad in ({**call, "input": each} for each in tries) if not _takes(bad, tool)), call)


def _mistyped(value: Any) -> Any:
    """A list as one text, anything else in a list: what models get wrong most."""
    return ", ".join(map(str, value)) if isinstance(value, list) else [value]


def _takes(call: Block, tool: Tool) -> bool:
    return fits(call["input"], tool.get("input_schema", True))


def _offered(name: str, tools: list[Tool]) -> Tool:
    return next((tool for tool in tools if tool.get("name") == name), {})
