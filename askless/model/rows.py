"""Facts in nested data: objects inherit the identifiers of what they stand in.

Read by what fields are called, what dictionary keys are, and which identifiers
are known; the nesting itself does not matter.
"""

from typing import Any

from askless.model import losses, prose
from askless.model.findings import LOWEST, Findings, Ids
from askless.model.ids import find, is_identifier, normal, tokens
from askless.model.named import is_foreign, is_scalar, own_ids
from askless.model.parsing import parsed
from askless.model.vocabulary import Fact, kind_held, kind_named, value_named, words


def read(data: Any, findings: Findings) -> None:
    """Note every fact that the data holds."""
    ids = findings.start
    if not _by_position(data, findings):
        _walk(data, None, ids, findings)


def _by_position(data: Any, findings: Findings) -> bool:
    """A list without identifiers of its own, one entry for each thing asked about, is read in the order asked."""
    rows = _only_list(data)
    asked = findings.about.items
    if not findings.about.many or rows is None or len(rows) != len(asked) or len(asked) < 2:
        return False
    if findings.asked & tokens(str(rows)):
        return False
    for item, row in zip(asked, rows, strict=True):
        _under(row, findings.about.kind, findings.enter({}, findings.about.kind, item), findings)
    return True


def _only_list(data: Any) -> list[Any] | None:
    if isinstance(data, dict) and len(data) == 1:
        return _only_list(next(iter(data.values())))
    return data if isinstance(data, list) else None


def _walk(node: Any, label: str | None, ids: Ids, findings: Findings) -> None:
    """Read a value that stands under a label; None where an identifier or nothing labels it."""
    if isinstance(node, dict):
        _object(node, label, ids, findings)
    elif isinstance(node, list) and _is_row(node):
        for entry in node:
            ids = _cell(entry, label, ids, findings)
    elif isinstance(node, list):
        for entry in node:
            _entry(entry, label, ids, findings)
            _label(entry, label, ids, findings)
    else:
        _scalar(node, label, ids, findings)


def _entry(entry: Any, label: str | None, ids: Ids, findings: Findings) -> None:
    """Read an entry of a list; a bare number in a list under a thing is something that it lists."""
    kind = findings.next_kind(ids)
    if label is None and kind and is_scalar(entry) and str(entry).isdecimal():
        findings.enter(ids, kind, str(entry))
    else:
        _walk(entry, label, ids, findings)


def _label(entry: Any, label: str | None, ids: Ids, findings: Findings) -> None:
    """A thing asked about that is listed under a value has that value."""
    fact = findings.vocabulary.values.get(findings.about.kind)
    if (
        fact
        and label
        and isinstance(entry, str)
        and normal(entry) in findings.asked
        and is_foreign(findings.vocabulary, label)
    ):
        findings.value(fact, {**ids, fact.of: normal(entry)}, label, rank=LOWEST + 1)


def _is_row(node: list[Any]) -> bool:
    """Whether a list is a row of its own: an identifier, maybe more, and what is told of the last."""
    texts = [entry for entry in node if isinstance(entry, str)]
    return len(node) > 1 and texts[:1] == node[:1] and is_identifier(texts[0]) and not _is_identifier(node[-1])


def _is_identifier(value: Any) -> bool:
    return value is None or (isinstance(value, str) and (not value or is_identifier(value)))


def _cell(entry: Any, label: str | None, ids: Ids, findings: Findings) -> Ids:
    """Read one cell of a row; the things spoken of after it."""
    if is_scalar(entry):
        return _scalar(entry, label, ids, findings)
    _walk(entry, label, ids, findings)
    return ids


def _object(node: dict[str, Any], label: str | None, ids: Ids, findings: Findings) -> None:
    for kind, name in own_ids(node, label, ids, findings).items():
        ids = findings.enter(ids, kind, name)
    if losses.says_no(node):
        findings.lose(ids.get(findings.about.kind), str(node.get("error") or "not found"))
    _columns(node, ids, findings)
    for key, value in node.items():
        _field(key, value, ids, findings)
    _lone_string(node, ids, findings)


def _columns(node: dict[str, Any], ids: Ids, findings: Findings) -> None:
    """Two lists of a length beside each other: things, and a value of each."""
    lists = {key: value for key, value in node.items() if isinstance(value, list)}
    if len(lists) < 2:
        return
    for key, values in lists.items():
        fact = value_named(findings.vocabulary, key)
        for other, things in lists.items() if fact else ():
            if fact and kind_named(findings.vocabulary, other) == fact.of and len(things) == len(values):
                for thing, value in zip(things, values, strict=True):
                    if isinstance(thing, str) and isinstance(value, str):
                        findings.value(fact, findings.enter(ids, fact.of, thing), value)


def _field(key: str, value: Any, ids: Ids, findings: Findings) -> None:
    kind = _kind_of_key(key, ids, findings)
    if kind:
        _under(value, kind, findings.enter(ids, kind, key), findings)
    elif losses.is_named(key):
        losses.read(value, ids, findings)
    elif (fact := value_named(findings.vocabulary, key)) and _is_single(value):
        _value(fact, key, value, ids, findings)
    elif isinstance(value, dict | list):
        _note_place(key, findings)
        _walk(value, key, ids, findings)
    elif kind_named(findings.vocabulary, key):
        _listed_in_a_field(key, value, ids, findings)
    elif isinstance(value, str):
        _scalar(value, key, ids, findings)


def _kind_of_key(key: str, ids: Ids, findings: Findings) -> str | None:
    """The kind of a dictionary key that is itself an identifier."""
    if normal(key) in findings.kinds:
        return findings.kinds[normal(key)]
    if key.isdecimal():
        return findings.next_kind(ids)
    return findings.kind_of(key, ids) if is_identifier(key) else None


def _note_place(key: str, findings: Findings) -> None:
    held = kind_held(findings.vocabulary, key)
    findings.named.update(fact.name for fact in findings.vocabulary.facts if fact.lists == held and held)


def _listed_in_a_field(key: str, value: Any, ids: Ids, findings: Findings) -> None:
    """A field named for a kind: several identifiers in one text, or a null in place of a list."""
    _note_place(key, findings)
    if isinstance(value, str):
        if " " in value or not is_identifier(value):
            prose.read(value, ids, findings)
    elif value is None and _plural(key):
        findings.lose(ids.get(findings.about.kind))


def _plural(key: str) -> bool:
    return key.lower().endswith("s")


def _under(value: Any, kind: str, ids: Ids, findings: Findings) -> None:
    """Read what stands under the identifier of a thing of a kind."""
    if value is None:
        findings.lose(ids[kind])
    elif isinstance(value, str) and findings.about.many and kind == findings.about.kind and findings.says_absent(value):
        findings.lose(ids[kind], value)
    elif isinstance(value, str) and kind in findings.vocabulary.values and not any(find(value)):
        findings.value(findings.vocabulary.values[kind], ids, value)
    else:
        _walk(value, None, ids, findings)


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
    nested = any(isinstance(inner, dict | list) for inner in value.values())
    return not nested and not any(is_identifier(key) for key in value)


def _scalar(value: Any, label: str | None, ids: Ids, findings: Findings) -> Ids:
    """Read a single value; the things spoken of after it."""
    text = str(value) if is_scalar(value) else ""
    hint = kind_named(findings.vocabulary, label) if label else None
    known = normal(text) in findings.kinds
    if not text or (is_foreign(findings.vocabulary, label) and not known and not _tells(text, findings)):
        return ids
    if known or is_identifier(text) or (hint and " " not in text):
        kind = findings.kind_of(text, ids, hint)
        return findings.enter(ids, kind, text) if kind else ids
    data = parsed(text)
    if isinstance(data, str):
        prose.read(text, ids, findings)
    else:
        _walk(data, label, ids, findings)
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
        and not losses.is_named(key)
        and normal(value) not in findings.kinds
        and not _digit(value)
    ]
    if len(texts) == 1:
        findings.value(fact, ids, texts[0])


def _digit(text: str) -> bool:
    return any(char.isdigit() for char in text)
