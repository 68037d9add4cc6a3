"""What a tool with `"strict": true` may ask for: its schema becomes a grammar, and grammars have limits."""

from collections.abc import Iterator
from typing import Any

from askless.api.json_schema import subschemas, types
from askless.api.refusal import Refusal, Rule, invalid

TOOLS_AT_MOST = 20
OPTIONAL_AT_MOST = 24
UNIONS_AT_MOST = 16

NUMBER_LIMITS = ("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf")
NOT_SUPPORTED = {
    "integer": NUMBER_LIMITS,
    "number": NUMBER_LIMITS,
    "string": ("maxLength", "minLength"),
    "array": ("maxItems",),
    "object": ("maxProperties", "minProperties"),
}

TOO_MANY_STRICT = invalid(
    "strict-tools",
    what="At most 20 tools of a request are strict.",
    text="Too many strict tools ({found}). The maximum number of strict tools supported is 20",
    mend="Keep strict for the tools whose input must be right, at most 20.",
    known=("documented", "strict-limits", "2026-08-22"),
)
TOO_MANY_OPTIONAL = invalid(
    "strict-optional",
    what="The strict tools of a request have at most 24 optional properties together, nested ones counted.",
    text="Schemas contains too many optional parameters ({found}), which would make grammar compilation inefficient. "
    "Reduce the number of optional parameters in your tool schemas (limit: 24).",
    mend="Make properties required, or make fewer tools strict.",
    known=("documented", "strict-limits", "2026-08-22"),
)
TOO_MANY_UNIONS = invalid(
    "strict-unions",
    what="The strict tools of a request have at most 16 properties of more than one type.",
    text="Schemas contains too many parameters with union types ({found} parameters with type arrays or anyOf). This "
    "causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: 16 "
    "parameters with unions).",
    mend="Give properties one type each, or make fewer tools strict.",
    known=("documented", "strict-limits", "2026-08-22"),
)
OPEN_OBJECT = invalid(
    "strict-open-object",
    what="Every object in a strict tool's schema says that it has no further properties.",
    text="{place}: For 'object' type, 'additionalProperties' must be explicitly set to false",
    mend='Add "additionalProperties": false to every object of the schema.',
    known=("documented", "strict-limits", "2026-08-22"),
)
LIMIT_KEYWORD = invalid(
    "strict-keyword",
    what="A strict tool's schema sets no smallest or largest number, no length, and minItems only as 0 or 1.",
    text="{place}: For '{kind}' type, {keywords} not supported",
    mend="Remove the keyword, say the limit in the description, and check the input in your tool.",
    known=("documented", "strict-limits", "2026-08-22"),
)
REFERENCE = invalid(
    "strict-reference",
    what="A strict tool's schema refers to itself only, and not inside allOf.",
    text="{place}: '$ref' must point into the schema's own '$defs' and not stand inside 'allOf'",
    mend="Write the referred schema out where it is used.",
    known=("documented", "strict-limits", "2026-08-22"),
    wording="askless",
)
RULES: tuple[Rule, ...] = (
    TOO_MANY_STRICT,
    TOO_MANY_OPTIONAL,
    TOO_MANY_UNIONS,
    OPEN_OBJECT,
    LIMIT_KEYWORD,
    REFERENCE,
)


def refusal(tools: dict[str, dict[str, Any]]) -> Refusal | None:
    """The refusal of a request's strict tools; `tools` are all its own ones by place, their schemas well formed."""
    strict = {place: tool["input_schema"] for place, tool in tools.items() if tool.get("strict") is True}
    faults = (_schema_refusal(place, schema) for place, schema in strict.items())
    return next(filter(None, faults), None) or _too_many(list(strict.values()))


def _schema_refusal(place: str, schema: Any) -> Refusal | None:
    for each in _objects(schema):
        if "object" in types(each) and each.get("additionalProperties") is not False:
            return OPEN_OBJECT.refuse(place)
        if _bad_reference(each):
            return REFERENCE.refuse(place)
        kind, keywords = _limits(each)
        if keywords:
            are = f"properties {', '.join(keywords)} are" if len(keywords) > 1 else f"property '{keywords[0]}' is"
            return LIMIT_KEYWORD.refuse(place, kind=kind, keywords=are)
    return None


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    return (each for each in subschemas(schema) if isinstance(each, dict))


def _bad_reference(schema: dict[str, Any]) -> bool:
    inside = any(isinstance(each, dict) and "$ref" in each for each in schema.get("allOf", []))
    return inside or ("$ref" in schema and not str(schema["$ref"]).startswith("#"))


def _limits(schema: dict[str, Any]) -> tuple[str, list[str]]:
    """The first type that has limits which a grammar cannot hold, and these limits."""
    for kind in types(schema):
        found = [keyword for keyword in NOT_SUPPORTED.get(kind, ()) if keyword in schema]
        if kind == "array" and schema.get("minItems", 0) not in (0, 1):
            found.append("minItems")
        if found:
            return kind, found
    return "", []


def _too_many(schemas: list[Any]) -> Refusal | None:
    objects = [each for schema in schemas for each in _objects(schema)]
    properties = [(each, *item) for each in objects for item in each.get("properties", {}).items()]
    optional = sum(name not in each.get("required", []) for each, name, _ in properties)
    unions = sum(_is_union(schema) for _, _, schema in properties)
    if len(schemas) > TOOLS_AT_MOST:
        return TOO_MANY_STRICT.refuse("tools", found=len(schemas))
    if optional > OPTIONAL_AT_MOST:
        return TOO_MANY_OPTIONAL.refuse("tools", found=optional)
    return TOO_MANY_UNIONS.refuse("tools", found=unions) if unions > UNIONS_AT_MOST else None


def _is_union(schema: Any) -> bool:
    return isinstance(schema, dict) and ("anyOf" in schema or isinstance(schema.get("type"), list))
