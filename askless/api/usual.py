"""Messages of a usual form, told at a glance.

Nearly every message is a text, calls, or results that are texts. Such a one is right in its shape and marks nothing for
the prompt cache. Any other may be right as well; blocks.py knows.
"""

import re
from typing import Any

CALL_ID = re.compile(r"[a-zA-Z0-9_-]+")
CALL_NAME_CHARS = 200
CALL_FIELDS = len(("type", "id", "name", "input"))
RESULT_FIELDS = len(("type", "tool_use_id", "content"))  # and is_error, which may be left out


def is_usual(message: Any) -> bool:
    """Whether any value is such a message."""
    if type(message) is not dict or len(message) != 2:
        return False
    role, content = message.get("role"), message.get("content")
    if type(content) is str:
        return role in ("user", "assistant") and content != "" and not content.isspace()
    if type(content) is not list or not content:
        return False
    try:
        kinds = {block["type"] for block in content}
        if role == "user" and kinds == {"tool_result"}:
            return _are_results(content)
        return role == "assistant" and kinds == {"tool_use"} and _are_calls(content)
    except (KeyError, TypeError, AttributeError):  # a field is missing, or what should be an object is none
        return False


def _are_calls(content: list[dict[str, Any]]) -> bool:
    names = [block["name"] for block in content]
    plain = {len(block) for block in content} == {CALL_FIELDS} and {type(block["input"]) for block in content} == {dict}
    short = _are_texts(names) and all(len(name) <= CALL_NAME_CHARS for name in {*names})
    return plain and short and _are_ids([block["id"] for block in content])


def _are_results(content: list[dict[str, Any]]) -> bool:
    if {len(block) for block in content} != {RESULT_FIELDS}:
        flags = [block["is_error"] for block in content if "is_error" in block]
        if {*map(type, flags)} != {bool} or sum(map(len, content)) != len(content) * RESULT_FIELDS + len(flags):
            return False
    ids = [block["tool_use_id"] for block in content]
    return _are_ids(ids) and _are_texts([block["content"] for block in content])


def _are_texts(values: list[Any]) -> bool:
    return {type(value) for value in values} == {str} and "" not in values


def _are_ids(values: list[Any]) -> bool:
    return _are_texts(values) and CALL_ID.fullmatch("".join(values)) is not None
