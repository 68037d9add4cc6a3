"""What the service refuses before, or instead of, reading a request's fields."""

from askless.api.refusal import Rule, invalid

KEY_MISSING = Rule(
    "key-missing",
    what="A request carries a key, in the header x-api-key or as a bearer token. (askless takes any.)",
    source="api-errors",
    as_of="2026-08-22",
    certainty="documented",
    status=401,
    type="authentication_error",
    text="invalid x-api-key",
    wording="api",
    mend="Give the client an api_key; here any text will do.",
)
VERSION_MISSING = invalid(
    "version-missing",
    what="A request names the API's version.",
    text="anthropic-version: header is required",
    mend="Send the header anthropic-version.",
    known=("documented", "api-version-2026-10-21", "2026-10-21"),
)
BODY_UNREADABLE = invalid(
    "body-unreadable",
    what="A request's body is one JSON object in UTF-8.",
    text="The request body is not valid JSON: {reason}",
    mend="Send one JSON object.",
    known=("documented", "api-errors", "2026-08-22"),
    wording="askless",
)
BODY_LARGE = Rule(
    "body-large",
    what="A request's body has at most 32 MB.",
    source="api-errors",
    as_of="2026-08-22",
    certainty="documented",
    status=413,
    type="request_too_large",
    text="Request exceeds the maximum allowed number of bytes.",
    wording="api",
    mend="Send less: trim the history, or let the tools give shorter results.",
)
MODEL_UNKNOWN = Rule(
    "model-unknown",
    what="The model exists.",
    source="api-errors",
    as_of="2026-08-22",
    certainty="documented",
    status=404,
    type="not_found_error",
    text="model: {model}",
    wording="api",
    mend="Correct the name of the model.",
)
PATH_UNKNOWN = Rule(
    "path-unknown",
    what="The path and the method are the API's.",
    source="api-errors",
    as_of="2026-08-22",
    certainty="documented",
    status=404,
    type="not_found_error",
    text="{path} was not found",
    wording="askless",
    mend="POST to /v1/messages.",
)
THREAD_UNSUPPORTED = Rule(
    "thread-unsupported",
    what="A service without message threads says so, and the SDK's tool runner sends whole histories from then on.",
    source="sdk-tool-runner-threads",
    as_of="2026-11-29",
    certainty="tried",
    status=400,
    type="invalid_request_error",
    text="This request cannot be served as a thread.",
    wording="askless",
    mend="Send the whole history without the field thread.",
    error_code="thread_unsupported_request",
)
THREAD_LOST = Rule(
    "thread-lost",
    what="A thread lasts five minutes after its last use; after that the whole conversation is sent again.",
    source="message-threads-beta",
    as_of="2026-11",
    certainty="documented",
    status=404,
    type="not_found_error",
    text="thread.previous_message_id: {id} was not found",
    wording="askless",
    mend="Begin a new thread with the whole conversation.",
)
RULES: tuple[Rule, ...] = (
    KEY_MISSING,
    VERSION_MISSING,
    BODY_UNREADABLE,
    BODY_LARGE,
    MODEL_UNKNOWN,
    PATH_UNKNOWN,
    THREAD_UNSUPPORTED,
    THREAD_LOST,
)
