"""A fault for each rule about a request's messages."""

from faults import Body, Fault, Spoil, drop, each, insert, put

SAY = {"type": "text", "text": "and now?"}
USER = {"role": "user", "content": "and now?"}
FIVE = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}

EMPTY = "@: all messages must have non-empty content except for the optional final assistant message"
NO_TEXT = "messages: text content blocks must be non-empty"
BLANK = "messages: text content blocks must contain non-whitespace text"
LATE_HOUR = (
    "@: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are "
    "processed in the following order: `tools`, `system`, `messages`."
)


def mark(path: str, control: Body = FIVE) -> Spoil:
    return put(f"{path}.cache_control", control)


SHAPE = [
    Fault("field-required", "messages.0.content", "@: Field required", drop("messages.0.content")),
    Fault("field-required", "messages.2.content.0.type", "@: Field required", drop("messages.2.content.0.type")),
    Fault(
        "field-required",
        "messages.2.content.0.tool_result.tool_use_id",
        "@: Field required",
        drop("messages.2.content.0.tool_use_id"),
    ),
    Fault("field-unknown", "messages.0.name", "@: Extra inputs are not permitted", put("messages.0.name", "C")),
    Fault(
        "field-unknown",
        "messages.1.content.1.tool_use.index",
        "@: Extra inputs are not permitted",
        put("messages.1.content.1.index", 0),
    ),
    Fault("field-value", "messages.1", "@: Input should be a valid dictionary", put("messages.1", "yes")),
    Fault(
        "field-value",
        "messages.0.role",
        "@: Input should be 'user', 'assistant' or 'system'",
        put("messages.0.role", "tool"),
    ),
    Fault(
        "field-value",
        "messages.1.content.0.tool_use.input",
        "@: Input should be a valid dictionary",
        put("messages.1.content.0.input", "{}"),
    ),
    Fault(
        "text-value",
        "messages.2.content.0.tool_result.content",
        "@: Input should be a valid list",
        put("messages.2.content.0.content", {"orders": []}),
    ),
    Fault("messages-empty", "messages", "messages: at least one message is required", put("messages", [])),
    Fault(
        "messages-many",
        "messages",
        "messages: List should have at most 100000 items",
        put("messages", [USER] * 100_001),
    ),
    Fault("message-empty", "messages.0", EMPTY, put("messages.0.content", "")),
    Fault("message-empty", "messages.2", EMPTY, put("messages.2.content", [])),
    Fault("message-empty", "messages.1", EMPTY, put("messages.1.content", [])),
    Fault("text-empty", "messages.2.content.4", NO_TEXT, insert("messages.2.content.4", {"type": "text", "text": ""})),
    Fault(
        "text-empty",
        "messages.2.content.0.tool_result.content.0",
        NO_TEXT,
        put("messages.2.content.0.content", [{"type": "text", "text": ""}]),
    ),
    Fault("text-blank", "messages.0", BLANK, put("messages.0.content", " \n")),
    Fault(
        "text-blank", "messages.1.content.0", BLANK, insert("messages.1.content.0", {"type": "text", "text": "\n\n"})
    ),
    *(
        Fault(
            "error-result-empty",
            "messages.2.content.3.tool_result",
            "@: content cannot be empty if `is_error` is true",
            spoil,
        )
        for spoil in (
            put("messages.2.content.3.content", ""),
            put("messages.2.content.3.content", []),
            drop("messages.2.content.3.content"),
        )
    ),
    Fault(
        "call-id-form",
        "messages.1.content.0.tool_use.id",
        "@: String should match pattern '^[a-zA-Z0-9_-]+$'",
        put("messages.1.content.0.id", "functions.get_orders:0"),
    ),
    Fault(
        "call-name-length",
        "messages.1.content.0.tool_use.name",
        "@: String should have at least 1 character",
        put("messages.1.content.0.name", ""),
    ),
    Fault(
        "call-name-length",
        "messages.1.content.0.tool_use.name",
        "@: String should have at most 200 characters",
        put("messages.1.content.0.name", "a" * 201),
    ),
    Fault(
        "block-misplaced",
        "messages.1",
        "@: `tool_use` blocks can only be in `assistant` messages",
        put("messages.1.role", "user"),
    ),
    Fault(
        "block-misplaced",
        "messages.1",
        "@: `document` blocks can only be in `user` messages",
        insert("messages.1.content.0", {"type": "document", "source": {"type": "text", "data": "a"}}),
    ),
    Fault(
        "block-misplaced",
        "messages.2",
        "@: `tool_result` blocks can only be in `user` messages",
        put("messages.2.role", "assistant"),
    ),
]
MARKS = [
    Fault(
        "cache-marks",
        "",
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
        each(mark("tools.1"), *(mark(f"messages.1.content.{n}") for n in (0, 1, 2)), put("cache_control", FIVE)),
    ),
    Fault(
        "cache-ttl-order",
        "messages.2.content.0.cache_control.ttl",
        LATE_HOUR,
        each(mark("tools.1"), mark("messages.2.content.0", HOUR)),
    ),
    Fault(
        "cache-ttl-order",
        "messages.2.content.0.cache_control.ttl",
        LATE_HOUR,
        each(mark("messages.1.content.0"), mark("messages.2.content.0", HOUR)),
    ),
    Fault(
        "cache-ttl-order",
        "system.0.cache_control.ttl",
        LATE_HOUR,
        each(mark("tools.1"), put("system", [{**SAY, "cache_control": HOUR}])),
    ),
    Fault("cache-ttl-order", "cache_control.ttl", LATE_HOUR, each(mark("tools.1"), put("cache_control", HOUR))),
    Fault(
        "cache-ttl-conflict",
        "cache_control",
        "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'",
        each(mark("messages.2.content.3", HOUR), put("cache_control", FIVE)),
    ),
    Fault(
        "cache-empty-text",
        "messages.2.content.4.text",
        "@: cache_control cannot be set for empty text blocks",
        insert("messages.2.content.4", {"type": "text", "text": "", "cache_control": FIVE}),
    ),
]
