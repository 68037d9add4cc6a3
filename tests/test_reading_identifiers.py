"""Identifiers of any form: each one named is found, told from the others, and sent back as it was given."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_desk import Tool, one, run
from test_scripted_desks import Desk, answer, coarse, one_by_one, question

from askless.model.vocabulary import words

LETTERS = st.text("KLMNPRST", min_size=1, max_size=3)
FORMS = st.sampled_from(["{0}-{1}7", "{0}/{1}{0}", "2026/{0}{1}x", "{0}.{1}.{0}", "{1}{0}", "{1}-{0}", "#{1}{0}"])
HEXADECIMAL = ["550e8400-e29b-41d4-a716-446655440000", "a50e8400-e29b-41d4-a716-446655440001"]


@given(FORMS, st.lists(st.integers(10, 999), unique=True, min_size=3, max_size=3), LETTERS)
@settings(max_examples=30)
def test_orders_of_one_form_are_all_read_from_prose(form: str, numbers: list[int], letters: str) -> None:
    orders = {form.format(number, letters).removeprefix("#"): "packed" for number in numbers}
    said = "C1 has " + ", ".join(f"{order} ({status})" for order, status in orders.items())
    overview = Tool("overview", "Open orders with shipping status.", one("customer_id"), lambda customer_id: said)
    assert run([overview], question("C1")).answer == answer({"C1": orders}, "C1")


@given(FORMS, st.lists(st.integers(10, 999), unique=True, min_size=3, max_size=3), LETTERS)
@settings(max_examples=30)
def test_an_order_is_sent_back_as_it_was_given(form: str, numbers: list[int], letters: str) -> None:
    desk = {"C1": {form.format(number, letters): "packed" for number in numbers}, "C2": {}}
    assert run(one_by_one(desk), question(*desk)).answer == answer(desk, *desk)


def test_hexadecimal_orders_are_all_read_from_prose() -> None:
    desk = {"C1": dict.fromkeys(HEXADECIMAL, "packed")}
    said = "C1 has " + ", ".join(f"{order} (packed)" for order in desk["C1"])
    overview = Tool("overview", "Open orders with shipping status.", one("customer_id"), lambda customer_id: said)
    assert run([overview], question("C1")).answer == answer(desk, "C1")


@pytest.mark.parametrize(
    "customers", [["100-AB", "200-AB", "300-AB"], ["CUST-A", "CUST-B"], ["A/B", "A/C"], ["7-A-1", "8-A-1"]]
)
def test_customers_of_any_form_are_asked_about(customers: list[str]) -> None:
    desk: Desk = {customers[0]: {"ord-1": "packed", "ord-2": "shipped"}, customers[1]: {}}
    for tools, trips in ((one_by_one(desk), 3), (coarse(desk), 2)):
        done = run(tools, question(*customers))
        assert (done.answer, done.trips) == (answer(desk, *customers), trips)


@given(st.text(st.sampled_from("aBIDs019_-. \u0663é"), max_size=12) | st.text(max_size=12))
def test_the_words_of_a_name_are_the_same_whatever_its_digits(name: str) -> None:
    assert words(re.sub(r"\d+", "0", name)) == words(name)
