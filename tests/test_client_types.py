"""What the service sends, held to the SDK's own types: no field that they do not know, none missing."""

from typing import Any

import pytest
from anthropic.types import Message, MessageTokensCount, RawMessageStreamEvent
from anthropic.types.beta import BetaMessage, BetaRawMessageStreamEvent
from bodies import page_bodies
from pydantic import BaseModel, TypeAdapter
from stand_in import MODEL, first_body, post, reply_of

from askless import sse
from askless.service import Service


def unknown_fields(value: Any) -> list[str]:
    """The fields in a parsed reply that the SDK's types do not declare."""
    if isinstance(value, list):
        return [name for item in value for name in unknown_fields(item)]
    if not isinstance(value, BaseModel):
        return []
    inner = [name for field in value.model_fields_set for name in unknown_fields(getattr(value, field))]
    return [*(value.model_extra or {}), *inner]


@pytest.mark.parametrize("type_", [Message, BetaMessage])
@pytest.mark.parametrize("body", page_bodies())
def test_a_reply_is_what_the_sdk_s_types_declare_no_more_and_no_less(type_: Any, body: dict[str, Any]) -> None:
    sent = reply_of(post(Service(MODEL), body))
    parsed = type_.model_validate(sent, strict=True)
    assert unknown_fields(parsed) == []
    assert parsed.model_dump(mode="json", exclude_unset=True) == sent


@pytest.mark.parametrize("type_", [RawMessageStreamEvent, BetaRawMessageStreamEvent])
@pytest.mark.parametrize("body", page_bodies())
def test_the_events_of_a_stream_are_what_the_sdk_s_types_declare(type_: Any, body: dict[str, Any]) -> None:
    events = [event for event in sse.events(reply_of(post(Service(MODEL), body))) if event["type"] != "ping"]
    parsed = [TypeAdapter(type_).validate_python(event, strict=True) for event in events]
    assert unknown_fields(parsed) == []
    assert [event.model_dump(mode="json", exclude_unset=True) for event in parsed] == events


def test_a_count_is_what_the_sdk_s_type_declares() -> None:
    counted = {name: value for name, value in first_body().items() if name != "max_tokens"}
    sent = reply_of(post(Service(MODEL), counted, "/v1/messages/count_tokens"))
    assert MessageTokensCount.model_validate(sent, strict=True).model_dump() == sent
