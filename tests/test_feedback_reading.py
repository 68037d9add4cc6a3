"""How numbers and names are read in prose, in a learner's and in a reviewer's."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless.learn.reading import is_name, numbers, tokens


def unreadable(text: str) -> list[str]:
    return [token.text for token in tokens(text) if not token.readable]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1,408 1408 1'408 1\u2019408 1\u202f408 1_408", [1408]),
        ("from 8 to 3 round trips.", [3, 8]),
        ("from 8->3, then 2", [2, 3, 8]),
        ("three trips, the third request, the 12th", [3, 12]),
        ("0.25 USD", [Decimal("0.25")]),
        ("on 2026-11-30", [11, 30, 2026]),
        ("a loss of -3", [3]),
        ("\uff12 trips and \u0663 calls", [2, 3]),
        ("v3, C1, toolu_0001_get and claude-sonnet-5", []),
        ("no number, only one-off words", [1]),
    ],
)
def test_a_number_is_read_however_it_is_written(text: str, read: list[Decimal]) -> None:
    assert sorted(numbers(text)) == read


@pytest.mark.parametrize(
    "text",
    ["50 %", "50%", "5 per cent", "half", "Twice", "a dozen", "\u00bd", "x\u00b2", "\u4e09\u6b21", "twenty", "thirteen",
     "a hundred", "tenfold", "3-fold", "1,4", "1,4080", "30.11.2026", "doubled", "\u2167"],
)  # fmt: skip
def test_what_says_how_many_and_is_no_plain_number_cannot_be_read(text: str) -> None:
    assert unreadable(text) or any(is_name(token.text) for token in tokens(text))


def test_names_are_split_from_what_is_joined_to_them() -> None:
    assert [token.text for token in tokens("v3's v0/v1 claude-sonnet-5") if is_name(token.text)] == [
        "v3", "v0", "v1", "claude-sonnet-5",
    ]  # fmt: skip


@settings(max_examples=200)
@given(st.text())
def test_any_text_can_be_read_and_no_digit_of_it_is_passed_over(text: str) -> None:
    read = "".join(token.text for token in tokens(text))
    assert sum(map(str.isdecimal, read)) == sum(map(str.isdecimal, text))


@given(st.integers(0, 10**12))
def test_a_number_with_commas_is_the_number(number: int) -> None:
    assert numbers(f"it took {number:,}, all in all") == {number}
