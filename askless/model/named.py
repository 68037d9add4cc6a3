"""The things that an object's fields name."""

from typing import Any

from askless.model.absence import is_none
from askless.model.findings import Findings, Ids
from askless.model.ids import normal
from askless.model.label import Label, label
from askless.model.vocabulary import ID_WORDS, words

_NUMBERS = ID_WORDS - {"key", "code"}


def own_ids(
    node: dict[str, Any], under: Label, ids: Ids, findings: Findings, *, listed: bool = False
) -> dict[str, str]:
    """The things that an object's fields name, by kind, the highest kind first.

    A field named for a kind names one, be it an object of its own; an `id` names
    what the label of the object says, else what it looks like. A bare number looks
    like nothing: only in a list is it what the thing spoken of lists.
    """
    inner: dict[str, str] = {}
    named: dict[str, str] = {}
    unnamed: list[tuple[Label, str]] = []
    for key, value in node.items():
        says = label(findings.vocabulary, key)
        if isinstance(value, dict):
            inner.update(_inner_id(value, says, ids, findings))
        elif is_scalar(value) and not says.is_identifier and " " not in (text := str(value)):
            if says.kind and not is_none(text) and not findings.gives_none(value):
                named.setdefault(findings.kinds.get(normal(text), says.kind), text)
            if says.is_id:
                unnamed.append((says, text))
    own = {**inner, **named}
    for says, text in unnamed:
        spoken_of = {**ids, **own}
        kind = _kind_of(says, text, under, spoken_of, findings)
        if listed and kind is None and text.isdecimal() and not under.is_foreign:
            kind = _numbered(says, node, spoken_of, findings)
        own = {kind: text, **own} if kind else own
    return {kind: own[kind] for kind in findings.vocabulary.depth if kind in own}


def _inner_id(node: dict[str, Any], says: Label, ids: Ids, findings: Findings) -> dict[str, str]:
    """The thing that is named by an object in an object: {"id": 7, "owner": {"id": 3}}."""
    own = own_ids(node, says, ids, findings) if says.kind else {}
    return {kind: text for kind, text in own.items() if kind == says.kind}


def _numbered(says: Label, node: dict[str, Any], ids: Ids, findings: Findings) -> str | None:
    """The kind of what a bare number identifies: what is listed of the thing spoken of, if the object does not list."""
    kind = findings.next_kind(ids) if set(words(says.name)) <= _NUMBERS else None
    return None if any(label(findings.vocabulary, key).holds == kind for key in node) else kind


def _kind_of(says: Label, text: str, under: Label, ids: Ids, findings: Findings) -> str | None:
    """The kind of what an `id` or a `name` identifies, under the label of its object."""
    if under.is_foreign:
        return None
    hint = under.holds if text and says.name.lower() != "name" else None
    return findings.kind_of(text, ids, hint)


def is_scalar(value: Any) -> bool:
    """Whether a value can be an identifier."""
    return isinstance(value, (str, int)) and not isinstance(value, bool)
