"""What some models no longer take, and since when that is known."""

import re

# Refuse tool_choice any and tool (catalog: forced-tool-use-removed, 2026-09-01). Haiku 5.5 is priced for forcing, so
# it is not here; for Fable 5.2 nothing is said.
WITHOUT_FORCED_TOOLS = frozenset({"claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1"})

# Refuse a message of the role system (catalog: mid-conversation-system-messages, 2026-08): those before Opus 4.8.
WITHOUT_SYSTEM_MESSAGES = frozenset({
    "claude-opus-4-7", "claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5", "claude-opus-4-5",
    "claude-sonnet-4-5",
})  # fmt: skip


def family(model: str) -> str:
    """A model's name without its date."""
    return re.sub(r"-(\d{8}|latest)$", "", model)
