"""Facts in nested data: objects inherit the identifiers of what they stand in.

Read by what fields are called, what dictionary keys are, and which identifiers
are known; the nesting itself does not matter.
"""

from typing import Any

from askless.model import grouped, losses, prose
from askless.model.absence import in_place_of_data
from askless.model.findings import LOWEST, Findings, Ids
from askless.model.ids import find, is_identifier, normal, tokens
from askless.model.label import NO_LABEL, Label, label
from askless.model.named import is_scalar, own_ids
from askless.model.parsing import parsed
from askless.model.vocabulary import Fact, words


def read(data: Any, findings: Findings) -> None:
    """Note every fact that the data holds."""
    if not _by_position(data, findings):
        _walk(data, NO_LABEL, findings.start, findings)


def _by_position(data: Any, findings: Findings) -> bool:
    """A list without identifiers of its own, one entry for each thing asked about, is read in the order asked."""
    asked = findings.about.items
    rows = _only_list(data) if findings.about.many and len(asked) > 1 else None
    if rows is None or len(rows) != len(asked) or findings.asked & tokens(str(rows)):
        return False
    for item, row in zip(asked, rows, strict=True):
        _under(row, findings.about.kind, findings.enter({}, findings.about.kind, item), findings)
    return True


def _only_list(data: Any) -> list[Any] | None:
    if isinstance(data, dict) and len(data) == 1:
        return _only_list(next(iter(data.values())))
    return data if isinstance(data, list) else None


def _walk(node: Any, under: Label, ids: Ids, findings: Findings) -> None:
    """Read a value that stands under a label, which is NO_LABEL where an identifier or nothing labels it."""
    if isinstance(node, dict):
        _object(node, under, ids, findings)
    elif not isinstance(node, list):
        _scalar(node, under, ids, findings)
    elif losses.in_pair(node, findings):
        findings.lose(normal(str(node[0])), node[1])
    elif _is_row(node):
        for entry in node:
            ids = _cell(entry, under, ids, findings)
    else:
        for entry in node:
            _entry(entry, under, ids, findings)
            if under.is_foreign:
                _listed_under_a_value(entry, under.name, ids, findings)


def _entry(entry: Any, under: Label, ids: Ids, findings: Findings) -> None:
    """Read an entry of a list; a bare number in a list under a thing is something that it lists."""
    if isinstance(entry, dict):
        _object(entry, under, ids, findings, listed=True)
        return
    is_number = under is NO_LABEL and is_scalar(entry) and str(entry).isdecimal()
    kind = findings.next_kind(ids) if is_number else None
    if kind:
        findings.enter(ids, kind, str(entry))
    else:
        _walk(entry, under, ids, findings)


def _listed_under_a_value(entry: Any, value: str, ids: Ids, findings: Findings) -> None:
    """A thing asked about that is listed under a value has that value."""
    fact = findings.vocabulary.values.get(findings.about.kind)
    if fact and isinstance(entry, str) and normal(entry) in findings.asked:
        findings.value(fact, {**ids, fact.of: normal(entry)}, value, rank=LOWEST + 1)


def _is_row(node: list[Any]) -> bool:
    """Whether a list is a row of its own: an identifier, maybe more, and what is told of the last."""
    begins = len(node) > 1 and isinstance(node[0], str) and is_identifier(node[0])
    return begins and not _is_identifier(node[-1])


def _is_identifier(value: Any) -> bool:
    return value is None or (isinstance(value, str) and (not value or is_identifier(value)))


def _cell(entry: Any, under: Label, ids: Ids, findings: Findings) -> Ids:
    """Read one cell of a row; the things spoken of after it."""
    if is_scalar(entry):
        return _scalar(entry, under, ids, findings)
    _walk(entry, under, ids, findings)
    return ids


def _object(node: dict[str, Any], under: Label, ids: Ids, findings: Findings, *, listed: bool = False) -> None:
    if not node:  # as for most of ten thousand
        return
    for kind, name in own_ids(node, under, ids, findings, listed=listed).items():
        ids = findings.enter(ids, kind, name)
    if losses.says_no(node):
        findings.lose(ids.get(findings.about.kind), node.get("error") or None)
    if grouped.read(node, ids, findings):
        return
    _columns(node, ids, findings)
    for key, value in node.items():
        _field(label(findings.vocabulary, key), value, ids, findings)
    _lone_string(node, ids, findings)


def _columns(node: dict[str, Any], ids: Ids, findings: Findings) -> None:
    """Two lists of a length beside each other: things, and a value of each."""
    lists = {key: value for key, value in node.items() if isinstance(value, list)}
    if len(lists) < 2:
        return
    for key, values in lists.items():
        fact = label(findings.vocabulary, key).value
        for other, things in lists.items() if fact else ():
            if fact and label(findings.vocabulary, other).kind == fact.of and len(things) == len(values):
                for thing, value in zip(things, values, strict=True):
                    if isinstance(thing, str) and isinstance(value, str):
                        findings.value(fact, findings.enter(ids, fact.of, thing), value)


def _field(says: Label, value: Any, ids: Ids, findings: Findings) -> None:
    kind = _kind_of_key(says, ids, findings)
    if kind:
        _under(value, kind, findings.enter(ids, kind, says.name), findings)
    elif says.is_loss:
        losses.read(value, ids, findings)
    elif says.value and _is_single(value):
        _value(says.value, says.name, value, ids, findings)
    elif isinstance(value, (dict, list)):
        _note_place(says, findings)
        _walk(value, says, ids, findings)
    elif says.kind:
        _listed_in_a_field(says, value, ids, findings)
    elif isinstance(value, str):
        _scalar(value, says, ids, findings)


def _kind_of_key(key: Label, ids: Ids, findings: Findings) -> str | None:
    """The kind of a dictionary key that is itself an identifier."""
    known = findings.kinds.get(normal(key.name))
    if known:
        return known
    if key.name.isdecimal():
        return findings.next_kind(ids)
    return findings.kind_of(key.name, ids) if key.is_identifier else None


def _note_place(says: Label, findings: Findings) -> None:
    fact = findings.vocabulary.listed_by.get(says.holds) if says.holds else None
    if fact:
        findings.named.add(fact.name)


def _listed_in_a_field(says: Label, value: Any, ids: Ids, findings: Findings) -> None:
    """A field named for a kind: several identifiers in one text, or a null in place of a list."""
    _note_place(says, findings)
    if findings.gives_none(value) and _plural(says.name):
        findings.lose(ids.get(findings.about.kind), value)
    elif isinstance(value, str) and (" " in value or not is_identifier(value)):
        prose.read(value, ids, findings)


def _plural(key: str) -> bool:
    return key.lower().endswith("s")


def _under(value: Any, kind: str, ids: Ids, findings: Findings) -> None:
    """Read what stands under the identifier of a thing of a kind."""
    if in_place_of_data(value) or (kind == findings.about.kind and findings.gives_none(value)):
        findings.lose(ids[kind], value)
    elif isinstance(value, str) and kind in findings.vocabulary.values and not any(find(value)):
        findings.value(findings.vocabulary.values[kind], ids, value)
    else:
        _walk(value, NO_LABEL, ids, findings)


def _value(fact: Fact, key: str, value: Any, ids: Ids, findings: Findings) -> None:
    """Read what stands under the name of a one-value fact; a key with more of the fact's words counts for more."""
    if isinstance(value, dict):
        value = next((text for text in value.values() if isinstance(text, str)), None)
    if not isinstance(value, str):
        return
    if fact.of not in ids and findings.says_absent(value):
        findings.lose(ids.get(findings.about.kind), value)
    findings.value(fact, ids, value, rank=len(fact.words & set(words(key))))


def _is_single(value: Any) -> bool:
    """Whether what stands under a fact's name is one value, be it with labels, and not rows of their own."""
    if not isinstance(value, dict):
        return not isinstance(value, list)
    nested = any(isinstance(inner, (dict, list)) for inner in value.values())
    return not nested and not any(is_identifier(key) for key in value)


def _scalar(value: Any, under: Label, ids: Ids, findings: Findings) -> Ids:
    """Read a single value; the things spoken of after it."""
    text = str(value) if is_scalar(value) else ""
    known = normal(text) in findings.kinds
    if not text or (under.is_foreign and not known and not _tells(text, findings)):
        return ids
    if known or is_identifier(text) or (under.kind and " " not in text):
        kind = findings.kind_of(text, ids, under.kind)
        return findings.enter(ids, kind, text) if kind else ids
    data = parsed(text)
    if isinstance(data, str):
        prose.read(text, ids, findings)
    else:
        _walk(data, under, ids, findings)
    return ids


def _tells(text: str, findings: Findings) -> bool:
    """Whether a text under a foreign name still reports something missing."""
    return findings.about.many and findings.says_absent(text)


def _lone_string(node: dict[str, Any], ids: Ids, findings: Findings) -> None:
    """The only other text beside the identifier of a thing asked about is its value."""
    fact = findings.vocabulary.values.get(findings.about.kind)
    if fact is None or fact.of not in ids or findings.found(fact, ids[fact.of]):
        return
    texts = [
        value
        for key, value in node.items()
        if isinstance(value, str)
        and not label(findings.vocabulary, key).is_loss
        and normal(value) not in findings.kinds
        and not _digit(value)
    ]
    if len(texts) == 1:
        findings.value(fact, ids, texts[0])


def _digit(text: str) -> bool:
    return any(char.isdigit() for char in text)
