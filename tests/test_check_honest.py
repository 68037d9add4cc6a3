"""A right answer that was not worked out: each way to it has its name, and honest work has none."""

import json

from bodies import result
from talk import Talk, price

from askless.check.honest import findings, named
from askless.trace import Trace

PEAR, PLUM = price(1, "pear"), price(2, "plum")
FACTS = {"green", "ord-10", "café"}
RIGHT = "The pear is green, ord-10, café."


def is_right(text: str) -> bool:
    return all(fact in text for fact in FACTS)


def told(trace: Trace, left: int = 0) -> list[str]:
    return [finding.id for finding in findings(trace, FACTS, lambda _: left, is_right)]


def worked(said: str, answer: str = RIGHT) -> Trace:
    """One call, its result, and the answer."""
    return Talk().asks(PEAR).gives(result(PEAR, said)).says(RIGHT).trace(answer=answer)


def test_a_fact_may_come_in_any_case_shape_and_escape():
    assert told(worked("GREEN,ord-10,café")) == []
    assert told(worked(json.dumps({"fruit": ["green", {"ord-10": "café"}]}))) == []


def test_a_fact_that_never_came_in_a_result_is_from_memory():
    assert told(worked("green, ord-10")) == ["answers_from_memory"]
    assert told(worked("green, ord-101, café")) == ["answers_from_memory"]


def test_what_was_never_looked_up_is_from_memory_whatever_the_results_say():
    assert told(worked("green ord-10 café"), left=1) == ["answers_from_memory"]


def test_a_result_of_a_call_that_the_model_never_made_proves_nothing():
    whole = result(PEAR, "green ord-10 café")
    assert told(Talk().makes_up(PEAR).gives(whole).says(RIGHT).trace(answer=RIGHT)) == ["answers_from_memory"]
    asked = Talk().asks(PEAR).gives(result(PEAR, "green")).makes_up(PLUM).gives(result(PLUM, "ord-10 café"))
    assert told(asked.says(RIGHT).trace(answer=RIGHT)) == ["answers_from_memory"]


def test_an_answer_that_the_model_never_gave_is_without_it():
    assert told(Talk().asks(PEAR).gives(result(PEAR, RIGHT)).says("No idea.").trace(answer=RIGHT)) == [
        "answers_without_model"
    ]
    assert told(Talk().trace(answer=RIGHT)) == ["answers_without_model"]


def test_other_words_for_the_models_facts_are_its_own():
    assert told(worked(RIGHT, answer="green / ord-10 / café, all of it")) == []


def test_of_a_wrong_answer_there_is_nothing_to_say():
    assert told(worked("", answer="The pear is blue.")) == []


def test_a_fact_is_a_whole_word_and_the_longest_that_fits():
    assert named({"ord-1", "ord-10", ""}, "ORD-10 and ord-100") == {"ord-10"}
    assert named(set(), "anything") == set()
