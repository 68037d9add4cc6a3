"""A reply with calls and the message that answers it, raw, cut to their first blocks."""

import json
from typing import Any

from askless.trace import RoundTrip, Trace

SHAPED_BLOCKS = 2  # of a reply or of its results that are shown


def shapes(trace: Trace) -> tuple[tuple[str, str], tuple[str, str]]:
    """What is shown and its JSON, for the first reply with calls enough and for the message that answers it."""
    index, trip = next((at, trip) for at, trip in enumerate(trace.round_trips) if len(trip.calls) >= SHAPED_BLOCKS)
    answering = trace.round_trips[index + 1].added[1]
    failed = [block for block in answering["content"][SHAPED_BLOCKS:] if block.get("is_error")]
    return (
        (f"The reply to request {trip.n}:", _cut(_fields(trip))),
        (f"The message that answers it, the last one of request {trip.n + 1}:", _cut(answering, *failed)),
    )


def _fields(trip: RoundTrip) -> dict[str, Any]:
    return {key: trip.reply[key] for key in ("role", "stop_reason", "content")}


def _cut(message: dict[str, Any], *more: Any) -> str:
    """A message as JSON, a block a line, its first blocks and those in `more`; what is left out is counted."""
    blocks = message["content"]
    shown = [*blocks[:SHAPED_BLOCKS], *more]
    lines = [f"  {json.dumps(block, ensure_ascii=False)}" for block in shown]
    if left_out := len(blocks) - len(shown):
        lines.append(f"  … {left_out} more like these")
    fields = "".join(f'"{key}": {json.dumps(value)}, ' for key, value in message.items() if key != "content")
    return f'{{{fields}"content": [\n' + ",\n".join(lines) + "\n]}"
