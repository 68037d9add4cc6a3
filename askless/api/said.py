"""What messages say, their ids aside.

Nearly every message is a text, calls, or results that are texts. Such a one is told at a glance: its shape is right, it
marks nothing for the prompt cache, and this is what it says. Any other may be right as well; blocks.py knows.
"""

import re
from typing import Any, NamedTuple

CALL_ID = re.compile(r"[a-zA-Z0-9_-]+")
CALL_NAME_CHARS = 200
CALL_FIELDS = len(("type", "id", "name", "input"))
RESULT_FIELDS = len(("type", "tool_use_id", "content"))  # and is_error, which may be left out


class Said(NamedTuple):
    """One message. Its ids are those of its calls, or of the calls that it answers."""

    form: str  # user, assistant: a text; calls; results, followed by a 1 for each that is an error, else a 0
    texts: list[str]  # the text; the names; what the results say
    ids: list[str]
    inputs: list[dict[str, Any]] | tuple[()] = ()


def said(message: Any) -> Said | None:
    """A message of a usual form; None for any other value."""
    if type(message) is not dict or len(message) != 2:
        return None
    role, content = message.get("role"), message.get("content")
    if type(content) is str:
        return Said(role, [content], []) if role in ("user", "assistant") and _is_text(content) else None
    if type(content) is not list or not content:
        return None
    try:
        kinds = {block["type"] for block in content}
        if role == "user" and kinds == {"tool_result"}:
            return _results(content)
        return _calls(content) if role == "assistant" and kinds == {"tool_use"} else None
    except (KeyError, TypeError, AttributeError):  # a field is missing, or what should be an object is none
        return None


def _is_text(text: str) -> bool:
    return text != "" and not text.isspace()


def _calls(content: list[dict[str, Any]]) -> Said | None:
    ids = [block["id"] for block in content]
    names = [block["name"] for block in content]
    inputs = [block["input"] for block in content]
    plain = {len(block) for block in content} == {CALL_FIELDS} and {type(given) for given in inputs} == {dict}
    if not plain or not _are_ids(ids) or not _are_texts(names) or any(len(name) > CALL_NAME_CHARS for name in {*names}):
        return None
    return Said("calls", names, ids, inputs)


def _results(content: list[dict[str, Any]]) -> Said | None:
    ids = [block["tool_use_id"] for block in content]
    texts = [block["content"] for block in content]
    form = "results"
    if {len(block) for block in content} != {RESULT_FIELDS}:
        flags = [block["is_error"] for block in content if "is_error" in block]
        if {*map(type, flags)} != {bool} or sum(map(len, content)) != len(content) * RESULT_FIELDS + len(flags):
            return None
        form += "".join("1" if block.get("is_error") else "0" for block in content)
    return Said(form, texts, ids) if _are_ids(ids) and _are_texts(texts) else None


def _are_texts(values: list[Any]) -> bool:
    return {type(value) for value in values} == {str} and "" not in values


def _are_ids(values: list[Any]) -> bool:
    return _are_texts(values) and CALL_ID.fullmatch("".join(values)) is not None
