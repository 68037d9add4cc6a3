"""Tools, read and not known: what an offered tool takes, and which facts it says it gives.

Everything comes from its name, its description and its input schema. What its
results then hold is told by Known, not here.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askless.api.parts import as_json
from askless.api.remembered import remembered
from askless.model import schemas
from askless.model.description import Others, facts_named, kind_taken, limit, told
from askless.model.vocabulary import ID_WORDS, Vocabulary, word_set, words

Definition = Mapping[str, Any]

_ACTS = word_set(
    "send delete remove cancel create add update set write post put refund pay notify email mail close ship edit"
)
_GENERIC = ID_WORDS | word_set(
    "get fetch look lookup up find search query read load list show retrieve return give call run do use check request "
    "data info information detail record item thing stuff result value input output arg argument param parameter text "
    "string name entity object entry batch bulk many multiple all each every one single by of for the to from with "
    "tool function func helper util api backend system service server desk store shop db database crm support table "
    "profile summary overview report view snapshot file account history foo bar baz qux new old more other"
)


@dataclass(frozen=True)
class Slot:
    """The property of a tool that carries the things asked about."""

    name: str
    kind: str | None  # None: nothing says what it takes
    shape: schemas.Shape
    limit: int | None = None  # things in one call, where the tool says so

    @property
    def many(self) -> bool:
        """Whether one call can ask about several things."""
        return self.shape.many


@dataclass(frozen=True)
class Tool:
    """One offered tool, read."""

    name: str
    slot: Slot | None  # None: it is asked about nothing, and answers about everything
    gives: frozenset[str]  # names of facts; empty: it does not say
    elsewhere: bool  # what it takes is none of the task's things, or it acts and does not read
    owners: Mapping[str, str] = field(default_factory=dict)  # property -> the kind of the owner it wants
    settings: Mapping[str, Any] = field(default_factory=dict)  # what its other properties are set to
    properties: tuple[str, ...] = ()

    def takes(self, kind: str) -> bool:
        """Whether it can be asked about things of a kind."""
        return self.slot is None or self.slot.kind in (kind, None)

    def input(self, items: Sequence[str], owners: Mapping[str, str]) -> dict[str, Any]:
        """The input that asks about these things, its keys in the order of the schema; `owners` is by kind."""
        values = {**self.settings, **{name: owners[kind] for name, kind in self.owners.items() if kind in owners}}
        if self.slot:
            values[self.slot.name] = self.slot.shape.fill(items)
        return {name: values[name] for name in self.properties if name in values}


def read_tools(definitions: Iterable[Definition], vocabulary: Vocabulary) -> tuple[Tool, ...]:
    """The tools that a client runs itself, in the order offered."""
    own = [tool for tool in definitions if isinstance(tool, Mapping) and "input_schema" in tool]
    names = frozenset(str(tool.get("name")) for tool in own)
    return tuple(_read(tool, Others(names, str(tool.get("name"))), vocabulary) for tool in own)


class ToolReader:
    """Reads the tools of each request; the same list as the time before is not read again."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._last: tuple[list[Definition], tuple[Tool, ...]] = ([], ())

    def read(self, definitions: Iterable[Definition]) -> tuple[Tool, ...]:
        """The tools, read."""
        offered = list(definitions)
        if offered != self._last[0]:
            self._last = (offered, _read_text(as_json(offered), self._vocabulary))
        return self._last[1]


@remembered(64)
def _read_text(offered: str, vocabulary: Vocabulary) -> tuple[Tool, ...]:
    return read_tools(json.loads(offered), vocabulary)


def _read(definition: Definition, others: Others, vocabulary: Vocabulary) -> Tool:
    name = others.itself
    says = f"{name}. {told(str(definition.get('description') or ''), others)}"
    schema = schemas.Properties.of(definition["input_schema"])
    slot = _slot(schema, says, others, vocabulary)
    about = says + ". " + (told(schema.description(slot.name), others) if slot else "")
    gives = _gives(slot, about, vocabulary)
    rest = [name for name in schema.names if not slot or name != slot.name]
    owners = {name: kind for name in rest if (kind := _owner(name, schema, slot, vocabulary))}
    settings, flagged = _settings(schema, [name for name in rest if name not in owners], gives, vocabulary)
    if words(name)[:1] and words(name)[0] in _ACTS:
        return Tool(name, slot, frozenset(), True, owners, settings, schema.names)
    top = slot.kind if slot else vocabulary.kinds[0].name
    gives = _closed(gives | flagged, top, vocabulary) if top else frozenset()
    return Tool(name, slot, gives, _elsewhere(slot, vocabulary), owners, settings, schema.names)


def _slot(schema: schemas.Properties, says: str, others: Others, vocabulary: Vocabulary) -> Slot | None:
    """The property that takes things: by its name, else by its description, else by the tool's text."""
    able = [name for name in schema.names if schema.shape(name).carries]
    named = [(name, kinds) for name in able if (kinds := vocabulary.kinds_in(name))]
    if named:
        return _made(*_best(named, schema, vocabulary), schema)
    said = {name: told(schema.description(name), others) for name in able}
    described = [(name, kinds) for name in able if (kinds := vocabulary.kinds_in(said[name]))]
    if described:
        return _made(*_best(described, schema, vocabulary), schema)
    able = [name for name in able if name in schema.required] or [name for name in able if _is_generic(name)]
    return _made(able[0], kind_taken(says, vocabulary), schema) if able else None


def _is_generic(name: str) -> bool:
    return all(len(word) < 3 or word in _GENERIC for word in words(name))


def _best(named: list[tuple[str, list[str]]], schema: schemas.Properties, vocabulary: Vocabulary) -> tuple[str, str]:
    """Of several properties: a required one, the kind furthest down, many rather than one, the first."""

    def rank(entry: tuple[str, list[str]]) -> tuple[bool, int, bool]:
        name, kinds = entry
        return name not in schema.required, -vocabulary.depth[kinds[0]], not schema.shape(name).many

    name, kinds = min(named, key=rank)
    return name, kinds[0]


def _made(name: str, kind: str | None, schema: schemas.Properties) -> Slot:
    shape = schema.shape(name)
    return Slot(name, kind, shape, shape.limit or (limit(schema.description(name)) if shape.many else None))


def _gives(slot: Slot | None, says: str, vocabulary: Vocabulary) -> frozenset[str]:
    """The facts a tool names, of those that can follow from what it takes."""
    named = {fact.name for fact in facts_named(says, vocabulary)}
    if slot is None:
        return frozenset(named)
    below = vocabulary.below(slot.kind) if slot.kind else ()
    return frozenset(fact.name for fact in below if fact.name in named)


def _closed(gives: frozenset[str], kind: str, vocabulary: Vocabulary) -> frozenset[str]:
    """With the lists that lead to each fact: what hangs on listed things cannot come without their list."""
    closed: frozenset[str] = frozenset()
    for fact in vocabulary.facts_of(kind):
        further = _closed(gives, fact.lists, vocabulary) if fact.lists else frozenset()
        closed |= further | ({fact.name} if further or fact.name in gives else set())
    return closed


def _owner(name: str, schema: schemas.Properties, slot: Slot | None, vocabulary: Vocabulary) -> str | None:
    """The kind that a further required property wants: what lists the thing asked about."""
    kinds = vocabulary.kinds_in(name) if name in schema.required and schema.shape(name).carries else []
    return kinds[0] if kinds and slot and kinds[0] != slot.kind else None


def _settings(
    schema: schemas.Properties, names: list[str], gives: frozenset[str], vocabulary: Vocabulary
) -> tuple[dict[str, Any], frozenset[str]]:
    """What the other properties are set to, and the facts that this adds."""
    settings: dict[str, Any] = {}
    wanted = [fact for fact in vocabulary.facts if fact.name not in gives]
    for name in names:
        chosen = schema.choose(name, wanted, vocabulary.qualifiers)
        if chosen is not None:
            settings[name] = chosen
    added = {fact.name for fact in wanted if any(schema.names_fact(name, settings[name], fact) for name in settings)}
    return settings, frozenset(added)


def _elsewhere(slot: Slot | None, vocabulary: Vocabulary) -> bool:
    """Whether what a tool takes has a name of its own that is none of the task's: a city, a file's path."""
    if slot is None or slot.kind:
        return False
    known = (_GENERIC | vocabulary.qualifiers).union(*(fact.words for fact in vocabulary.facts))
    return any(len(word) > 2 and word not in known for word in words(slot.name))
