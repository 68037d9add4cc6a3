"""What a request says about which tool is called."""

from typing import Any

from askless.api.models import WITHOUT_FORCED_TOOLS, family
from askless.api.refusal import Refusal, Rule, invalid
from askless.api.shape import Record, Tagged, anything, flag, text

_PARALLEL = {"disable_parallel_tool_use": flag}
TOOL_CHOICE = Tagged({
    "auto": Record({"type": anything}, _PARALLEL),
    "any": Record({"type": anything}, _PARALLEL),
    "tool": Record({"type": anything, "name": text}, _PARALLEL),
    "none": Record({"type": anything}, {}),
})  # fmt: skip

FORCED_REMOVED = invalid(
    "choice-forced",
    what="Opus 5.5, Sonnet 5.5 and Fable 5.1 no longer take the choices any and tool.",
    text='type "tool" and "any" are not supported for this model.',
    mend='Use {{"type": "auto"}} and ask for the call in the prompt; a strict tool gives the shape.',
    known=("documented", "forced-tool-use-removed", "2026-09-01"),
)
CHOICE_WITHOUT_TOOLS = invalid(
    "choice-without-tools",
    what="The choice any needs tools. (auto and none are taken without them.)",
    text="tool_choice.any may only be specified while providing tools",
    mend="Offer tools, or leave tool_choice out.",
    known=("tried", "probe-messages-api", "2026-09-29"),
)
CHOICE_UNKNOWN = invalid(
    "choice-unknown",
    what="The choice tool names one of the tools that are offered.",
    text="Tool '{name}' not found in provided tools",
    mend="Offer a tool of that name, or choose one of those offered{offered}.",
    known=("tried", "probe-messages-api", "2026-09-29"),
)
CHOICE_THINKING = invalid(
    "choice-thinking",
    what="A call cannot be forced while thinking is on.",
    text="Thinking may not be enabled when tool_choice forces tool use.",
    mend='Use {{"type": "auto"}}, or turn thinking off for this request.',
    known=("reported", "report-choice-thinking", "2026-03-09"),
)
RULES: tuple[Rule, ...] = (FORCED_REMOVED, CHOICE_WITHOUT_TOOLS, CHOICE_UNKNOWN, CHOICE_THINKING)


def forces(fields: dict[str, Any]) -> bool:
    """Whether a request whose fields are right forces a call."""
    return "tool_choice" in fields and fields["tool_choice"]["type"] in ("any", "tool")


def refusal(fields: dict[str, Any], offered: list[Any]) -> Refusal | None:
    """The refusal of a choice whose shape is right; `offered` are the tools' names."""
    if not forces(fields):
        return None
    choice = fields["tool_choice"]
    if family(fields["model"]) in WITHOUT_FORCED_TOOLS:
        return FORCED_REMOVED.refuse("tool_choice.type")
    if choice["type"] == "any" and not fields.get("tools"):
        return CHOICE_WITHOUT_TOOLS.refuse("tool_choice")
    if choice["type"] == "tool" and choice["name"] not in offered:
        among = f": {', '.join(map(str, offered))}" if offered else ""
        return CHOICE_UNKNOWN.refuse("tool_choice.name", name=choice["name"], offered=among)
    thinks = (fields.get("thinking") or {}).get("type") in ("enabled", "adaptive")
    return CHOICE_THINKING.refuse("tool_choice.type") if thinks else None
