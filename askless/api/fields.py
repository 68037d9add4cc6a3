"""The fields of a request, its messages' inside excepted."""

import json
from dataclasses import dataclass
from typing import Any

from askless.api import tool_choice, tools
from askless.api.cache_marks import CACHE_CONTROL, Mark, frame_marks
from askless.api.conversation import Request
from askless.api.refusal import Refusal, refuse
from askless.api.remembered import remembered
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

BY_NAME = {  # fields that are refused by a rule of their own
    "temperature": "sampling-removed",
    "top_p": "sampling-removed",
    "top_k": "sampling-removed",
    "disable_parallel_tool_use": "parallel-misplaced",
}


@dataclass(frozen=True)
class Frame:
    """What the fields around the messages come to."""

    refusal: Refusal | None
    marks: tuple[Mark, ...] = ()  # for the prompt cache, on tools and system


def frame(request: Request, *, counting: bool) -> Frame:
    """Check the fields around the messages.

    They are the same along a run, so the verdict is kept by their JSON text.
    """
    try:
        return _frame_of(request.frame, counting)
    except (TypeError, ValueError, RecursionError):  # no JSON, or too deep for a text
        return _frame(request.fields, counting)


@remembered(32)
def _frame_of(text_: str, counting: bool) -> Frame:
    return _frame(json.loads(text_), counting)


def _frame(fields: dict[str, Any], counting: bool) -> Frame:
    fault = _shape(fields, counting) or _values(fields)
    return Frame(fault) if fault else Frame(_tools(fields), frame_marks(fields))


def _shape(fields: dict[str, Any], counting: bool) -> Refusal | None:
    for name, rule in BY_NAME.items():
        if name in fields:
            return refuse(rule, name)
    return (COUNT_TOKENS if counting else MESSAGES)("", fields)


def _values(fields: dict[str, Any]) -> Refusal | None:
    for at, sequence in enumerate(fields.get("stop_sequences", [])):
        if not sequence.strip():
            return refuse(f"stop-sequence-{'blank' if sequence else 'empty'}", f"stop_sequences.{at}")
    system = fields.get("system")
    for at, block in enumerate(system if isinstance(system, list) else ()):
        if not block["text"]:
            return refuse("system-text-empty", f"system.{at}")
    return _max_tokens(fields)


def _max_tokens(fields: dict[str, Any]) -> Refusal | None:
    most = fields.get("max_tokens", 1)
    if most < 0:
        return refuse("max-tokens-negative", "max_tokens")
    clashes = {
        "stream": fields.get("stream"),
        "a forced tool_choice": tool_choice.forces(fields),
        "output_config.format": fields.get("output_config", {}).get("format"),
    }
    clash = next((name for name, held in clashes.items() if held), None)
    return refuse("max-tokens-zero", "max_tokens", other=clash) if most == 0 and clash else None


def _tools(fields: dict[str, Any]) -> Refusal | None:
    offered = fields.get("tools", [])
    return tools.refusal(offered) or tool_choice.refusal(fields, tools.names(offered))
