"""The tools that a request offers: their fields, names, schemas and examples."""

import json
import re
from typing import Any

from askless.api import strict_tools
from askless.api.cache_marks import CACHE_CONTROL
from askless.api.json_schema import fits, well_formed
from askless.api.refusal import Refusal, refuse
from askless.api.shape import Items, Nullable, OneOf, Record, Tagged, anything, flag, mapping, text

NAME = re.compile(r"[a-zA-Z0-9_-]+")
NAME_CHARS = 128
COMPARED = 1_000_000_000  # characters of examples times characters of their schemas: a second's work or two

CALLERS = ("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521")
INPUT_SCHEMA = Record({"type": OneOf(("object",))}, {}, others=anything)
CUSTOM = Record(
    {"name": text, "input_schema": INPUT_SCHEMA},
    {
        "allowed_callers": Items(OneOf(CALLERS)),
        "cache_control": CACHE_CONTROL,
        "defer_loading": flag,
        "description": text,
        "eager_input_streaming": Nullable(flag),
        "input_examples": Items(mapping),
        "strict": flag,
        "type": Nullable(OneOf(("custom",))),
    },
)
SERVED = (  # by Anthropic; accepted, not looked into, and never called here
    "bash_20250124", "browser_toolset_20260801", "code_execution_20250522", "code_execution_20250825",
    "code_execution_20260120", "code_execution_20260521", "computer_toolset_20260801", "memory_20250818",
    "text_editor_20250124", "text_editor_20250429", "text_editor_20250728", "tool_search_tool_bm25",
    "tool_search_tool_bm25_20251119", "tool_search_tool_regex", "tool_search_tool_regex_20251119",
    "web_fetch_20250910", "web_fetch_20260209", "web_fetch_20260309", "web_fetch_20260318",
    "web_search_20250305", "web_search_20260209", "web_search_20260318",
)  # fmt: skip
TOOLS = Items(Tagged({"custom": CUSTOM, **dict.fromkeys(SERVED, anything)}, default="custom"))


def refusal(tools: Any) -> Refusal | None:
    """The refusal of what stands in `tools`."""
    fault = TOOLS("tools", tools)
    if fault:
        return fault
    custom = {f"tools.{at}.custom": tool for at, tool in enumerate(tools) if "input_schema" in tool}
    faults = (_tool_refusal(place, tool) for place, tool in custom.items())
    return (
        next(filter(None, faults), None)
        or _unfit(custom)
        or _twice(tools)
        or _deferred(tools)
        or strict_tools.refusal(custom)
    )


def names(tools: list[dict[str, Any]]) -> list[Any]:
    """The names of tools whose shape is right; a toolset has none."""
    return [tool["name"] for tool in tools if "name" in tool]


def _tool_refusal(place: str, tool: dict[str, Any]) -> Refusal | None:
    if not NAME.fullmatch(tool["name"]):
        return refuse("tool-name-form", f"{place}.name")
    if len(tool["name"]) > NAME_CHARS:
        return refuse("tool-name-long", f"{place}.name")
    schema = tool["input_schema"]
    if not {"oneOf", "allOf", "anyOf"}.isdisjoint(schema):
        return refuse("schema-union", f"{place}.input_schema")
    if not well_formed(schema):
        return refuse("schema-invalid", f"{place}.input_schema")
    return None


def _unfit(tools: dict[str, dict[str, Any]]) -> Refusal | None:
    """The refusal of an example; where they would be long to compare, the rest of them is taken for right."""
    left = COMPARED
    for place, tool in tools.items():
        schema_chars = _chars(tool["input_schema"])
        for at, example in enumerate(tool.get("input_examples", [])):
            left -= schema_chars * _chars(example)
            if left < 0:
                return None
            if not _fits(example, tool["input_schema"]):
                return refuse("example-unfit", f"{place}.input_examples.{at}")
    return None


def _chars(value: Any) -> int:
    try:
        return len(json.dumps(value))
    except RecursionError:  # then it fits nothing
        return 0


def _fits(example: Any, schema: Any) -> bool:
    try:
        return fits(example, schema)
    except RecursionError:  # too deep to be compared
        return False


def _twice(tools: list[dict[str, Any]]) -> Refusal | None:
    known: set[str] = set()
    for at, tool in enumerate(tools):
        named = {name for name in names([tool]) if isinstance(name, str)}
        if named & known:
            return refuse("tool-names-unique", f"tools.{at}")
        known |= named
    return None


def _deferred(tools: list[dict[str, Any]]) -> Refusal | None:
    deferred = [tool.get("defer_loading") is True for tool in tools]
    return refuse("tools-all-deferred", "tools") if deferred and all(deferred) else None
