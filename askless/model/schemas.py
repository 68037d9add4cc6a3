"""JSON schemas of tool inputs: which properties there are, and how a value of each is made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from askless.model.ids import number
from askless.model.vocabulary import Fact, word_set, words

Schema = Mapping[str, Any]

PLENTY = 100  # for a required number, such as a limit, that the schema leaves open
_OMITTING = word_set("exclude omit hide without skip no drop strip")


@dataclass(frozen=True)
class Shape:
    """What form identifiers take in a property."""

    carries: bool  # whether it can hold identifiers at all
    many: bool = False
    joined: bool = False  # several in one string, with commas between
    item: Schema | None = None  # the schema of one
    limit: int | None = None
    within: str | None = None  # the property that carries them, where this one is an object around it

    def fill(self, items: Sequence[str]) -> Any:
        """The property's value for these things; one that takes one thing gets the first."""
        value = self._value(items)
        return {self.within: value} if self.within else value

    def _value(self, items: Sequence[str]) -> Any:
        if self.joined:
            return ",".join(items)
        made = items if self._takes_texts else [_one(item, self.item or {}) for item in items]
        return list(made) if self.many else made[0]

    @cached_property
    def _takes_texts(self) -> bool:
        """Whether one thing is given as its bare identifier."""
        return not _types(self.item or {}) & {"integer", "number", "object"}


def shape_of(schema: Schema, description: str = "") -> Shape:
    """The shape of one property; of several alternatives, the one that takes most."""
    choices = [choice for key in ("anyOf", "oneOf") for choice in _list(schema, key) if isinstance(choice, Mapping)]
    if choices:
        return max((shape_of(choice, description) for choice in choices), key=lambda shape: (shape.many, shape.carries))
    types = _types(schema)
    if "array" in types:
        item, limit = _items(schema), schema.get("maxItems")
        return Shape("enum" not in item, many=True, item=item, limit=limit if isinstance(limit, int) else None)
    if "object" in types:
        return _around(Properties.of(schema))
    carries = not {"enum", "const"} & schema.keys() and (not types or bool(types & {"string", "integer", "number"}))
    joined = "string" in types and bool({"comma", "separated", "joined"} & set(words(description)))
    return Shape(carries, many=joined, joined=joined, item=schema)


def _around(properties: "Properties") -> Shape:
    """The shape of an object that holds the property with the things."""
    inner = next((name for name in properties.names if properties.shape(name).carries), None)
    shape = properties.shape(inner) if inner else Shape(False)
    return Shape(False) if shape.within else replace(shape, within=inner)


def _types(schema: Schema) -> set[str]:
    kinds = [schema["type"]] if isinstance(schema.get("type"), str) else _list(schema, "type")
    return {kind for kind in kinds if isinstance(kind, str)}


def _one(item: str, schema: Schema) -> Any:
    types = _types(schema)
    if types & {"integer", "number"} and "string" not in types and str(number(item)) == item:
        return int(item)
    if "object" in types:
        properties = Properties.of(schema)
        first = next((name for name in properties.names if properties.shape(name).carries), None)
        rest = ((name, properties.choose(name, (), frozenset())) for name in properties.names)
        return {name: item if name == first else value for name, value in rest if name == first or value is not None}
    return item


@dataclass(frozen=True)
class Properties:
    """The properties of an input schema, whatever it may hold."""

    schemas: Mapping[str, Schema]
    required: frozenset[str]

    @classmethod
    def of(cls, schema: Any) -> "Properties":
        """The properties of any value that stands where a schema should."""
        known = schema if isinstance(schema, Mapping) else {}
        properties = known["properties"] if isinstance(known.get("properties"), Mapping) else {}
        schemas = {str(name): value if isinstance(value, Mapping) else {} for name, value in properties.items()}
        required = (name for name in _list(known, "required") if isinstance(name, str))
        return cls(schemas, frozenset(required) & schemas.keys())

    @property
    def names(self) -> tuple[str, ...]:
        """The properties in the schema's order."""
        return tuple(self.schemas)

    def description(self, name: str) -> str:
        """What a property, one item of it, and the names of its own properties say."""
        schema = self.schemas[name]
        said = [schema.get("description"), _items(schema).get("description"), *Properties.of(schema).names]
        return ". ".join(text for text in said if isinstance(text, str))

    def shape(self, name: str) -> Shape:
        """The form that identifiers take in a property."""
        return shape_of(self.schemas[name], self.description(name))

    def choose(self, name: str, wanted: Iterable[Fact], qualifiers: frozenset[str]) -> Any:
        """What a property that carries no thing is set to; None leaves it out.

        Optional: what names a wanted fact. Required: that, else the default, else the first value there is.
        """
        schema, naming = self.schemas[name], qualifiers.union(*(fact.words for fact in wanted))
        if "boolean" in _types(schema):
            return self._flag(name, naming)
        values = _list(schema, "enum") or _list(_items(schema), "enum")
        named = [value for value in values if naming & set(words(str(value)))]
        if named or (name in self.required and values):
            chosen = named or [schema.get("default", values[0])]
            return chosen if "array" in _types(schema) else chosen[0]
        return _anything(schema) if name in self.required else None

    def _flag(self, name: str, naming: frozenset[str]) -> bool | None:
        spoken = set(words(name))
        if spoken & _OMITTING:
            return False if name in self.required else None
        named = naming & (spoken | set(words(self.description(name))))
        return True if named or name in self.required else None

    def names_fact(self, name: str, value: Any, fact: Fact) -> bool:
        """Whether a property set to a value asks for a fact."""
        said = f"{name}. {self.description(name)}" if value is True else str(value) if value is not False else ""
        return bool(fact.words & set(words(said)))


def _list(schema: Schema, key: str) -> list[Any]:
    return schema[key] if isinstance(schema.get(key), list) else []


def _items(schema: Schema) -> Schema:
    items = schema.get("items")
    return items if isinstance(items, Mapping) else {}


def _anything(schema: Schema) -> Any:
    """A value for a required property that nothing is known of."""
    if "default" in schema or "const" in schema:
        return schema.get("default", schema.get("const"))
    types = _types(schema)
    if types & {"integer", "number"}:
        return schema.get("maximum", schema.get("minimum", PLENTY))
    return [] if "array" in types else {} if "object" in types else "all"
