"""Which things a question asks about, in whatever words."""

from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.model.question import MOST_IN_RANGES, asked
from askless.model.vocabulary import Fact, Kind, Vocabulary, word_set

WORDS = Vocabulary(
    (Kind("customer", word_set("customer client")), Kind("order", word_set("order"))),
    (Fact("orders", "customer", "order", word_set("order")), Fact("status", "order", None, word_set("status"))),
)
QUESTIONS = {
    "For customers C1, C2, C3 and C4: list each customer's open orders.": "C1 C2 C3 C4",
    "C1, C2, C3, C4: open orders + status?": "C1 C2 C3 C4",
    "Could you check what orders C1 has? And C2's?": "C1 C2",
    "customers c1,c2 & C2": "c1 c2",
    "For customer ids C1; C2; C3 list": "C1 C2 C3",
    "For customers [C1, 'C2'], list orders": "C1 C2",
    "Customers:\n- C1\n- C5\n\nlist orders": "C1 C5",
    "For client numbers 7 and 8. Write 2 lines each": "7 8",
    "For customers no. 12 and #13, list orders": "12 13",
    "customers 1 to 4": "1 2 3 4",
    "customers 1-3, and then 5": "1 2 3",
    "customers C01 to C03": "C01 C02 C03",
    "customers C8 to C11": "C8 C9 C10 C11",
    "C3 to C1": "C3 C1",
    "from C1 up to C3, but not C2": "C1 C3",
    "C1..C4 excluding C2 and C3": "C1 C4",
    "between C2 and C4, and C9": "C2 C3 C4 C9",
    "customer C1 (VIP2) and customer C3 (gold)": "C1 C3",
    "ord/1/2 to ord/1/4": "ord/1/2 ord/1/3 ord/1/4",
    "In Q3, within 24h of the 2nd: for customers C1 and C2, as of 2026-03-01": "C1 C2",
    'For customer C1. Write "C1: 2 open orders (ord-9 packed)".': "C1",
    "Who has open orders?": "",
}


@pytest.mark.parametrize("text", QUESTIONS)
def test_the_things_asked_about_are_found(text: str) -> None:
    assert asked(text, "customer", WORDS) == tuple(QUESTIONS[text].split())


@given(st.text())
def test_any_text_is_read_and_names_each_thing_once(text: str) -> None:
    things = asked(f"C1 {text}", "customer", WORDS)
    assert len({thing.casefold() for thing in things}) == len(things)


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_range_holds_every_number_between(first: int, last: int) -> None:
    things = [f"C{number}" for number in range(first, last + 1)] or [f"C{first}", f"C{last}"]
    assert asked(f"customers C{first} to C{last}", "customer", WORDS) == tuple(things)


@pytest.mark.parametrize("form", ["{0}1 to {0}9999", "{0}1-{0}9999", "{0}1-9999", "without {0}1-{0}9999"])
def test_a_short_question_names_no_more_things_for_many_ranges(form: str) -> None:
    ranges = [form.format(letter) for letter in ascii_uppercase]
    listings = [len(asked(f"customers {', '.join(ranges[:n])}", "customer", WORDS)) for n in (2, 26)]
    assert max(listings) < 3 * MOST_IN_RANGES
