"""A fault for each rule about who speaks, and what answers what."""

from typing import Any

from faults import Body, Fault, Spoil, drop, each, insert, put

SAY = {"type": "text", "text": "and now?"}
USER = {"role": "user", "content": "and now?"}
REPLY = {"role": "assistant", "content": "yes"}
SYSTEM = {"role": "system", "content": "be brief"}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_0001_get_orders", "content": "none"}

IDS = [f"toolu_000{n}_get_orders" for n in (1, 2, 3, 4)]
UNANSWERED = (
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: {}. Each `tool_use` block "
    "must have a corresponding `tool_result` block in the next message."
)
ALL, LAST = UNANSWERED.format(", ".join(IDS)), UNANSWERED.format(", ".join(IDS[1:]))
UNEXPECTED = (
    "@: unexpected `tool_use_id` found in `tool_result` blocks: {}. Each `tool_result` block must have a "
    "corresponding `tool_use` block in the previous message."
)
SYSTEM_PLACE = "@: a `system` message must follow a `user` turn and be last or come before an `assistant` turn"
PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message."


def split(body: Body) -> None:
    """Every result goes into a user message of its own."""
    results = body["messages"].pop()["content"]
    body["messages"] += [{"role": "user", "content": [result]} for result in results]


def say(*messages: Any) -> Spoil:
    return lambda body: body["messages"].extend(messages)


TURNS = [
    *(
        Fault(
            "tools-required",
            "messages.1.content.0",
            "Requests which include `tool_use` or `tool_result` blocks must define tools.",
            spoil,
        )
        for spoil in (drop("tools"), put("tools", []))
    ),
    Fault(
        "tool-reference-unknown",
        "messages.2.content.0.tool_result.content.0",
        "Tool reference 'zz' not found in available tools",
        put("messages.2.content.0.content", [{"type": "tool_reference", "tool_name": "zz"}]),
    ),
    Fault(
        "system-message-model",
        "messages.3.role",
        "role 'system' is not supported on this model",
        each(put("model", "claude-haiku-4-5-20251001"), say(SYSTEM)),
    ),
    Fault("system-message-place", "messages.2", SYSTEM_PLACE, insert("messages.2", SYSTEM)),
    Fault("system-message-place", "messages.3", SYSTEM_PLACE, say(SYSTEM, USER)),
    Fault("system-message-place", "messages.4", SYSTEM_PLACE, say(REPLY, SYSTEM)),
    Fault("first-role", "messages.0.role", 'messages: first message must use the "user" role', drop("messages.0")),
    Fault(
        "first-role",
        "messages.0.role",
        'messages: first message must use the "user" role',
        insert("messages.0", SYSTEM),
    ),
    Fault(
        "call-ids-unique",
        "messages.1.content.1",
        "@: `tool_use` ids must be unique",
        put("messages.1.content.1.id", IDS[0]),
    ),
    Fault("result-missing", "messages.1", ALL, drop("messages.2")),
    Fault("result-missing", "messages.1", UNANSWERED.format(IDS[3]), drop("messages.2.content.3")),
    Fault("result-missing", "messages.1", ALL, put("messages.2", USER)),
    Fault(
        "result-missing", "messages.1", UNANSWERED.format(IDS[0]), each(drop("messages.2.content.0"), say(REPLY, USER))
    ),
    Fault("text-before-result", "messages.2.content.0", ALL, insert("messages.2.content.0", SAY)),
    Fault("text-before-result", "messages.2.content.1", LAST, insert("messages.2.content.1", SAY)),
    Fault("text-before-result", "messages.2.content", ALL, insert("messages.2", USER)),
    Fault("text-before-result", "messages.3.content", LAST, each(split, insert("messages.3", USER))),
    Fault(
        "result-unexpected",
        "messages.0.content.0",
        UNEXPECTED.format(IDS[0]),
        put("messages.0.content", [RESULT, SAY]),
    ),
    Fault(
        "result-unexpected",
        "messages.2.content.3",
        UNEXPECTED.format("toolu_9"),
        put("messages.2.content.3.tool_use_id", "toolu_9"),
    ),
    Fault(
        "result-unexpected",
        "messages.4.content.0",
        UNEXPECTED.format(IDS[0]),
        say(REPLY, {"role": "user", "content": [RESULT]}),
    ),
    Fault(
        "result-twice",
        "messages.2.content.4",
        f"@: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {IDS[0]}",
        insert("messages.2.content.4", RESULT),
    ),
    Fault("results-split", "messages.3", LAST, split, {"strict_backend": True}),
    Fault("prefill", "messages", PREFILL, say(REPLY)),
    Fault("prefill", "messages", PREFILL, say({"role": "assistant", "content": []})),
]
