"""What a tool with `"strict": true` may ask for: its schema becomes a grammar, and grammars have limits."""

from collections.abc import Iterator
from typing import Any

from askless.api.json_schema import subschemas, types
from askless.api.refusal import Refusal, refuse

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


def refusal(tools: dict[str, dict[str, Any]]) -> Refusal | None:
    """The refusal of a request's strict tools; `tools` are all its own ones by place, their schemas well formed."""
    strict = {place: tool["input_schema"] for place, tool in tools.items() if tool.get("strict") is True}
    faults = (_schema_refusal(place, schema) for place, schema in strict.items())
    return next(filter(None, faults), None) or _too_many(list(strict.values()))


def _schema_refusal(place: str, schema: Any) -> Refusal | None:
    for each in _objects(schema):
        if "object" in types(each) and each.get("additionalProperties") is not False:
            return refuse("strict-open-object", place)
        if _bad_reference(each):
            return refuse("strict-reference", place)
        kind, keywords = _limits(each)
        if keywords:
            are = f"properties {', '.join(keywords)} are" if len(keywords) > 1 else f"property '{keywords[0]}' is"
            return refuse("strict-keyword", place, kind=kind, keywords=are)
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
    optional = sum(len(each.get("properties", {}).keys() - each.get("required", [])) for each in objects)
    unions = sum(_is_union(schema) for each in objects for schema in each.get("properties", {}).values())
    if len(schemas) > TOOLS_AT_MOST:
        return refuse("strict-tools", "tools", found=len(schemas))
    if optional > OPTIONAL_AT_MOST:
        return refuse("strict-optional", "tools", found=optional)
    return refuse("strict-unions", "tools", found=unions) if unions > UNIONS_AT_MOST else None


def _is_union(schema: Any) -> bool:
    return isinstance(schema, dict) and ("anyOf" in schema or isinstance(schema.get("type"), list))
