"""The cut at `max_tokens`.

A call that does not fit is left with an empty input and the reply stops with
`max_tokens`, as the API leaves an unfinished `tool_use` block (catalog:
cut-tool-use). No code can take that for a call where its tool requires
a property; where a tool requires none, the block is left out altogether.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from askless.api.parts import CHARS_PER_TOKEN, SEPARATOR_CHARS, as_json
from askless.model import Reply

Block = dict[str, Any]

ENDLESS = sys.maxsize - 1  # a request may name any number
BRACKETS_CHARS = len("[]")


def fit(blocks: Iterable[Block], fields: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Reply:
    """The reply that holds as much of these blocks as the request's `max_tokens` lets it.

    Blocks that may be lazy are made only as far as they could fit, were each a token long.
    """
    given = fields.get("max_tokens")
    limit = min(given, ENDLESS) if isinstance(given, int) else ENDLESS
    most = (limit + 1) * CHARS_PER_TOKEN - 1
    content = tuple(islice(blocks, limit + 1))
    reply = Reply(content, "tool_use" if content and content[-1]["type"] == "tool_use" else "end_turn")
    return reply if reply.chars <= most else Reply(tuple(_cut(content, most, tools)), "max_tokens")


def _cut(blocks: Iterable[Block], most: int, tools: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    """The blocks that fit in so many characters, and what fits of the next."""
    left = most - BRACKETS_CHARS + SEPARATOR_CHARS
    for block in blocks:
        size = len(as_json(block)) + SEPARATOR_CHARS
        if size > left:
            yield from _begun(block, left - SEPARATOR_CHARS, tools)
            return
        left -= size
        yield block


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
