"""The tools that a request offers: their fields, names, schemas and examples."""

import re
from typing import Any

from askless.api import strict_tools
from askless.api.cache_marks import CACHE_CONTROL
from askless.api.json_schema import fits, well_formed
from askless.api.refusal import Refusal, Rule, invalid
from askless.api.shape import Items, Nullable, OneOf, Record, Tagged, anything, flag, mapping, text

NAME = re.compile(r"[a-zA-Z0-9_-]+")
NAME_CHARS = 128

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

NAME_FORM = invalid(
    "tool-name-form",
    what="A tool's name is made of letters, digits, _ and -.",
    text="{place}: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'",
    mend="Name the tool with letters, digits, _ and - only.",
    known=("reported", "report-tool-name-form", "2025-06-29"),
)
NAME_LONG = invalid(
    "tool-name-long",
    what="A tool's name has at most 128 characters. (The documentation says 64.)",
    text="{place}: String should have at most 128 characters",
    mend="Shorten the name; the description is the place for words.",
    known=("reported", "report-tool-name-long", "2026-09-22"),
)
NAMES_UNIQUE = invalid(
    "tool-names-unique",
    what="No two tools of a request have the same name.",
    text="tools: Tool names must be unique.",
    mend="Rename or remove the tool at {place}.",
    known=("reported", "report-tool-names-unique", "2026-05-17"),
)
SCHEMA_UNION = invalid(
    "schema-union",
    what="A tool's input_schema has no oneOf, allOf or anyOf at its top.",
    text="{place}: input_schema does not support oneOf, allOf, or anyOf at the top level",
    mend="Let the top be one object, and put the alternatives inside a property.",
    known=("reported", "report-schema-union", "2026-08-23"),
)
SCHEMA_INVALID = invalid(
    "schema-invalid",
    what="A tool's input_schema is a JSON Schema of draft 2020-12.",
    text="{place}: JSON schema is invalid. It must match JSON Schema draft 2020-12 "
    "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
    "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.",
    mend="Check the types, properties and required of the schema.",
    known=("reported", "report-schema-invalid", "2026-08-14"),
)
EXAMPLE_UNFIT = invalid(
    "example-unfit",
    what="Each of a tool's input_examples fits its input_schema.",
    text="{place}: The example does not match the tool's input_schema.",
    mend="Correct the example or the schema.",
    known=("documented", "input-examples", "2026-08-22"),
    wording="askless",
)
ALL_DEFERRED = invalid(
    "tools-all-deferred",
    what="At least one tool is loaded from the start.",
    text="At least one tool must have defer_loading=false. All tools cannot be deferred.",
    mend="Remove defer_loading from the tools that are always needed.",
    known=("documented", "tool-search", "2026-08-22"),
)
RULES: tuple[Rule, ...] = (
    NAME_FORM,
    NAME_LONG,
    NAMES_UNIQUE,
    SCHEMA_UNION,
    SCHEMA_INVALID,
    EXAMPLE_UNFIT,
    ALL_DEFERRED,
)


def refusal(tools: Any) -> Refusal | None:
    """The refusal of what stands in `tools`."""
    fault = TOOLS("tools", tools)
    if fault:
        return fault
    custom = {f"tools.{at}.custom": tool for at, tool in enumerate(tools) if "input_schema" in tool}
    faults = (_tool_refusal(place, tool) for place, tool in custom.items())
    return next(filter(None, faults), None) or _twice(tools) or _deferred(tools) or strict_tools.refusal(custom)


def names(tools: list[dict[str, Any]]) -> list[Any]:
    """The names of tools whose shape is right; a toolset has none."""
    return [tool["name"] for tool in tools if "name" in tool]


def _tool_refusal(place: str, tool: dict[str, Any]) -> Refusal | None:
    if not NAME.fullmatch(tool["name"]):
        return NAME_FORM.refuse(f"{place}.name")
    if len(tool["name"]) > NAME_CHARS:
        return NAME_LONG.refuse(f"{place}.name")
    schema = tool["input_schema"]
    if not {"oneOf", "allOf", "anyOf"}.isdisjoint(schema):
        return SCHEMA_UNION.refuse(f"{place}.input_schema")
    if not well_formed(schema):
        return SCHEMA_INVALID.refuse(f"{place}.input_schema")
    for at, example in enumerate(tool.get("input_examples", [])):
        if not fits(example, schema):
            return EXAMPLE_UNFIT.refuse(f"{place}.input_examples.{at}")
    return None


def _twice(tools: list[dict[str, Any]]) -> Refusal | None:
    known: list[Any] = []
    for at, tool in enumerate(tools):
        if "name" in tool and tool["name"] in known:
            return NAMES_UNIQUE.refuse(f"tools.{at}")
        known += names([tool])
    return None


def _deferred(tools: list[dict[str, Any]]) -> Refusal | None:
    deferred = [tool.get("defer_loading") is True for tool in tools]
    return ALL_DEFERRED.refuse("tools") if deferred and all(deferred) else None
