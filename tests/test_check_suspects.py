"""The suspects of a run: each named when it is there, none when it is not, the costliest first."""

import json
from typing import Any

import pytest
from bodies import call, result
from talk import TOOL, Talk, price, prices

from askless.check.suspects import suspects
from askless.check.target import Finding
from askless.trace import Trace

PEAR, PLUM, FIG = price(1, "pear"), price(2, "plum"), price(3, "fig")
LIST = {"name": "prices", "description": "The prices of some fruits.", "input_schema": {"type": "object"}}


def ids(trace: Trace) -> list[str]:
    return [finding.id for finding in suspects(trace)]


def finding(trace: Trace, kind: str) -> Finding:
    (found,) = [each for each in suspects(trace) if each.id == kind]
    return found


def split() -> Talk:
    """Three results in three messages, and then one call at a time."""
    weights = [price(number, fruit, "weight") for number, fruit in ((4, "pear"), (5, "plum"), (6, "fig"))]
    talk = Talk().asks(PEAR, PLUM, FIG).gives_apart(result(PEAR, "1"), result(PLUM, "2"), result(FIG, "3"))
    for weight in weights:
        talk.asks(weight).gives(result(weight, "9"))
    return talk.says()


def test_split_results_are_named_with_the_requests_that_they_cost():
    found = finding(split().trace(), "split_results")
    assert "the 3 results of reply 1 came back in 3 user messages" in found.what
    assert "2 requests more" in found.what


def test_split_results_come_before_the_tools_for_one_item():
    assert ids(split().trace()) == ["split_results", "one_item_tools"]


def test_results_in_one_message_are_not_split():
    trace = Talk().asks(PEAR, PLUM).gives(result(PEAR, "1"), result(PLUM, "2")).says().trace()
    assert "split_results" not in ids(trace)


def test_one_call_at_a_time_is_not_split():
    trace = Talk().asks(PEAR).gives(result(PEAR, "1")).asks(PLUM).gives(result(PLUM, "2")).says().trace()
    assert "split_results" not in ids(trace)


def test_a_tool_called_for_one_item_after_the_other_is_named_with_how_often():
    trace = Talk().asks(PEAR, PLUM).gives(result(PEAR, "1"), result(PLUM, "2")).says().trace()
    assert finding(trace, "one_item_tools").what == "called price 2 times, each time for one item"


def test_a_tool_that_takes_a_list_is_no_suspect():
    both, more = prices(1, "pear", "plum"), prices(2, "fig", "nut")
    talk = Talk("What do they cost?", LIST).asks(both).gives(result(both, "[1, 2]")).asks(more)
    assert ids(talk.gives(result(more, "[3, 4]")).says().trace()) == []


@pytest.mark.parametrize(
    "content",
    ["'plum' not found", "KeyError: 'plum'", '{"error": "no such fruit"}', '"unknown fruit"', "Traceback (most recent"],
)
def test_a_result_that_reads_like_an_error_wants_a_flag(content):
    asked = Talk().asks(PLUM)
    assert finding(asked.gives(result(PLUM, content)).says().trace(), "unflagged_errors").next == "set is_error on it"


@pytest.mark.parametrize("content", ["'plum' not found", '{"error": "no such fruit"}'])
def test_a_flagged_error_is_as_it_should_be(content):
    assert ids(Talk().asks(PLUM).gives(result(PLUM, content, is_error=True)).says().trace()) == []


@pytest.mark.parametrize("content", ['{"price": 2}', '{"error": null, "price": 2}', "2", "[]", "", None])
def test_data_is_no_error(content):
    assert ids(Talk().asks(PLUM).gives(result(PLUM, content)).says().trace()) == []


def test_an_error_in_blocks_of_text_is_read_too():
    content = [{"type": "text", "text": "plum: not found"}]
    assert ids(Talk().asks(PLUM).gives(result(PLUM, content)).says().trace()) == ["unflagged_errors"]


def test_a_list_result_may_report_that_one_thing_is_missing():
    both = prices(1, "pear", "plum")
    content = json.dumps({"pear": 1, "plum": {"error": "not found"}})
    assert ids(Talk("?", LIST).asks(both).gives(result(both, content)).says().trace()) == []


@pytest.mark.parametrize("said", ["'price' not found", "Unknown tool: price", "KeyError: 'price'", "no tool price"])
def test_an_offered_tool_that_the_agent_does_not_run_is_named(said):
    trace = Talk().asks(PLUM).gives(result(PLUM, said, is_error=True)).says().trace(right=False)
    found = suspects(trace)[0]
    assert (found.id, found.what) == ("unknown_tools", "1 call of price failed: the agent runs no tool of that name")


@pytest.mark.parametrize(
    "said", ["'plum' not found", "price: plum not found", "no price of plum", "price unknown of plum"]
)
def test_a_thing_that_a_tool_does_not_find_is_another_matter(said):
    trace = Talk().asks(PLUM).gives(result(PLUM, said, is_error=True)).says().trace(right=False)
    assert "unknown_tools" not in ids(trace)


EVERYONE = "pear: 1\nplum: not found"


@pytest.mark.parametrize("asked", [call(1, "price"), call(1, "price", fruits="pear, plum")], ids=["all", "one text"])
def test_a_result_about_several_may_report_that_one_is_missing(asked):
    assert ids(Talk().asks(asked).gives(result(asked, EVERYONE)).says().trace()) == []


def test_an_unflagged_error_under_a_wrong_answer_comes_before_all_else():
    talk = Talk().asks(PEAR, PLUM).gives_apart(result(PEAR, "1"), result(PLUM, "plum: not found")).says()
    assert ids(talk.trace(right=False))[0] == "unflagged_errors"
    assert ids(talk.trace(right=True))[0] != "unflagged_errors"


def test_a_tool_that_was_tried_with_one_item_first_had_a_vague_description():
    more = [price(number, fruit) for number, fruit in ((2, "plum"), (3, "fig"))]
    talk = Talk().asks(PEAR).gives(result(PEAR, "1")).asks(*more)
    trace = talk.gives(*(result(each, "2") for each in more)).says().trace()
    what = finding(trace, "vague_descriptions").what
    assert what == "price was tried with one item in reply 1 and trusted with more in reply 2"


def test_a_list_tool_may_have_been_tried_as_well():
    one, rest = prices(1, "pear"), prices(2, "plum", "fig")
    talk = Talk("?", LIST).asks(one).gives(result(one, "1")).asks(rest).gives(result(rest, "[2, 3]")).says()
    assert ids(talk.trace()) == ["vague_descriptions"]


@pytest.mark.parametrize(("description", "words"), [("", "0 words"), ("Gets it.", "2 words"), (None, "0 words")])
def test_a_tiny_description_is_named(description, words):
    tool = {**TOOL, "description": description} if description is not None else {**TOOL}
    tool = tool if description is not None else {key: tool[key] for key in ("name", "input_schema")}
    assert words in finding(Talk("?", tool).says().trace(), "vague_descriptions").what


def test_a_call_that_had_its_answer_is_named_when_it_comes_again():
    again = price(2, "pear")
    trace = Talk().asks(PEAR).gives(result(PEAR, "1")).asks(again).gives(result(again, "1")).says().trace()
    assert "price 1 time again" in finding(trace, "repeated_calls").what


def test_one_more_try_after_an_error_is_fair_and_a_third_is_not():
    first, second, third = (price(number, "pear") for number in (1, 2, 3))
    talk = Talk().asks(first).gives(result(first, "try again", is_error=True)).asks(second)
    talk.gives(result(second, "try again", is_error=True))
    assert "repeated_calls" not in ids(talk.trace())
    assert "repeated_calls" in ids(talk.asks(third).trace())


def refused(**details: Any) -> Trace:
    talk = Talk().refuses(type="invalid_request_error", message="roles must be so", details=details)
    return talk.refuses(type="invalid_request_error", message="roles must be so", details=details).trace(right=False)


def test_a_refused_request_is_named_with_its_rule_and_its_mend():
    found = finding(refused(rule="first-role", mend="begin with the user"), "failed_requests")
    assert found.what == "2 requests failed (1, 1) with 400, rule first-role: roles must be so"
    assert found.next == "begin with the user"


def test_a_refusal_of_another_service_has_its_status_for_a_rule():
    trace = Talk().refuses(message="no").trace()
    assert "rule 400: no" in finding(trace, "failed_requests").what


def test_a_failure_that_passes_says_to_try_again_and_a_cut_stream_to_look_at_its_stop_reason():
    overloaded = Talk().fails(529, {"error": {"type": "overloaded_error", "message": "Overloaded"}}).says().trace()
    assert finding(overloaded, "failed_requests").what == "1 request failed (1) with 529, rule 529: Overloaded"
    assert finding(overloaded, "failed_requests").next.startswith("send it again")
    lost = Talk().fails(0, {}).says().trace()
    assert finding(lost, "failed_requests").next.startswith("send it again")
    cut = Talk().fails(200, {"content": [], "stop_reason": None, "usage": {"output_tokens": 1}}).says().trace()
    assert "rule cut: the stream ended before" in finding(cut, "failed_requests").what
    assert finding(cut, "failed_requests").next.startswith("ask again where stop_reason is None")


def test_going_on_after_the_answer_is_named_with_its_first_request():
    trace = Talk().says().adds("Are you sure?").says().adds("Really?").says().trace()
    assert finding(trace, "past_the_answer").what.startswith("2 requests sent after the model had answered")
    assert "request 2" in finding(trace, "past_the_answer").what


def test_a_call_that_only_passes_on_what_another_tool_gave_is_named_once_nothing_cheaper_is_left():
    both, found = prices(1, "pear", "plum", name="find"), prices(2, "ord-1", "ord-2")
    talk = Talk("Where are pear and plum?", LIST).asks(both).gives(result(both, '{"pear": ["ord-1"], "plum": "ord-2"}'))
    trace = talk.asks(found).gives(result(found, "[]")).says().trace()
    assert ids(trace) == ["chained_tools"]
    assert "reply 2 only passed on to prices" in suspects(trace)[0].what


def test_a_run_with_one_coarse_call_has_no_suspect():
    both = prices(1, "pear", "plum")
    assert ids(Talk("Where are pear and plum?", LIST).asks(both).gives(result(both, "[1, 2]")).says().trace()) == []


def test_an_empty_trace_has_no_suspect():
    assert ids(Talk().trace()) == []
