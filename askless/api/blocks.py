"""The shape of one message: its role, its content blocks and their fields."""

import re
from typing import Any

from askless.api.cache_marks import CACHE_CONTROL, MARK_ON_NOTHING
from askless.api.fields import TEXT_BLOCK
from askless.api.refusal import Refusal, Rule, invalid
from askless.api.shape import Check, Items, Nullable, OneOf, Record, Tagged, TextOr, anything, flag, mapping, text

CALL_ID = re.compile(r"[a-zA-Z0-9_-]+")
CALL_NAME_CHARS = 200

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
SPEAKERS = {"tool_use": "assistant", "tool_result": "user", "thinking": "assistant", "redacted_thinking": "assistant"}

MESSAGE_EMPTY = invalid(
    "message-empty",
    what="A message has content.",
    text="{place}: all messages must have non-empty content except for the optional final assistant message",
    mend="Leave the empty message out; an empty reply is not sent back.",
    known=("reported", "report-message-empty", "2025-08-28"),
)
TEXT_EMPTY = invalid(
    "text-empty",
    what="A text block is not empty.",
    text="messages: text content blocks must be non-empty",
    mend="Leave {place} out.",
    known=("reported", "report-text-empty", "2026-05-16"),
)
TEXT_BLANK = invalid(
    "text-blank",
    what="A text block is not white space alone.",
    text="messages: text content blocks must contain non-whitespace text",
    mend="Leave {place} out.",
    known=("reported", "report-text-blank", "2026-02-05"),
)
ERROR_EMPTY = invalid(
    "error-result-empty",
    what="A tool_result with is_error true says something.",
    text="{place}: content cannot be empty if `is_error` is true",
    mend="Say in content what went wrong and what to try next.",
    known=("reported", "report-error-result-empty", "2026-06-10"),
)
CALL_ID_FORM = invalid(
    "call-id-form",
    what="The id of a call is made of letters, digits, _ and -.",
    text="{place}: String should match pattern '^[a-zA-Z0-9_-]+$'",
    mend="Send the id back as the reply gave it.",
    known=("reported", "report-call-id-form", "2025-12-13"),
)
CALL_NAME_LENGTH = invalid(
    "call-name-length",
    what="The name in a call has 1 to 200 characters.",
    text="{place}: String should have at {limit}",
    mend="Send the call back as the reply gave it.",
    known=("reported", "report-call-name-length", "2026-04-28"),
)
BLOCK_MISPLACED = invalid(
    "block-misplaced",
    what="Calls and thinking stand in the assistant's messages, results in the user's, text alone in the system's.",
    text="{place}: `{type}` blocks can only be in `{role}` messages",
    mend="Move the block into a message of the role {role}.",
    known=("reported", "report-block-misplaced", "2026-03-19"),
)
RULES: tuple[Rule, ...] = (
    MESSAGE_EMPTY,
    TEXT_EMPTY,
    TEXT_BLANK,
    ERROR_EMPTY,
    CALL_ID_FORM,
    CALL_NAME_LENGTH,
    BLOCK_MISPLACED,
)


def refusal(index: int, message: Any) -> Refusal | None:
    """The refusal of one message, seen alone. That an assistant's may be empty when it is last is not seen here."""
    place = f"messages.{index}"
    fault = MESSAGE(place, message)
    if fault:
        return fault
    role, content = message["role"], message["content"]
    if not content:
        return None if role == "assistant" else MESSAGE_EMPTY.refuse(place)
    if isinstance(content, str):
        return None if content.strip() else TEXT_BLANK.refuse(place)
    faults = (_block_refusal(index, at, role, block) for at, block in enumerate(content))
    return next(filter(None, faults), None)


def _block_refusal(index: int, at: int, role: str, block: dict[str, Any]) -> Refusal | None:
    place, kind = f"messages.{index}.content.{at}", block["type"]
    speaker = SPEAKERS.get(kind, role)
    if speaker != role or (role == "system" and kind != "text"):
        return BLOCK_MISPLACED.refuse(f"messages.{index}", type=kind, role=speaker if speaker != role else "user")
    look = {"text": _text_refusal, "tool_use": _call_refusal, "tool_result": _result_refusal}.get(kind)
    return look(place, block) if look else None


def _text_refusal(place: str, block: dict[str, Any]) -> Refusal | None:
    if not block["text"]:
        marked = block.get("cache_control")
        return MARK_ON_NOTHING.refuse(f"{place}.text") if marked else TEXT_EMPTY.refuse(place)
    return None if block["text"].strip() else TEXT_BLANK.refuse(place)


def _call_refusal(place: str, block: dict[str, Any]) -> Refusal | None:
    if not CALL_ID.fullmatch(block["id"]):
        return CALL_ID_FORM.refuse(f"{place}.tool_use.id")
    if not block["name"]:
        return CALL_NAME_LENGTH.refuse(f"{place}.tool_use.name", limit="least 1 character")
    if len(block["name"]) > CALL_NAME_CHARS:
        return CALL_NAME_LENGTH.refuse(f"{place}.tool_use.name", limit="most 200 characters")
    return None


def _result_refusal(place: str, block: dict[str, Any]) -> Refusal | None:
    if not CALL_ID.fullmatch(block["tool_use_id"]):
        return CALL_ID_FORM.refuse(f"{place}.tool_result.tool_use_id")
    content = block.get("content")
    if block.get("is_error") and not content:
        return ERROR_EMPTY.refuse(f"{place}.tool_result")
    inner = enumerate(content if isinstance(content, list) else ())
    empty = (at for at, each in inner if each["type"] == "text" and not each["text"])
    at = next(empty, None)
    return None if at is None else TEXT_EMPTY.refuse(f"{place}.tool_result.content.{at}")
