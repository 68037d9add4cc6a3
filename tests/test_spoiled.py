"""A reply after a planned fault: whatever the model said, it stays one that the API could have given."""

from typing import Any, get_args

import pytest
from anthropic.types import Message, StopReason
from bodies import call, page_bodies, texts
from hypothesis import given
from hypothesis import strategies as st
from stand_in import ASKED, DONE, LOOK, first_body

from askless.api.conversation import Request
from askless.api.faults import Fault, Kind
from askless.api.json_schema import fits
from askless.backend import Backend
from askless.model import Reply
from askless.model.spoiled import spoiled

KINDS: dict[Kind, dict[str, Any]] = {
    "slow": {"delay_s": 1},
    "refusal": {"after_output": True},
    "max_tokens": {},
    "context_window": {},
    "pause_turn": {},
    "unknown_tool": {},
    "bad_input": {},
}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}
OFFERED = page_bodies()[0]["tools"]

said = st.builds(lambda text: {"type": "text", "text": text}, texts.filter(str.strip))
called = st.builds(call, st.integers(1, 99), st.sampled_from(["get_orders"]), customer_id=texts)
replies = st.one_of(
    st.lists(said, min_size=1, max_size=2).map(lambda content: Reply(tuple(content), "end_turn")),
    st.tuples(st.lists(said, max_size=1), st.lists(called, min_size=1, max_size=3)).map(
        lambda parts: Reply((*parts[0], *parts[1]), "tool_use")
    ),
)
tools = st.lists(
    st.sampled_from([OFFERED[0], {**OFFERED[0], "strict": True}, SEARCH]),
    max_size=2,
    unique_by=lambda tool: tool["name"],
)


def after(reply: Reply, kind: Kind, offered: list[Any]) -> Reply:
    return spoiled(reply, Fault(1, kind, **KINDS[kind]), Request.of(first_body(tools=offered)))


def calls(content: Any) -> list[Any]:
    return [block for block in content if block["type"] == "tool_use"]


@given(replies, st.sampled_from(list(KINDS)), tools)
def test_what_the_api_cannot_give_is_never_given(reply: Reply, kind: Kind, offered: list[Any]) -> None:
    found = after(reply, kind, offered)
    assert found.stop_reason in get_args(StopReason)
    assert (found.stop_details is not None) == (found.stop_reason == "refusal")
    if found.stop_reason == "pause_turn":
        assert not calls(found.content)
        assert SEARCH in offered
    if found.stop_reason == "tool_use":
        assert found.content[-1]["type"] == "tool_use"
    if found.stop_reason == "end_turn":
        assert not calls(found.content)
    strict = {tool["name"] for tool in offered if tool.get("strict")}
    for before, now in zip(calls(reply.content), calls(found.content), strict=False):
        assert before["name"] not in strict or (now["name"] == before["name"] and now["input"] in (before["input"], {}))


@given(replies, st.sampled_from(["max_tokens", "context_window"]), st.booleans())
def test_a_cut_reply_is_a_beginning_of_the_whole_and_its_last_call_is_unfinished(
    reply: Reply, kind: Kind, strict: bool
) -> None:
    offered = [{**OFFERED[0], "strict": strict}]
    content = after(reply, kind, offered).content
    kept = len(content) - 1 if content and content[-1] not in reply.content else len(content)
    assert content[:kept] == reply.content[:kept]
    assert len(content) <= len(reply.content)
    assert content != reply.content
    for block in calls(content[kept:]):
        assert not fits(block["input"], offered[0]["input_schema"])


@given(called)
def test_a_bad_input_does_not_fit_and_an_unknown_tool_is_not_offered(block: dict[str, Any]) -> None:
    reply = Reply((block, *ASKED), "tool_use")
    bad = after(reply, "bad_input", OFFERED).content
    assert not fits(bad[0]["input"], OFFERED[0]["input_schema"])
    assert list(bad[1:]) == ASKED
    unknown = after(reply, "unknown_tool", OFFERED).content
    assert unknown[0]["name"] not in {tool["name"] for tool in OFFERED}
    assert unknown[0]["input"] == block["input"]


def test_an_input_that_any_schema_takes_cannot_be_made_bad() -> None:
    open_tool = {"name": "get_orders", "input_schema": {"type": "object"}}
    assert after(LOOK, "bad_input", [open_tool]) == LOOK


def test_a_turn_pauses_only_where_a_tool_of_the_apis_own_is_offered() -> None:
    assert after(LOOK, "pause_turn", OFFERED) == LOOK
    assert [block["type"] for block in after(LOOK, "pause_turn", [SEARCH]).content] == [
        "server_tool_use",
        "web_search_tool_result",
    ]


def test_a_refusal_before_the_output_has_none_of_it() -> None:
    fault = Fault(1, "refusal", category="cyber")
    assert spoiled(DONE, fault, Request.of(first_body())) == Reply(
        (), "refusal", {"type": "refusal", "category": "cyber", "explanation": None}
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoiled_reply_is_what_the_sdks_types_declare(kind: Kind) -> None:
    for reply in (LOOK, DONE):
        body = first_body(tools=[*OFFERED, SEARCH])
        answered = Backend(lambda _, said=reply: said).answer(Request.of(body), Fault(1, kind, **KINDS[kind]))
        message = Message.model_validate(answered.reply, strict=True)
        assert message.model_dump(mode="json", exclude_unset=True) == answered.reply
