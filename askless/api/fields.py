"""The fields of a request, its messages' inside excepted."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from askless.api import tool_choice, tools
from askless.api.cache_marks import CACHE_CONTROL, Mark, frame_marks
from askless.api.refusal import Refusal, Rule, invalid
from askless.api.shape import Check, Items, Nullable, OneOf, Record, Tagged, TextOr, anything, flag, text, whole

TEXT_BLOCK = Record({"type": OneOf(("text",)), "text": text}, {"cache_control": CACHE_CONTROL, "citations": anything})
DISPLAY = Nullable(OneOf(("summarized", "omitted")))
THINKING = Tagged({
    "enabled": Record({"type": anything, "budget_tokens": whole}, {"display": DISPLAY}),
    "disabled": Record({"type": anything}, {}),
    "between_tools": Record({"type": anything}, {}),
    "adaptive": Record({"type": anything}, {"display": DISPLAY}),
})  # fmt: skip
EFFORT = Nullable(OneOf(("low", "medium", "high", "xhigh", "max")))
COUNTED: dict[str, Check] = {  # what token counting takes besides model and messages
    "cache_control": CACHE_CONTROL,
    "output_config": Record({}, {"effort": EFFORT, "format": anything}),
    "speed": Nullable(OneOf(("standard", "fast"))),
    "system": TextOr(Items(TEXT_BLOCK)),
    "thinking": THINKING,
    "tool_choice": tool_choice.TOOL_CHOICE,
    "tools": anything,  # looked into by tools.refusal
}
COUNT_TOKENS = Record({"model": text, "messages": Items(anything)}, COUNTED)
MESSAGES = Record(
    {"model": text, "max_tokens": whole, "messages": Items(anything)},
    {
        **COUNTED,
        "container": anything,
        "diagnostics": anything,
        "inference_geo": Nullable(text),
        "metadata": Record({}, {"user_id": Nullable(text)}),
        "service_tier": OneOf(("auto", "standard_only")),
        "stop_sequences": Items(text),
        "stream": flag,
    },
)

SAMPLING_REMOVED = invalid(
    "sampling-removed",
    what="temperature, top_p and top_k no longer exist since the API's version 2026-10-21.",
    text="{place}: Extra inputs are not permitted",
    mend="Remove {place}; say in the prompt how varied the answer may be.",
    known=("documented", "api-version-2026-10-21", "2026-10-21"),
    wording="askless",
)
PARALLEL_MISPLACED = invalid(
    "parallel-misplaced",
    what="disable_parallel_tool_use stands inside tool_choice, not beside it.",
    text="{place}: Extra inputs are not permitted",
    mend='Send "tool_choice": {{"type": "auto", "disable_parallel_tool_use": true}}.',
    known=("documented", "disable-parallel", "2026-08-22"),
)
TOKENS_NEGATIVE = invalid(
    "max-tokens-negative",
    what="max_tokens is 0 or more.",
    text="max_tokens: Input should be greater than or equal to 0",
    mend="Send the number of tokens that a reply may take.",
    known=("documented", "sdk-request-types", "2026-11-29"),
    wording="askless",
)
TOKENS_ZERO = invalid(
    "max-tokens-zero",
    what="max_tokens 0 only fills the prompt cache: it goes with no stream, no forced call and no output format.",
    text="max_tokens: 0 cannot be combined with {other}",
    mend="Remove {other}, or let max_tokens be 1 or more.",
    known=("documented", "cache-prewarming", "2026-10"),
    wording="askless",
)
STOP_EMPTY = invalid(
    "stop-sequence-empty",
    what="A stop sequence is not empty.",
    text="stop_sequences: each stop sequence must be non-empty",
    mend="Remove {place}.",
    known=("reported", "report-stop-sequence-empty", "2025-04-08"),
)
STOP_BLANK = invalid(
    "stop-sequence-blank",
    what="A stop sequence is not white space alone.",
    text="stop_sequences: each stop sequence must contain non-whitespace",
    mend="Remove {place}, or add a visible character.",
    known=("reported", "report-stop-sequence-blank", "2024-04-25"),
)
SYSTEM_EMPTY = invalid(
    "system-text-empty",
    what="A text block of the system prompt is not empty.",
    text="system: text content blocks must be non-empty",
    mend="Remove {place}.",
    known=("reported", "report-text-empty", "2026-05-16"),
    wording="askless",
)
BY_NAME = {
    "temperature": SAMPLING_REMOVED,
    "top_p": SAMPLING_REMOVED,
    "top_k": SAMPLING_REMOVED,
    "disable_parallel_tool_use": PARALLEL_MISPLACED,
}
RULES: tuple[Rule, ...] = (
    SAMPLING_REMOVED,
    PARALLEL_MISPLACED,
    TOKENS_NEGATIVE,
    TOKENS_ZERO,
    STOP_EMPTY,
    STOP_BLANK,
    SYSTEM_EMPTY,
)


@dataclass(frozen=True)
class Frame:
    """What the fields around the messages come to."""

    refusal: Refusal | None
    marks: tuple[Mark, ...] = ()  # for the prompt cache, on tools and system


def frame(fields: dict[str, Any], *, counting: bool) -> Frame:
    """Check the fields around the messages.

    They are the same along a run, so the verdict is kept by their JSON text.
    """
    try:
        return _frame_of(json.dumps(fields), counting)
    except (TypeError, ValueError, RecursionError):  # no JSON, or too deep for a text
        return _frame(fields, counting)


@lru_cache(maxsize=32)
def _frame_of(text_: str, counting: bool) -> Frame:
    return _frame(json.loads(text_), counting)


def _frame(fields: dict[str, Any], counting: bool) -> Frame:
    fault = _shape(fields, counting) or _values(fields)
    return Frame(fault) if fault else Frame(_tools(fields), frame_marks(fields))


def _shape(fields: dict[str, Any], counting: bool) -> Refusal | None:
    for name, rule in BY_NAME.items():
        if name in fields:
            return rule.refuse(name)
    return (COUNT_TOKENS if counting else MESSAGES)("", fields)


def _values(fields: dict[str, Any]) -> Refusal | None:
    for at, sequence in enumerate(fields.get("stop_sequences", [])):
        if not sequence.strip():
            return (STOP_BLANK if sequence else STOP_EMPTY).refuse(f"stop_sequences.{at}")
    system = fields.get("system")
    for at, block in enumerate(system if isinstance(system, list) else ()):
        if not block["text"]:
            return SYSTEM_EMPTY.refuse(f"system.{at}")
    return _max_tokens(fields)


def _max_tokens(fields: dict[str, Any]) -> Refusal | None:
    most = fields.get("max_tokens", 1)
    if most < 0:
        return TOKENS_NEGATIVE.refuse("max_tokens")
    clashes = {
        "stream": fields.get("stream"),
        "a forced tool_choice": tool_choice.forces(fields),
        "output_config.format": fields.get("output_config", {}).get("format"),
    }
    clash = next((name for name, held in clashes.items() if held), None)
    return TOKENS_ZERO.refuse("max_tokens", other=clash) if most == 0 and clash else None


def _tools(fields: dict[str, Any]) -> Refusal | None:
    offered = fields.get("tools", [])
    return tools.refusal(offered) or tool_choice.refusal(fields, tools.names(offered))
