"""What the API refuses: the tables, and the check of a whole request."""

from askless.api import cache_marks, fields
from askless.api.conversation import LONGEST, Request
from askless.api.messages import MESSAGES, Checked
from askless.api.models import WITHOUT_SYSTEM_MESSAGES, family
from askless.api.refusal import BEHAVIOURS, RULES, Refusal, Rule, refuse

__all__ = ["BEHAVIOURS", "RULES", "Refusal", "Rule", "refusal", "refuse"]


def refusal(request: Request, *, strict_backend: bool = False, counting: bool = False) -> Refusal | None:
    """The first refusal that applies: shape, first role, pairing, prefill, in this order; None where there is none.

    `counting` is for token counting, which takes fewer fields. With `strict_backend` the results of a reply must
    come in one message. Messages that were checked along the same conversation before are not checked again.
    """
    frame = fields.frame(request, counting=counting)
    if frame.refusal:
        return frame.refusal
    if not request.length:
        return refuse("messages-empty", "messages")
    if request.length > LONGEST:
        return refuse("messages-many", "messages")
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
        return refuse("tools-required", checked.tools_at)
    offered = {tool.get("name") for tool in request.fields.get("tools") or ()} if checked.references else set()
    for place, name in checked.references:
        if name not in offered:
            return refuse("tool-reference-unknown", place, name=name)
    if checked.system_at >= 0 and family(request.fields["model"]) in WITHOUT_SYSTEM_MESSAGES:
        return refuse("system-message-model", f"messages.{checked.system_at}.role")
    return None
