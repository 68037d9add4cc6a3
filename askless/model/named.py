"""The things that an object's fields name, and what the names of fields say of what stands under them."""

from functools import lru_cache
from typing import Any

from askless.model.findings import Findings, Ids
from askless.model.ids import is_identifier, normal
from askless.model.vocabulary import ID_WORDS, Vocabulary, kind_held, kind_named, word_set, words

_GENERIC_IDS = ID_WORDS | {"name"}
_WRAPPERS = word_set(
    "data result item row record list response value output entry content body payload all detail "
    "edge node element attribute document hit match page"
)


def own_ids(node: dict[str, Any], label: str | None, ids: Ids, findings: Findings) -> dict[str, str]:
    """The things that an object's fields name, by kind, the highest kind first.

    A field named for a kind names one, be it an object of its own; an `id` names
    what its label says, else what it looks like.
    """
    scalars = {key: str(value) for key, value in node.items() if is_scalar(value) and not is_identifier(key)}
    own = {**_inner_ids(node, ids, findings), **_kinds_named(scalars, findings)}
    for key, text in scalars.items():
        if words(key) and set(words(key)) <= _GENERIC_IDS and " " not in text:
            kind = _kind_of(key, text, label, {**ids, **own}, findings)
            own = {kind: text, **own} if kind else own
    return dict(sorted(own.items(), key=lambda entry: findings.vocabulary.depth[entry[0]]))


def _kinds_named(scalars: dict[str, str], findings: Findings) -> dict[str, str]:
    own: dict[str, str] = {}
    for key, text in scalars.items():
        kind = kind_named(findings.vocabulary, key)
        if kind and text and " " not in text:
            own.setdefault(findings.kinds.get(normal(text), kind), text)
    return own


def _inner_ids(node: dict[str, Any], ids: Ids, findings: Findings) -> dict[str, str]:
    """The things that are named by objects in an object: {"id": 7, "owner": {"id": 3}}."""
    inner: dict[str, str] = {}
    for key, value in node.items():
        kind = kind_named(findings.vocabulary, key) if isinstance(value, dict) else None
        own = own_ids(value, key, ids, findings) if kind else {}
        inner.update({kind: own[kind]} if kind in own else {})
    return inner


def _kind_of(key: str, text: str, label: str | None, ids: Ids, findings: Findings) -> str | None:
    """The kind of what an `id` or a `name` identifies."""
    if is_foreign(findings.vocabulary, label):
        return None
    hint = kind_held(findings.vocabulary, label) if label and text and key.lower() != "name" else None
    return findings.kind_of(text, ids, hint)


def is_scalar(value: Any) -> bool:
    """Whether a value can be an identifier."""
    return isinstance(value, str | int) and not isinstance(value, bool)


@lru_cache(maxsize=4096)
def is_foreign(vocabulary: Vocabulary, label: str | None) -> bool:
    """Whether a label names something that is none of the task's: what stands under it is no thing of ours."""
    known = _WRAPPERS | _GENERIC_IDS | vocabulary.qualifiers | vocabulary.kind_by_word.keys()
    return bool(label) and not set(words(label or "")) <= known and not kind_held(vocabulary, label or "")
