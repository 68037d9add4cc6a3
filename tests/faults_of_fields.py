"""A fault for each rule about a request's fields and tools."""

from faults import Fault, drop, each, put, strict

from askless.api.tools import SERVED

STRING = {"type": "string"}
NULLABLE = {"type": ["string", "null"]}
FORMAT = {"format": {"type": "json_schema", "schema": {}}}
NAME_FORM = "@: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
UNION = "@: input_schema does not support oneOf, allOf, or anyOf at the top level"
INVALID = (
    "@: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). "
    "Learn more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
)
OPTIONAL = (
    "Schemas contains too many optional parameters (25), which would make grammar compilation inefficient. Reduce "
    "the number of optional parameters in your tool schemas (limit: 24)."
)
UNIONS = (
    "Schemas contains too many parameters with union types (17 parameters with type arrays or anyOf). This causes "
    "exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: 16 parameters with "
    "unions)."
)
OPEN = "@: For 'object' type, 'additionalProperties' must be explicitly set to false"
REFERENCE = "@: '$ref' must point into the schema's own '$defs' and not stand inside 'allOf'"
FORCED = 'type "tool" and "any" are not supported for this model.'
TAGS = "does not match any of the expected tags: 'auto', 'any', 'tool', 'none'"


def named(name: str, at: int = 0):
    return put(f"tools.{at}.name", name)


def schema(**more: object):
    return put("tools.0.input_schema", {"type": "object", **more})


FIELDS = [
    Fault("field-required", "max_tokens", "@: Field required", drop("max_tokens")),
    Fault("field-required", "model", "@: Field required", drop("model")),
    Fault("field-required", "messages", "@: Field required", drop("messages")),
    Fault("field-unknown", "response_format", "@: Extra inputs are not permitted", put("response_format", 1)),
    Fault("field-unknown", "max_tokens", "@: Extra inputs are not permitted", put("max_tokens", 1), {"counting": True}),
    Fault("field-value", "max_tokens", "@: Input should be a valid integer", put("max_tokens", "1024")),
    Fault("field-value", "max_tokens", "@: Input should be a valid integer", put("max_tokens", True)),
    Fault("field-value", "model", "@: Input should be a valid string", put("model", None)),
    Fault("field-value", "stream", "@: Input should be a valid boolean", put("stream", 1)),
    Fault("field-value", "messages", "@: Input should be a valid list", put("messages", "hello")),
    Fault("text-value", "system", "@: Input should be a valid list", put("system", {"type": "text", "text": "hello"})),
    Fault("text-value", "messages.0.content", "@: Input should be a valid list", put("messages.0.content", 3)),
    Fault("field-value", "tools", "@: Input should be a valid list", put("tools", {"name": "a"})),
    Fault("field-value", "tools.1", "@: Input should be a valid dictionary", put("tools.1", "a")),
    Fault("field-value", "speed", "@: Input should be 'standard' or 'fast'", put("speed", "slow")),
    Fault("field-value", "tool_choice.type", "@: Input should be a valid string", put("tool_choice", {"type": []})),
    Fault(
        "type-unknown", "tool_choice", f"@: Input tag 'f' found using 'type' {TAGS}", put("tool_choice", {"type": "f"})
    ),
    Fault("sampling-removed", "temperature", "@: Extra inputs are not permitted", put("temperature", 0)),
    Fault("sampling-removed", "top_p", "@: Extra inputs are not permitted", put("top_p", 1)),
    Fault("sampling-removed", "top_k", "@: Extra inputs are not permitted", put("top_k", 1)),
    Fault(
        "parallel-misplaced",
        "disable_parallel_tool_use",
        "@: Extra inputs are not permitted",
        put("disable_parallel_tool_use", True),
    ),
    Fault(
        "max-tokens-negative",
        "max_tokens",
        "@: Input should be greater than or equal to 0",
        put("max_tokens", -1),
    ),
    *(
        Fault(
            "max-tokens-zero", "max_tokens", f"@: 0 cannot be combined with {other}", each(put("max_tokens", 0), spoil)
        )
        for other, spoil in {
            "stream": put("stream", True),
            "a forced tool_choice": put("tool_choice", {"type": "any"}),
            "output_config.format": put("output_config", FORMAT),
        }.items()
    ),
    Fault(
        "stop-sequence-empty",
        "stop_sequences.1",
        "stop_sequences: each stop sequence must be non-empty",
        put("stop_sequences", ["x", ""]),
    ),
    Fault(
        "stop-sequence-blank",
        "stop_sequences.0",
        "stop_sequences: each stop sequence must contain non-whitespace",
        put("stop_sequences", ["\n"]),
    ),
    Fault(
        "system-text-empty",
        "system.0",
        "system: text content blocks must be non-empty",
        put("system", [{"type": "text", "text": ""}]),
    ),
]
TOOLS = [
    Fault("field-required", "tools.1.custom.input_schema", "@: Field required", drop("tools.1.input_schema")),
    Fault(
        "field-unknown", "tools.0.custom.parameters", "@: Extra inputs are not permitted", put("tools.0.parameters", {})
    ),
    Fault("field-value", "tools.0.custom.input_schema.type", "@: Input should be 'object'", schema(type="array")),
    Fault("tool-name-form", "tools.0.custom.name", NAME_FORM, named("get.orders")),
    Fault("tool-name-form", "tools.1.custom.name", NAME_FORM, named("", at=1)),
    Fault("tool-name-long", "tools.0.custom.name", "@: String should have at most 128 characters", named("a" * 129)),
    Fault("tool-names-unique", "tools.1", "tools: Tool names must be unique.", named("get_orders", at=1)),
    Fault("schema-union", "tools.0.custom.input_schema", UNION, schema(anyOf=[{"required": ["a"]}])),
    Fault("schema-union", "tools.0.custom.input_schema", UNION, schema(oneOf=[])),
    Fault("schema-union", "tools.0.custom.input_schema", UNION, schema(allOf=None)),
    Fault("schema-invalid", "tools.0.custom.input_schema", INVALID, schema(properties={"a": {"type": "str"}})),
    Fault("schema-invalid", "tools.0.custom.input_schema", INVALID, schema(properties={"a": "string"})),
    Fault("schema-invalid", "tools.0.custom.input_schema", INVALID, schema(required="a")),
    Fault(
        "example-unfit",
        "tools.1.custom.input_examples.1",
        "@: The example does not match the tool's input_schema.",
        put("tools.1.input_examples", [{"order_id": "ord-101"}, {"order": "ord-101"}]),
    ),
    Fault(
        "tools-all-deferred",
        "tools",
        "At least one tool must have defer_loading=false. All tools cannot be deferred.",
        each(put("tools.0.defer_loading", True), put("tools.1.defer_loading", True)),
    ),
    Fault(
        "strict-tools",
        "tools",
        "Too many strict tools (21). The maximum number of strict tools supported is 20",
        strict({}, 21),
    ),
    Fault("strict-optional", "tools", OPTIONAL, strict({f"p{n}": STRING for n in range(5)}, 5, required=[])),
    Fault("strict-unions", "tools", UNIONS, strict({f"p{n}": NULLABLE for n in range(17)})),
    Fault("strict-open-object", "tools.0.custom", OPEN, strict({}, additionalProperties=True)),
    Fault("strict-open-object", "tools.0.custom", OPEN, strict({"a": {"type": "array", "items": {"type": "object"}}})),
    Fault(
        "strict-keyword",
        "tools.0.custom",
        "@: For 'integer' type, properties maximum, minimum are not supported",
        strict({"a": {"type": "integer", "minimum": 0, "maximum": 9}}),
    ),
    Fault(
        "strict-keyword",
        "tools.0.custom",
        "@: For 'array' type, property 'minItems' is not supported",
        strict({"a": {"type": "array", "minItems": 2}}),
    ),
    Fault("strict-reference", "tools.0.custom", REFERENCE, strict({"a": {"$ref": "https://example.com/a.json"}})),
    Fault("strict-reference", "tools.0.custom", REFERENCE, strict({"a": {"allOf": [{"$ref": "#/$defs/a"}]}})),
    *(
        Fault(
            "choice-forced",
            "tool_choice.type",
            FORCED,
            each(put("model", model), put("tool_choice", {"type": "any"})),
        )
        for model in ("claude-opus-5-5", "claude-sonnet-5-5-20260901", "claude-fable-5-1")
    ),
    Fault(
        "choice-without-tools",
        "tool_choice",
        "tool_choice.any may only be specified while providing tools",
        each(drop("tools"), put("tool_choice", {"type": "any"})),
    ),
    Fault(
        "choice-unknown",
        "tool_choice.name",
        "Tool 'get_weather' not found in provided tools",
        put("tool_choice", {"type": "tool", "name": "get_weather"}),
    ),
    Fault(
        "choice-thinking",
        "tool_choice.type",
        "Thinking may not be enabled when tool_choice forces tool use.",
        each(put("thinking", {"type": "adaptive"}), put("tool_choice", {"type": "any"})),
    ),
    Fault(
        "type-unknown",
        "tools.0",
        "@: Input tag 'function' found using 'type' does not match any of the expected tags: "
        + ", ".join(map(repr, ("custom", *SERVED))),
        put("tools.0.type", "function"),
    ),
]
