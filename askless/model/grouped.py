"""Things in lists under their values: {"packed": ["ord-1"], "in_transit": ["ord-2", "ord-3"]}."""

from typing import Any

from askless.model.findings import LOWEST, Findings, Ids
from askless.model.ids import is_identifier
from askless.model.label import Label, label
from askless.model.named import is_scalar, own_ids


def read(node: dict[str, Any], ids: Ids, findings: Findings) -> bool:
    """Read an object that groups what the thing spoken of lists by its value; False where it is none.

    Each list's name is a value, so it is no word of the task's and no plural, and
    nothing else in the object holds data.
    """
    groups = {label(findings.vocabulary, key): value for key, value in node.items() if isinstance(value, (list, dict))}
    if not groups or not all(_is_group(says, groups[says]) for says in groups):
        return False
    kind = findings.next_kind(ids)
    fact = findings.vocabulary.values.get(kind) if kind else None
    if not kind or not fact:
        return False
    named = findings.vocabulary.listed_by[kind].name
    findings.named.add(named)
    for says, entries in groups.items():
        for thing in filter(None, (_thing(entry, kind, ids, findings) for entry in entries)):
            findings.value(fact, findings.enter(ids, kind, thing), says.name.replace("_", " "), rank=LOWEST + 1)
    return True


def _is_group(says: Label, entries: Any) -> bool:
    is_value = says.is_foreign and not says.is_loss and not says.is_identifier and not says.name.lower().endswith("s")
    return is_value and isinstance(entries, list) and all(_is_thing(entry) for entry in entries)


def _is_thing(entry: Any) -> bool:
    return isinstance(entry, dict) or (is_scalar(entry) and (str(entry).isdecimal() or is_identifier(str(entry))))


def _thing(entry: Any, kind: str, ids: Ids, findings: Findings) -> str | None:
    """What an entry of a list identifies."""
    if isinstance(entry, dict):
        return own_ids(entry, label(findings.vocabulary, ""), ids, findings, listed=True).get(kind)
    return str(entry)
