"""Reports of missing things in nested data: what stands under `missing` or `error`, or a false `found`."""

from collections.abc import Mapping
from typing import Any

from askless.model.findings import Findings, Ids
from askless.model.ids import normal, tokens
from askless.model.vocabulary import word_set, words

_SUCCESSES = word_set("found exist exists ok success valid")


def says_no(node: Mapping[str, Any]) -> bool:
    """Whether an object says of itself that it was not found."""
    return any(value is False and set(words(key)) <= _SUCCESSES for key, value in node.items())


def in_pair(node: list[Any], findings: Findings) -> bool:
    """Whether a list is a thing asked about and, in place of its data, a word that there is none."""
    return len(node) == 2 and normal(str(node[0])) in findings.asked and findings.gives_none(node[1])


def read(value: Any, ids: Ids, findings: Findings) -> None:
    """Read what stands under a name for missing things: the things asked about in it, else the one spoken of."""
    keyed = [key for key in value if normal(key) in findings.asked] if isinstance(value, dict) else []
    if isinstance(value, list):
        for entry in value:
            read(entry, ids, findings)
    elif keyed:
        for key in keyed:
            findings.lose(normal(key), _said(value[key], findings))
    elif value:
        named = findings.asked & tokens(str(value))
        spoken_of = [ids.get(findings.about.kind)] if value is True or not isinstance(value, int) else []
        for thing in sorted(named) or spoken_of:
            findings.lose(thing, _said(value, findings))


def _said(value: Any, findings: Findings) -> str:
    """The words of a report: its first text that is no thing asked about."""
    texts = list(value.values()) if isinstance(value, dict) else [value]
    said = (text for text in texts if isinstance(text, str) and normal(text) not in findings.asked)
    return next(said, "not found")
