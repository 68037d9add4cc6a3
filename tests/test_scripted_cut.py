"""`max_tokens`: what does not fit is cut, the reply says so, and a cut call is never complete."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from order_desk import ANSWER, QUESTION, Tool, model, one, run, uses, v1

from askless.api.conversation import Request
from askless.api.parts import output_chars, tokens
from askless.model import Reply


def first(max_tokens: int, tools: list[Tool] | None = None, question: str = QUESTION) -> Reply:
    offered = [tool.offered for tool in tools or v1()]
    messages = [{"role": "user", "content": question}]
    return model()(Request.of({"max_tokens": max_tokens, "tools": offered, "messages": messages}))


WHOLE = [block["input"] for block in uses(first(1024))]
ENOUGH = tokens(output_chars(list(first(1024).content)))


def test_a_reply_that_just_fits_is_whole() -> None:
    assert (first(ENOUGH).stop_reason, [block["input"] for block in uses(first(ENOUGH))]) == ("tool_use", WHOLE)


@given(st.sampled_from([sys.maxsize - 1, sys.maxsize, 2**63, 10**4000]))
def test_a_limit_may_be_any_number(max_tokens: int) -> None:
    assert first(max_tokens) == first(ENOUGH)


@given(st.integers(0, 200))
def test_a_cut_reply_is_within_its_limit_and_only_its_last_call_is_incomplete(max_tokens: int) -> None:
    reply = first(max_tokens)
    inputs = [block["input"] for block in uses(reply)]
    assert tokens(output_chars(list(reply.content))) <= max_tokens
    assert (reply.stop_reason == "max_tokens") == (max_tokens < ENOUGH)
    if reply.stop_reason == "max_tokens":
        whole = [each for each in inputs if each]
        assert whole == WHOLE[: len(whole)]
        assert {} not in inputs[:-1]


def test_a_cut_call_has_no_input_so_that_its_tool_cannot_run() -> None:
    cut = uses(first(ENOUGH - 1))[-1]
    assert (cut["id"], cut["name"], cut["input"]) == ("toolu_0004_get_orders", "get_orders", {})


def test_a_cut_call_of_a_tool_that_needs_no_input_is_left_out() -> None:
    dump = Tool("dump", "All open orders of all customers, with status.", one("note"), dict, required=[])
    whole = first(1024, [dump])
    assert uses(whole)
    size = tokens(output_chars(list(whole.content)))
    assert (first(size - 1, [dump]).content, first(size - 1, [dump]).stop_reason) == ((), "max_tokens")


@given(st.integers(0, 60))
def test_a_final_text_is_cut_where_the_tokens_end(max_tokens: int) -> None:
    done = run(v1())
    reply = model()(Request.of({**done.bodies[-1], "max_tokens": max_tokens}))
    text = "".join(block["text"] for block in reply.content)
    assert ANSWER.startswith(text)
    assert tokens(output_chars(list(reply.content))) <= max_tokens
    assert reply.stop_reason == ("end_turn" if text == ANSWER else "max_tokens")


@pytest.mark.parametrize("customers", [40])
def test_forty_customers_fit_into_a_higher_limit(customers: int) -> None:
    question = f"For customers C1 to C{customers}: list open orders and the status of each."
    assert first(1024, question=question).stop_reason == "max_tokens"
    assert len(uses(first(8192, question=question))) == customers


def test_the_result_of_a_cut_call_teaches_nothing() -> None:
    cut = first(ENOUGH - 1)
    results = [
        {"type": "tool_result", "tool_use_id": block["id"], "content": "incomplete call", "is_error": True}
        if block["input"] == {}
        else {"type": "tool_result", "tool_use_id": block["id"], "content": '["ord-1"]'}
        for block in uses(cut)
    ]
    messages = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": list(cut.content)},
        {"role": "user", "content": results},
    ]
    again = model()(Request.of({"max_tokens": 1024, "tools": [tool.offered for tool in v1()], "messages": messages}))
    assert {"customer_id": "C4"} in [block["input"] for block in uses(again)]
