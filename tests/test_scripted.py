"""The protocol's rules: parallel calls until results come back split, ids, `tool_choice`, the spec's own numbers."""

from typing import Any

import pytest
from order_desk import ANSWER, ORDERS, QUESTION, STATUS, Tool, get_status, many, model, one, result, run, uses, v1

from askless.api.conversation import Request
from askless.api.parts import input_tokens
from askless.model import Reply


def listing() -> list[Tool]:
    return [
        Tool("get_orders", "Open orders of customers.", many("customer_ids"),
             lambda customer_ids: {c: ORDERS.get(c) for c in customer_ids}),
        Tool("get_status", "Shipping status of orders.", many("order_ids"),
             lambda order_ids: {order: STATUS[order] for order in order_ids}),
    ]  # fmt: skip


def coarse() -> list[Tool]:
    def look_up(customer_ids: list[str]) -> Any:
        return {c: {o: STATUS[o] for o in ORDERS[c]} if c in ORDERS else None for c in customer_ids}

    return [Tool("get_orders", "Open orders of customers, with their status.", many("customer_ids"), look_up)]


def asked(*messages: dict[str, Any], tools: list[Tool] | None = None, **fields: Any) -> Reply:
    offered = [tool.offered for tool in v1() if tools is None] + [tool.offered for tool in tools or []]
    first = {"role": "user", "content": QUESTION}
    return model()(Request.of({"max_tokens": 1024, "tools": offered, **fields, "messages": [first, *messages]}))


def test_the_run_of_the_page_is_met_to_the_character() -> None:
    done = run(v1())
    assert [input_tokens(Request.of(body)) for body in done.bodies] == [170, 430, 808]
    assert [[(block["id"], block["input"]) for block in uses(reply)] for reply in done.replies] == [
        [(f"toolu_000{n}_get_orders", {"customer_id": f"C{n}"}) for n in (1, 2, 3, 4)],
        [(f"toolu_{n:04}_get_status", {"order_id": order}) for n, order in enumerate(STATUS, 5)],
        [],
    ]
    assert [reply.stop_reason for reply in done.replies] == ["tool_use", "tool_use", "end_turn"]
    assert done.answer == ANSWER


LADDER = {
    "split results": (v1(), True, 8, 10),
    "together": (v1(), False, 3, 10),
    "lists": (listing(), False, 3, 2),
    "lists, split": (listing(), True, 3, 2),
    "coarse": (coarse(), False, 2, 1),
}


@pytest.mark.parametrize("incremental", [True, False], ids=["incremental", "afresh"])
@pytest.mark.parametrize(("tools", "split", "trips", "calls"), LADDER.values(), ids=LADDER)
def test_each_rung_takes_its_trips(tools: list[Tool], split: bool, trips: int, calls: int, incremental: bool) -> None:
    done = run(tools, split=split, incremental=incremental)
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, trips, calls)


def test_after_split_results_a_list_in_one_call_is_preferred_to_many_calls() -> None:
    one_status = Tool("get_status", "Shipping status of one order.", one("order_id"), lambda order_id: STATUS[order_id])
    one_orders = Tool(
        "orders", "Open orders with status of a customer.", one("customer_id"), lambda customer_id: "none"
    )
    messages = split_after(asked())
    chosen = asked(*messages, tools=[*v1()[:1], one_status, listing()[1], one_orders])
    assert [block["input"] for block in uses(chosen)] == [{"order_ids": list(STATUS)}]


def split_after(reply: Reply) -> list[dict[str, Any]]:
    results = [result(v1()[0], block) for block in uses(reply)]
    return [
        {"role": "assistant", "content": list(reply.content)},
        *({"role": "user", "content": [one]} for one in results),
    ]


def test_results_in_two_messages_among_four_are_split_already() -> None:
    first = asked()
    results = [result(v1()[0], block) for block in uses(first)]
    halves = [{"role": "user", "content": results[:3]}, {"role": "user", "content": results[3:]}]
    assert len(uses(asked({"role": "assistant", "content": list(first.content)}, *halves))) == 1


def test_a_text_in_a_message_of_its_own_after_the_results_is_no_split() -> None:
    first = asked()
    results = [result(v1()[0], block) for block in uses(first)]
    after = [{"role": "user", "content": results}, {"role": "user", "content": "Here you are; mind C4."}]
    assert len(uses(asked({"role": "assistant", "content": list(first.content)}, *after))) == 6


def test_ids_count_on_from_the_highest_in_the_conversation() -> None:
    call = {"type": "tool_use", "id": "toolu_0041_get_orders", "name": "get_orders", "input": {"customer_id": "C1"}}
    given = {"type": "tool_result", "tool_use_id": call["id"], "content": "[]"}
    reply = asked({"role": "assistant", "content": [call]}, {"role": "user", "content": [given]})
    assert uses(reply)[0]["id"] == "toolu_0042_get_orders"


@pytest.mark.parametrize("choice", ["auto", "any"])
def test_one_call_comes_at_a_time_where_parallel_calls_are_off(choice: str) -> None:
    assert len(uses(asked(tool_choice={"type": choice, "disable_parallel_tool_use": True}))) == 1
    assert len(uses(asked(tool_choice={"type": choice}))) == 4


def test_a_whole_run_without_parallel_calls_asks_one_thing_a_trip() -> None:
    done = run(v1(), tool_choice={"type": "auto", "disable_parallel_tool_use": True})
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 11, 10)


def test_only_the_tool_that_is_chosen_is_called() -> None:
    reply = asked(tool_choice={"type": "tool", "name": "get_orders"})
    assert [block["name"] for block in uses(reply)] == ["get_orders"] * 4


def test_a_tool_that_fits_nothing_is_called_all_the_same_when_it_is_chosen() -> None:
    reply = asked(tool_choice={"type": "tool", "name": "get_status"})
    assert [block["name"] for block in uses(reply)] == ["get_status"]
    assert reply.stop_reason == "tool_use"


def test_any_demands_a_call_even_when_all_is_known() -> None:
    done = run(v1(), tool_choice={"type": "any"}, most_trips=5)
    assert [len(uses(reply)) for reply in done.replies] == [4, 6, 1, 1, 1]


def test_none_ends_in_a_text() -> None:
    reply = asked(tool_choice={"type": "none"})
    assert ([block["type"] for block in reply.content], reply.stop_reason) == (["text"], "end_turn")


def test_no_text_stands_before_a_call() -> None:
    for reply in run(v1()).replies[:-1]:
        assert {block["type"] for block in reply.content} == {"tool_use"}


def test_a_second_question_is_answered_from_what_is_known() -> None:
    done = run(v1())
    history = [*done.bodies[-1]["messages"], {"role": "assistant", "content": list(done.replies[-1].content)}]
    again = [*history, {"role": "user", "content": "And C2 and C9?"}]
    body = {"max_tokens": 1024, "tools": [tool.offered for tool in v1()], "messages": again}
    assert [block["input"] for block in uses(model()(Request.of(body)))] == [{"customer_id": "C9"}]


def test_server_tools_are_left_alone() -> None:
    offered = [{"type": "web_search_20250305", "name": "web_search"}, *(tool.offered for tool in v1())]
    body = {"max_tokens": 1024, "tools": offered, "messages": [{"role": "user", "content": QUESTION}]}
    assert len(uses(model()(Request.of(body)))) == 4


def test_no_tool_is_asked_the_same_twice_when_two_overlap() -> None:
    overlapping = [*v1(), Tool("orders_of", "Open orders of one customer.", one("customer"), lambda customer: "?")]
    done = run([*overlapping, get_status_too()])
    assert (done.answer, done.trips, len(done.calls)) == (ANSWER, 3, 10)


def get_status_too() -> Tool:
    return Tool("status_of", "Shipping status of an order.", one("order"), get_status().run)
