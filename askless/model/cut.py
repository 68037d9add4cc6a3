"""The cut at `max_tokens`.

A call that does not fit is left with an empty input and the reply stops with
`max_tokens`, as the API leaves an unfinished `tool_use` block (catalog:
cut-tool-use). No code can take that for a call where its tool requires
a property; where a tool requires none, the block is left out altogether.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from askless.api.parts import CHARS_PER_TOKEN, SEPARATOR_CHARS, as_json
from askless.model import Reply

Block = dict[str, Any]

BRACKETS_CHARS = len("[]")


def fit(blocks: Iterable[Block], fields: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Reply:
    """The reply that holds as much of these blocks as the request's `max_tokens` lets it."""
    limit = fields.get("max_tokens")
    left = (limit + 1) * CHARS_PER_TOKEN - 1 - BRACKETS_CHARS if isinstance(limit, int) else None
    content: list[Block] = []
    for block in blocks:
        if left is not None:
            separator = SEPARATOR_CHARS if content else 0
            size = len(as_json(block)) + separator
            if size > left:
                rest = _begun(block, left - separator, tools)
                return Reply((*content, *rest), "max_tokens")
            left -= size
        content.append(block)
    return Reply(tuple(content), "tool_use" if content and content[-1]["type"] == "tool_use" else "end_turn")


def _begun(block: Block, left: int, tools: Sequence[Mapping[str, Any]]) -> list[Block]:
    """What is left of a block that does not fit in so many characters."""
    if block["type"] == "text":
        return _cut_text(block["text"], left)
    begun = {**block, "input": {}}
    return [begun] if len(as_json(begun)) <= left and _requires_input(block["name"], tools) else []


def _cut_text(text: str, left: int) -> list[Block]:
    over = len(as_json({"type": "text", "text": text})) - left
    kept = text[: max(0, len(text) - over)].rstrip()
    return [{"type": "text", "text": kept}] if kept else []


def _requires_input(name: str, tools: Sequence[Mapping[str, Any]]) -> bool:
    tool = next((tool for tool in tools if tool.get("name") == name), {})
    schema = tool.get("input_schema")
    return bool(isinstance(schema, Mapping) and schema.get("required"))
