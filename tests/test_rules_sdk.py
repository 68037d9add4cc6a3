"""The tables of fields against the SDK's own types, so that drift shows."""

from types import NoneType, UnionType
from typing import Any, Literal, Required, Union, get_args, get_origin, get_type_hints

import anthropic.types as sdk
import pytest
from anthropic.types.message_create_params import MessageCreateParamsBase
from anthropic.types.tool_result_block_param import Content

from askless.api import blocks, cache_marks, fields, tool_choice, tools
from askless.api.shape import Nullable, OneOf, Record, Tagged

HEADERS = {"user_profile_id", "workspace_id"}  # sent beside the body


def hints(typed: Any) -> dict[str, Any]:
    return get_type_hints(typed, include_extras=True)


def required(typed: Any) -> set[str]:
    return {name for name, hint in hints(typed).items() if get_origin(hint) is Required}


def bare(hint: Any) -> Any:
    """A hint without Required and Optional."""
    if get_origin(hint) is Required:
        return bare(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        others = [arg for arg in get_args(hint) if arg is not NoneType]
        return bare(others[0]) if len(others) == 1 else hint
    return hint


def members(union: Any) -> tuple[Any, ...]:
    return get_args(union) if get_origin(union) in (Union, UnionType) else (union,)


def by_type(union: Any) -> dict[str, Any]:
    """The members of a union, each under every `type` that it may have."""
    return {tag: typed for typed in members(union) for tag in get_args(bare(hints(typed)["type"]))}


def choices(check: Any) -> set[str]:
    return set((check.check if isinstance(check, Nullable) else check).values)


def same(record: Any, typed: Any) -> None:
    assert isinstance(record, Record)
    assert set(record.required) == required(typed)
    assert set(record.fields) == set(hints(typed))


def test_a_requests_fields_are_the_sdks():
    assert set(fields.MESSAGES.required) == required(MessageCreateParamsBase)
    assert set(fields.MESSAGES.fields) == set(hints(MessageCreateParamsBase)) - HEADERS | {"stream"}


def test_the_fields_of_token_counting_are_the_sdks():
    assert set(fields.COUNT_TOKENS.required) == required(sdk.MessageCountTokensParams)
    assert set(fields.COUNT_TOKENS.fields) == set(hints(sdk.MessageCountTokensParams)) - HEADERS


@pytest.mark.parametrize(
    ("check", "union"),
    [
        (Tagged(blocks.CONTENT), sdk.ContentBlockParam),
        (Tagged(blocks.RESULT_CONTENT), Content),
        (tool_choice.TOOL_CHOICE, sdk.ToolChoiceParam),
        (fields.THINKING, sdk.ThinkingConfigParam),
        (cache_marks.CACHE_CONTROL.check, sdk.CacheControlEphemeralParam),
        (Tagged({"custom": tools.CUSTOM}), sdk.ToolParam),
    ],
    ids=["content", "result content", "tool_choice", "thinking", "cache_control", "tools"],
)
def test_what_has_a_type_has_the_sdks_types_and_their_fields(check: Tagged, union: Any):
    kinds = by_type(union)
    assert set(check.kinds) == set(kinds)
    for kind, record in check.kinds.items():
        same(record, kinds[kind])


def test_the_tools_that_are_served_are_the_sdks():
    assert {"custom", *tools.SERVED} == set(by_type(sdk.ToolUnionParam))


def test_what_may_be_an_object_has_the_sdks_fields():
    same(fields.COUNTED["output_config"], sdk.OutputConfigParam)
    same(fields.MESSAGES.fields["metadata"], sdk.MetadataParam)


def test_a_message_has_the_sdks_roles_and_fields():
    roles = {role for typed in members(sdk.MessageParam) for role in get_args(bare(hints(typed)["role"]))}
    assert set(blocks.ROLES) == roles
    assert set(blocks.MESSAGE.fields) == set(
        hints(sdk.MessageParam if isinstance(sdk.MessageParam, type) else members(sdk.MessageParam)[0])
    )


@pytest.mark.parametrize(
    ("check", "hint"),
    [
        (fields.EFFORT, hints(sdk.OutputConfigParam)["effort"]),
        (fields.COUNTED["speed"], hints(MessageCreateParamsBase)["speed"]),
        (fields.MESSAGES.fields["service_tier"], hints(MessageCreateParamsBase)["service_tier"]),
        (fields.DISPLAY, hints(sdk.ThinkingConfigAdaptiveParam)["display"]),
        (OneOf(tools.CALLERS), get_args(hints(sdk.ToolParam)["allowed_callers"])[0]),
    ],
    ids=["effort", "speed", "service_tier", "display", "callers"],
)
def test_a_field_of_few_values_has_the_sdks(check: Any, hint: Any):
    assert get_origin(bare(hint)) is Literal
    assert choices(check) == set(get_args(bare(hint)))


REPLIES = [
    sdk.TextBlock(type="text", text="two orders", citations=None),
    sdk.ThinkingBlock(type="thinking", thinking="", signature="abc"),
    sdk.ToolUseBlock(type="tool_use", id="toolu_1", name="get_orders", input={}, caller={"type": "direct"}),
    sdk.ToolUseBlock(type="tool_use", id="toolu_1", name="get_orders", input={"a": [1]}),
]


@pytest.mark.parametrize("block", REPLIES, ids=lambda block: block.type)
@pytest.mark.parametrize("unset", [True, False])
def test_a_block_of_a_reply_may_be_sent_back_as_the_sdk_writes_it(block: Any, unset: bool):
    content = [block.model_dump(mode="json", exclude_unset=unset)]
    assert blocks.refusal(1, {"role": "assistant", "content": content}) is None
