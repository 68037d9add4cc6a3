"""A target, and what was measured against it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.check.target import Target, findings, met

TARGET = Target("v3", {"round_trips": 2, "input_tokens": 579, "answer_right": True})


def test_a_target_is_met_at_its_limits():
    assert findings({"round_trips": 2, "input_tokens": 579, "answer_right": True}, TARGET) == []


def test_each_limit_that_was_not_kept_is_told_with_both_numbers():
    found = findings({"round_trips": 3, "input_tokens": 1_408, "answer_right": False}, TARGET)
    assert [(finding.id, finding.what) for finding in found] == [
        ("round_trips", "3 round trips; rung v3 takes at most 2"),
        ("input_tokens", "1,408 input tokens; rung v3 takes at most 579"),
        ("answer_right", "the answer is wrong"),
    ]
    assert all(finding.next for finding in found)


@pytest.mark.parametrize("value", [None, True, "2", 2.5, float("nan")])
def test_what_was_not_measured_as_a_number_meets_no_number(value):
    assert not met({"round_trips": value, "input_tokens": 1, "answer_right": True}, TARGET)


@pytest.mark.parametrize("value", [None, 1, "right"])
def test_only_a_right_answer_is_right(value):
    assert not met({"round_trips": 1, "input_tokens": 1, "answer_right": value}, TARGET)


def test_a_missing_measure_is_never_met():
    assert [finding.id for finding in findings({}, TARGET)] == ["round_trips", "input_tokens", "answer_right"]


def test_a_target_without_limits_is_never_met():
    assert not met({"round_trips": 1}, Target("v4", {}))


def test_where_a_wrong_answer_is_the_target_a_right_one_misses_it():
    assert not met({"answer_right": True}, Target("v0", {"answer_right": False}))


@given(st.integers(0, 9), st.integers(0, 9))
def test_fewer_is_always_as_good(trips, limit):
    target = Target("v1", {"round_trips": limit})
    assert met({"round_trips": trips}, target) == (trips <= limit)
