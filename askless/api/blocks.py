"""The shape of one message: its role, its content blocks and their fields."""

from typing import Any

from askless.api.cache_marks import CACHE_CONTROL
from askless.api.fields import TEXT_BLOCK
from askless.api.refusal import Refusal, refuse
from askless.api.shape import Check, Items, Nullable, OneOf, Record, Tagged, TextOr, anything, flag, mapping, text
from askless.api.usual import CALL_ID, CALL_NAME_CHARS

MARKED: dict[str, Check] = {"cache_control": CACHE_CONTROL}
_TYPE: dict[str, Check] = {"type": anything}
_SERVED = Record({**_TYPE, "tool_use_id": text, "content": anything}, {**MARKED, "caller": anything})
_UNCALLED = Record({**_TYPE, "tool_use_id": text, "content": anything}, MARKED)

IMAGE = Record({**_TYPE, "source": mapping}, {**MARKED, "transformations": anything})
DOCUMENT = Record(
    {**_TYPE, "source": mapping},
    {**MARKED, "citations": anything, "context": Nullable(text), "title": Nullable(text)},
)
SEARCH_RESULT = Record(
    {**_TYPE, "content": Items(TEXT_BLOCK), "source": text, "title": text},
    {**MARKED, "citations": anything},
)
RESULT_CONTENT: dict[str, Check] = {
    "text": TEXT_BLOCK,
    "image": IMAGE,
    "search_result": SEARCH_RESULT,
    "document": DOCUMENT,
    "tool_reference": Record({**_TYPE, "tool_name": text}, MARKED),
    "browser_state": Record({**_TYPE, "tabs": Items(anything)}, {**MARKED, "state_changes": anything}),
}
CONTENT: dict[str, Check] = {
    "text": TEXT_BLOCK,
    "image": IMAGE,
    "document": DOCUMENT,
    "search_result": SEARCH_RESULT,
    "thinking": Record({**_TYPE, "signature": text, "thinking": text}, {}),
    "redacted_thinking": Record({**_TYPE, "data": text}, {}),
    "tool_use": Record(
        {**_TYPE, "id": text, "input": mapping, "name": text},
        {**MARKED, "caller": anything, "toolset_name": Nullable(text)},
    ),
    "tool_result": Record(
        {**_TYPE, "tool_use_id": text},
        {
            **MARKED,
            "content": TextOr(Items(Tagged(RESULT_CONTENT))),
            "is_error": flag,
            "toolset_name": Nullable(text),
        },
    ),
    "server_tool_use": Record({**_TYPE, "id": text, "input": mapping, "name": text}, {**MARKED, "caller": anything}),
    "web_search_tool_result": _SERVED,
    "web_fetch_tool_result": _SERVED,
    "code_execution_tool_result": _UNCALLED,
    "bash_code_execution_tool_result": _UNCALLED,
    "text_editor_code_execution_tool_result": _UNCALLED,
    "tool_search_tool_result": _UNCALLED,
    "container_upload": Record({**_TYPE, "file_id": text}, MARKED),
}
ROLES = ("user", "assistant", "system")
MESSAGE = Record({"role": OneOf(ROLES), "content": TextOr(Items(Tagged(CONTENT)))}, {})
SPEAKERS = {  # who alone may send a block (catalog: api-version-2026-10-21)
    "tool_use": "assistant",
    "thinking": "assistant",
    "redacted_thinking": "assistant",
    "tool_result": "user",
    "document": "user",
}


def refusal(index: int, message: Any) -> Refusal | None:
    """The refusal of one message, seen alone. That an assistant's may be empty when it is last is not seen here."""
    place = f"messages.{index}"
    fault = MESSAGE(place, message)
    if fault:
        return fault
    role, content = message["role"], message["content"]
    if not content:
        return None if role == "assistant" else refuse("message-empty", place)
    if isinstance(content, str):
        return None if content.strip() else refuse("text-blank", place)
    for at, block in enumerate(content):
        fault = _block_refusal(index, at, role, block)
        if fault:
            return fault
    return None


def _block_refusal(index: int, at: int, role: str, block: dict[str, Any]) -> Refusal | None:
    place, kind = f"messages.{index}.content.{at}", block["type"]
    speaker = SPEAKERS.get(kind, role)
    if speaker != role or (role == "system" and kind != "text"):
        return refuse("block-misplaced", f"messages.{index}", type=kind, role=speaker if speaker != role else "user")
    look = LOOKED_INTO.get(kind)
    return look(place, block) if look else None


def _text_refusal(place: str, block: dict[str, Any]) -> Refusal | None:
    if not block["text"]:
        marked = block.get("cache_control")
        return refuse("cache-empty-text", f"{place}.text") if marked else refuse("text-empty", place)
    return None if block["text"].strip() else refuse("text-blank", place)


def _call_refusal(place: str, block: dict[str, Any]) -> Refusal | None:
    if not CALL_ID.fullmatch(block["id"]):
        return refuse("call-id-form", f"{place}.tool_use.id")
    if not block["name"]:
        return refuse("call-name-length", f"{place}.tool_use.name", limit="least 1 character")
    if len(block["name"]) > CALL_NAME_CHARS:
        return refuse("call-name-length", f"{place}.tool_use.name", limit="most 200 characters")
    return None


def _result_refusal(place: str, block: dict[str, Any]) -> Refusal | None:
    if not CALL_ID.fullmatch(block["tool_use_id"]):
        return refuse("call-id-form", f"{place}.tool_result.tool_use_id")
    content = block.get("content")
    if block.get("is_error") and not content:
        return refuse("error-result-empty", f"{place}.tool_result")
    for at, each in enumerate(content if isinstance(content, list) else ()):
        if each["type"] == "text" and not each["text"]:
            return refuse("text-empty", f"{place}.tool_result.content.{at}")
    return None


LOOKED_INTO: dict[str, Check] = {"text": _text_refusal, "tool_use": _call_refusal, "tool_result": _result_refusal}
