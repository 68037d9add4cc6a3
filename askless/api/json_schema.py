"""JSON Schema, as far as a tool's input_schema needs it: is it well formed, and does a value fit it?

`pattern`, `format` and `$ref` are accepted and not followed.
"""

from collections.abc import Iterator
from math import inf
from typing import Any

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
SIZES = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
NAMED = ("properties", "patternProperties", "$defs", "definitions")  # a schema under each name
LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")


def subschemas(schema: Any) -> Iterator[Any]:
    """A schema and every schema inside it, however deep; what stands in a schema's place, well formed or not."""
    waiting = [schema]
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, dict):
            waiting += reversed(list(_inside(each)))


def _inside(schema: dict[str, Any]) -> Iterator[Any]:
    for keyword in NAMED:
        named = schema.get(keyword)
        yield from named.values() if isinstance(named, dict) else ()
    for keyword in LISTED:
        listed = schema.get(keyword)
        yield from listed if isinstance(listed, list) else ()
    yield from (schema[keyword] for keyword in SINGLE if keyword in schema)


def well_formed(schema: Any) -> bool:
    """Whether a schema follows the rules for schemas."""
    return all(isinstance(each, bool) or (isinstance(each, dict) and _sound(each)) for each in subschemas(schema))


def types(schema: dict[str, Any]) -> list[Any]:
    """The types that a schema names."""
    named = schema.get("type", [])
    return named if isinstance(named, list) else [named]


def _sound(schema: dict[str, Any]) -> bool:
    required = schema.get("required", [])
    return (
        all(isinstance(name, str) and name in TYPES for name in types(schema))
        and isinstance(required, list)
        and all(isinstance(name, str) for name in required)
        and isinstance(schema.get("enum", []), list)
        and all(isinstance(schema.get(keyword, {}), dict) for keyword in NAMED)
        and all(schema.get(keyword, [True]) and isinstance(schema.get(keyword, []), list) for keyword in LISTED)
        and all(_is_number(schema.get(keyword, 0)) for keyword in NUMBERS)
        and all(_is_number(schema.get(keyword, 0)) for keyword in SIZES)
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def fits(value: Any, schema: Any) -> bool:
    """Whether a value fits a well-formed schema."""
    if isinstance(schema, bool):
        return schema
    named = types(schema)
    return (
        (not named or any(_is_of(value, name) for name in named))
        and ("enum" not in schema or any(_same(value, each) for each in schema["enum"]))
        and ("const" not in schema or _same(value, schema["const"]))
        and _in_range(value, schema)
        and _parts_fit(value, schema)
        and _combined(value, schema)
    )


def _same(one: Any, other: Any) -> bool:
    """Equal in JSON, where true is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _is_of(value: Any, name: str) -> bool:
    kinds = {"string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}
    if name in kinds:
        return isinstance(value, kinds[name])
    return _is_number(value) and (name == "number" or float(value).is_integer())


def _in_range(value: Any, schema: dict[str, Any]) -> bool:
    if _is_number(value):
        closed = schema.get("minimum", value) <= value <= schema.get("maximum", value)
        return bool(closed and schema.get("exclusiveMinimum", -inf) < value < schema.get("exclusiveMaximum", inf))
    for kind, least, most in ((str, "minLength", "maxLength"), (list, "minItems", "maxItems")):
        if isinstance(value, kind):
            return bool(schema.get(least, 0) <= len(value) <= schema.get(most, len(value)))
    return True


def _parts_fit(value: Any, schema: dict[str, Any]) -> bool:
    if isinstance(value, list):
        return all(fits(item, schema.get("items", True)) for item in value)
    if not isinstance(value, dict):
        return True
    known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
    missing = any(name not in value for name in schema.get("required", []))
    return not missing and all(fits(item, known.get(name, other)) for name, item in value.items())


def _combined(value: Any, schema: dict[str, Any]) -> bool:
    return (
        all(fits(value, each) for each in schema.get("allOf", []))
        and ("anyOf" not in schema or any(fits(value, each) for each in schema["anyOf"]))
        and ("oneOf" not in schema or sum(fits(value, each) for each in schema["oneOf"]) == 1)
        and ("not" not in schema or not fits(value, schema["not"]))
    )
