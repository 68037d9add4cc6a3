"""A message as server-sent events, and events read back as a message (catalog: streaming-events)."""

import json
from collections.abc import Iterator
from typing import Any

from askless.api.conversation import Message
from askless.api.parts import as_json

PIECE_CHARS = 16  # about as long as a real stream's pieces

Event = dict[str, Any]

# The status that an error would have had as a reply of its own; a stream has sent its 200 before.
ERROR_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
API_ERROR = 500


def encode(message: Message) -> bytes:
    """A whole message as the text of its stream."""
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events(message)).encode()


def events(message: Message) -> Iterator[Event]:
    """The events of a message, in the documented order; what is not yet known when one is sent is null in it.

    A message without a stop reason was cut off, and so are its events; of {} there are none.
    """
    if not message:
        return
    usage = message["usage"]
    begun = {**usage, "output_tokens": min(1, usage["output_tokens"])}
    yield {
        "type": "message_start",
        "message": {**message, "content": [], "stop_reason": None, "stop_sequence": None, "usage": begun},
    }
    yield {"type": "ping"}
    for index, block in enumerate(message["content"]):
        yield from _block_events(index, block)
    if message["stop_reason"] is None:
        return
    stop = {name: message.get(name) for name in ("stop_reason", "stop_sequence", "stop_details")}
    totals = {name: count for name, count in usage.items() if name.endswith("_tokens")}  # cumulative, not differences
    yield {"type": "message_delta", "delta": stop, "usage": totals}
    yield {"type": "message_stop"}


def _block_events(index: int, block: dict[str, Any]) -> Iterator[Event]:
    empty, deltas = _opened(block)
    yield {"type": "content_block_start", "index": index, "content_block": empty}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _opened(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as its start shows it, and the deltas that fill it; a block of another type starts whole."""
    if block["type"] == "text":
        return {**block, "text": ""}, [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
    if block["type"] == "tool_use":
        pieces = ["", *_pieces(as_json(block["input"]))] if block["input"] else [""]
        return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return block, []


def _pieces(text: str) -> list[str]:
    return [text[start : start + PIECE_CHARS] for start in range(0, len(text), PIECE_CHARS)]


def decode(text: str) -> tuple[int, dict[str, Any]]:
    """(status, reply) of a stream's text, which may stop anywhere.

    The reply holds what arrived: a stream cut short has no stop reason, and of a
    block that was never closed only text is kept, because an unfinished call is
    not a call. An error event gives its envelope and the status of its kind.
    """
    reply = _Reply()
    for event in _events_of(text):
        if event.get("type") == "error":
            return ERROR_STATUS.get(event["error"]["type"], API_ERROR), event
        reply.add(event)
    return 200, reply.message()


def _events_of(text: str) -> Iterator[Event]:
    """Every whole event's data, up to one that is not the API's."""
    for chunk in text.replace("\r\n", "\n").split("\n\n")[:-1]:
        data = "\n".join(line[5:] for line in chunk.split("\n") if line.startswith("data:"))
        try:
            event = json.loads(data or "{}")
        except ValueError:
            return
        yield event


class _Reply:
    """A message that grows by events."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._json: dict[int, str] = {}  # partial inputs
        self._open: set[int] = set()

    def add(self, event: Event) -> None:
        """Take in one event; a kind unknown to the lab is passed over, as the API asks of its readers."""
        index = event.get("index", 0)
        match event.get("type"):
            case "message_start":
                self._head = dict(event["message"])
            case "content_block_start":
                self._blocks[index] = dict(event["content_block"])
                self._open.add(index)
            case "content_block_delta":
                self._fill(index, event["delta"])
            case "content_block_stop":
                self._close(index)
            case "message_delta":
                self._head.update(event["delta"])
                told = {name: value for name, value in event["usage"].items() if value is not None}
                self._head["usage"] = {**self._head.get("usage", {}), **told}

    def message(self) -> dict[str, Any]:
        """What arrived; {} when nothing did."""
        if not self._head:
            return {}
        kept = [block for at, block in sorted(self._blocks.items()) if at not in self._open or block.get("text")]
        return {**self._head, "content": kept}

    def _fill(self, index: int, delta: dict[str, Any]) -> None:
        block = self._blocks[index]
        if delta["type"] == "input_json_delta":
            self._json[index] = self._json.get(index, "") + delta["partial_json"]
        elif delta["type"] == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        else:
            for name in ("text", "thinking", "signature"):
                if name in delta:
                    block[name] = block.get(name, "") + delta[name]

    def _close(self, index: int) -> None:
        self._open.discard(index)
        if self._json.get(index):
            self._blocks[index]["input"] = _input(self._json[index])


def _input(text: str) -> Any:
    """A call's input; with eager input streaming its text need not be JSON, and is kept as text then."""
    try:
        return json.loads(text)
    except ValueError:
        return text
