"""A reply with calls and the message that answers it, raw: their first blocks, and the calls that failed."""

import json
from itertools import groupby
from typing import Any

from askless.trace import RoundTrip, Trace

SHAPED_BLOCKS = 2  # of a reply or of its results that are shown


def shapes(trace: Trace) -> tuple[tuple[str, str], tuple[str, str]]:
    """What is shown and its JSON, for the first reply with calls enough and for the message that answers it."""
    index, trip = next((at, trip) for at, trip in enumerate(trace.round_trips) if len(trip.calls) >= SHAPED_BLOCKS)
    answering = trace.round_trips[index + 1].added[1]
    failed = {block["tool_use_id"] for block in answering["content"] if block.get("is_error")}
    return (
        (f"The reply to request {trip.n}:", _cut(_fields(trip), failed)),
        (f"The message that answers it, the last one of request {trip.n + 1}:", _cut(answering, failed)),
    )


def _fields(trip: RoundTrip) -> dict[str, Any]:
    return {key: trip.reply[key] for key in ("role", "stop_reason", "content")}


def _cut(message: dict[str, Any], failed: set[str]) -> str:
    """A message as JSON, a block a line: its first blocks and those of failed calls. A gap stands where it is."""
    numbered = enumerate(message["content"])
    runs = groupby(numbered, lambda each: each[0] < SHAPED_BLOCKS or _call(each[1]) in failed)
    lines = [line for shown, run in runs for line in _lines(shown, [block for _, block in run])]
    fields = "".join(f'"{key}": {json.dumps(value)}, ' for key, value in message.items() if key != "content")
    return f'{{{fields}"content": [\n' + ",\n".join(lines) + "\n]}"


def _call(block: dict[str, Any]) -> str | None:
    return block.get("id") or block.get("tool_use_id")


def _lines(shown: bool, blocks: list[dict[str, Any]]) -> list[str]:
    if not shown:
        return [f"  … {len(blocks)} more like these"]
    return [f"  {json.dumps(block, ensure_ascii=False)}" for block in blocks]
