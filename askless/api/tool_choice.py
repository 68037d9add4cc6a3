"""What a request says about which tool is called."""

from typing import Any

from askless.api.models import WITHOUT_FORCED_TOOLS, family
from askless.api.refusal import Refusal, refuse
from askless.api.shape import Record, Tagged, anything, flag, text

_PARALLEL = {"disable_parallel_tool_use": flag}
TOOL_CHOICE = Tagged({
    "auto": Record({"type": anything}, _PARALLEL),
    "any": Record({"type": anything}, _PARALLEL),
    "tool": Record({"type": anything, "name": text}, _PARALLEL),
    "none": Record({"type": anything}, {}),
})  # fmt: skip


def forces(fields: dict[str, Any]) -> bool:
    """Whether a request whose fields are right forces a call."""
    return "tool_choice" in fields and fields["tool_choice"]["type"] in ("any", "tool")


def refusal(fields: dict[str, Any], offered: list[Any]) -> Refusal | None:
    """The refusal of a choice whose shape is right; `offered` are the tools' names."""
    if not forces(fields):
        return None
    choice = fields["tool_choice"]
    if family(fields["model"]) in WITHOUT_FORCED_TOOLS:
        return refuse("choice-forced", "tool_choice.type")
    if choice["type"] == "any" and not fields.get("tools"):
        return refuse("choice-without-tools", "tool_choice")
    if choice["type"] == "tool" and choice["name"] not in offered:
        among = ", ".join(map(str, offered)) or "none"
        return refuse("choice-unknown", "tool_choice.name", name=choice["name"], offered=among)
    thinks = (fields.get("thinking") or {}).get("type") in ("enabled", "adaptive")
    return refuse("choice-thinking", "tool_choice.type") if thinks else None
