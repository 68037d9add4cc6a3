"""Everything that the API refuses, and what the scripted model does: two tables, and the check against the first."""

from askless.api import (
    blocks,
    cache_marks,
    fields,
    pairing,
    shape,
    strict_tools,
    tool_choice,
    tools,
    transport,
)
from askless.api.behaviours import BEHAVIOURS
from askless.api.conversation import Request
from askless.api.messages import MESSAGES, Checked
from askless.api.models import WITHOUT_SYSTEM_MESSAGES, family
from askless.api.refusal import Refusal, Rule, invalid

__all__ = ["BEHAVIOURS", "RULES", "Refusal", "Rule", "refusal", "refuse"]

MESSAGES_AT_MOST = 100_000

MESSAGES_EMPTY = invalid(
    "messages-empty",
    what="A request has at least one message.",
    text="messages: at least one message is required",
    mend="Send the user's question.",
    known=("reported", "report-messages-empty", "2025-09-19"),
)
MESSAGES_MANY = invalid(
    "messages-many",
    what="A request has at most 100,000 messages.",
    text="messages: List should have at most 100000 items",
    mend="Trim the history, or put the results of a reply into one message.",
    known=("documented", "sdk-consecutive-turns-merged", "2026-11-29"),
    wording="askless",
)
TOOLS_REQUIRED = invalid(
    "tools-required",
    what="While the messages hold calls or results, the request offers tools.",
    text="Requests which include `tool_use` or `tool_result` blocks must define tools.",
    mend='Send the same tools in every request of the loop; "tool_choice": {{"type": "none"}} keeps them unused.',
    known=("reported", "report-tools-required", "2025-02-13"),
)
SYSTEM_ROLE = invalid(
    "system-message-model",
    what="Models before Opus 4.8 take no message of the role system.",
    text="role 'system' is not supported on this model",
    mend="Use the system field of the request.",
    known=("reported", "report-system-message", "2026-05-22"),
)

RULES: tuple[Rule, ...] = (
    *shape.RULES,
    *fields.RULES,
    MESSAGES_EMPTY,
    MESSAGES_MANY,
    *tools.RULES,
    *strict_tools.RULES,
    *tool_choice.RULES,
    *blocks.RULES,
    *cache_marks.RULES,
    TOOLS_REQUIRED,
    SYSTEM_ROLE,
    *pairing.RULES,
    *transport.RULES,
)
_BY_ID = {rule.id: rule for rule in RULES}


def refuse(rule_id: str, place: str = "", **values: str) -> Refusal:
    """The refusal by one rule; for those whose breach the service sees."""
    return _BY_ID[rule_id].refuse(place, **values)


def refusal(request: Request, *, strict_backend: bool = False, counting: bool = False) -> Refusal | None:
    """The first refusal that applies: shape, first role, pairing, prefill, in this order; None where there is none.

    `counting` is for token counting, which takes fewer fields. With `strict_backend` the results of a reply must
    come in one message. Messages that were checked along the same conversation before are not checked again.
    """
    frame = fields.frame(request.fields, counting=counting)
    if frame.refusal:
        return frame.refusal
    if not 0 < request.length <= MESSAGES_AT_MOST:
        return (MESSAGES_MANY if request.length else MESSAGES_EMPTY).refuse("messages")
    checked = request.read(MESSAGES)
    return (
        checked.shape
        or cache_marks.refusal(frame.marks, request.fields.get("cache_control"), checked.marks)
        or _together(request, checked)
        or checked.pairing.refusal(strict=strict_backend)
    )


def _together(request: Request, checked: Checked) -> Refusal | None:
    """What the fields and the messages may not be together."""
    if checked.tools_at and not request.fields.get("tools"):
        return TOOLS_REQUIRED.refuse(checked.tools_at)
    if checked.system_at >= 0 and family(request.fields["model"]) in WITHOUT_SYSTEM_MESSAGES:
        return SYSTEM_ROLE.refuse(f"messages.{checked.system_at}.role")
    return None
