"""Numbers as people write them, and the digest of a prediction."""

from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.learn.prediction import LARGEST, MEASURES, Prediction, Unclear, read_number, read_percent

NUMBERS = st.integers(0, LARGEST)
DIGITS = {"full-width": "０１２３４５６７８９", "Arabic": "٠١٢٣٤٥٦٧٨٩", "Devanagari": "०१२३४५६७८९"}  # noqa: RUF001
GROUPS = [",", ".", " ", "'", "_", "’", "，", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}", "\N{THIN SPACE}"]  # noqa: RUF001
ABOUT = ["", "+", "+ ", "~", "~ ", "≈", "～", "about ", "About ", "around ", "roughly ", "ca. ", "approx. ", "circa "]  # noqa: RUF001
AFTER = ["", "?", " ?", "??"]
OWN = {
    "round_trips": ["trips", "round trips", "trip"],
    "tool_calls": ["calls", "tool call"],
    "input_tokens": ["tokens"],
}
AROUND = ["", " ", "\t", "\n", "\N{NO-BREAK SPACE}", "\N{ZERO WIDTH SPACE}", "\ufeff"]

UNCLEAR = {
    "1.20": "more than one way",
    "1,2": "more than one way",
    "1200.0": "more than one way",
    "1.200,5": "more than one way",
    "1,200.300": "more than one way",
    "1,2,00": "more than one way",
    "0.500": "more than one way",
    "12 00": "more than one way",
    "1 2": "more than one way",
    "1.200k": "more than one way",
    "12-15": "more than one number",
    "12–15": "more than one number",  # noqa: RUF001
    "12 to 15": "more than one number",
    "1,200 - 1,500": "more than one number",
    "8/9": "more than one number",
    "ten": "not a number written in digits alone",
    "8 trips": "not a number written in digits alone",
    "1e3": "not a number written in digits alone",
    "10²": "not a number written in digits alone",
    "½": "not a number written in digits alone",
    "8\n9": "not a number written in digits alone",
    "": "No number was typed",
    " \t ": "No number was typed",
    "~": "No number was typed",
    "1200 tokens": "not a number written in digits alone",
    "1200+": "not a number written in digits alone",
    "+": "not a number written in digits alone",
    "++5": "not a number written in digits alone",
    "?": "No number was typed",
    "-5": "below zero",
    "−5": "below zero",  # noqa: RUF001
    "99999999999": "more than any run",
    "9" * 10_000: "more than any run",
}


@given(NUMBERS, st.sampled_from(GROUPS), st.sampled_from(ABOUT), st.sampled_from(AROUND))
def test_a_number_reads_back_however_it_is_grouped(number: int, group: str, about: str, around: str) -> None:
    assert read_number(f"{around}{about}{number:,}{around}".replace(",", group)) == number


@given(st.integers(1, LARGEST), st.sampled_from(MEASURES), st.sampled_from(AFTER), st.data())
def test_a_measures_own_unit_may_stand_beside_its_number(
    number: int, measure: str, after: str, data: st.DataObject
) -> None:
    unit = data.draw(st.sampled_from(OWN[measure]))
    assert read_number(f"{number:,} {unit}{after}", measure) == number
    with pytest.raises(Unclear):
        read_number(f"{number:,} {unit}", next(other for other in MEASURES if other != measure))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("none", ["0", "00", "~0", "+0", "0?"])
def test_no_request_and_no_tokens_are_asked_again_since_no_run_is_so(measure: str, none: str) -> None:
    if measure == "tool_calls":
        assert read_number(none, measure) == 0
    else:
        with pytest.raises(Unclear, match="every run sends at least one request"):
            read_number(none, measure)


@given(NUMBERS, st.sampled_from(sorted(DIGITS)))
def test_a_number_reads_back_in_any_digits(number: int, script: str) -> None:
    assert read_number(str(number).translate(str.maketrans("0123456789", DIGITS[script]))) == number


@given(st.integers(0, 999), st.sampled_from(".,"))
def test_k_stands_for_thousands(hundreds: int, point: str) -> None:
    assert read_number(f"{hundreds // 10}{point}{hundreds % 10}k") == hundreds * 100


@pytest.mark.parametrize(("text", "number"), [("1,20,000", 120_000), ("６，０００", 6000), ("6 K", 6000), ("008", 8)])  # noqa: RUF001
def test_other_clear_forms(text: str, number: int) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize("text", UNCLEAR, ids=lambda text: ascii(text)[:20])
def test_what_is_unclear_is_asked_again_with_its_reason(text: str) -> None:
    with pytest.raises(Unclear, match=UNCLEAR[text]):
        read_number(text)


@given(st.integers(0, LARGEST), st.from_regex(r"\d{1,2}|\d{4,6}", fullmatch=True), st.sampled_from(".,"))
def test_a_fraction_is_never_guessed_to_be_a_count(whole: int, fraction: str, point: str) -> None:
    with pytest.raises(Unclear):
        read_number(f"{whole}{point}{fraction}")


@given(NUMBERS, NUMBERS, st.sampled_from(["-", " - ", "–", "—", "..", " to ", " or "]))  # noqa: RUF001
def test_a_range_is_never_guessed_to_be_one_number(low: int, high: int, between: str) -> None:
    with pytest.raises(Unclear):
        read_number(f"{low:,}{between}{high:,}")


@given(st.text() | st.text("0123456789.,' ~k-−to", max_size=12))  # noqa: RUF001
def test_any_text_gives_a_count_or_one_clear_line(text: str) -> None:
    for read, largest in ((read_number, LARGEST), (read_percent, 100)):
        said = answer(read, text)
        if isinstance(said, str):
            assert len(said.splitlines()) == 1
            assert len(said) < 120
        else:
            assert said is None or 0 <= said <= largest


def answer(read: Callable[[str], int | None], text: str) -> int | str | None:
    """The number that was read, or what is said instead."""
    try:
        return read(text)
    except Unclear as unclear:
        return str(unclear)


@pytest.mark.parametrize(
    ("text", "percent"),
    [("70", 70), ("70 %", 70), ("70%", 70), ("７０％", 70), ("0", 0), ("100", 100), ("", None), ("  ", None)],  # noqa: RUF001
)
def test_how_sure_is_a_percentage_or_nothing(text: str, percent: int | None) -> None:
    assert read_percent(text) == percent


@pytest.mark.parametrize("text", ["101", "-1", "0.7", "70 80", "very", "%", "9" * 5000])
def test_how_sure_is_asked_again_when_it_is_no_share_of_100(text: str) -> None:
    with pytest.raises(Unclear, match=r"no share of 100\. Type a whole number from 0 to 100, or nothing\."):
        read_percent(text)


PREDICTIONS = st.builds(
    Prediction, NUMBERS, NUMBERS, NUMBERS, st.none() | st.dictionaries(st.sampled_from(MEASURES), st.integers(0, 100))
)


@given(PREDICTIONS, PREDICTIONS)
def test_two_predictions_share_a_digest_only_when_they_are_the_same(one: Prediction, other: Prediction) -> None:
    same = one.numbers == other.numbers and (one.sure or {}) == (other.sure or {})
    assert (one.digest == other.digest) is same


def test_a_digest_is_that_of_the_numbers_as_sorted_json() -> None:
    text = b'{"input_tokens":6000,"round_trips":8,"sure":{"round_trips":70,"tool_calls":50},"tool_calls":10}'
    prediction = Prediction(8, 10, 6000, {"tool_calls": 50, "round_trips": 70})
    assert prediction.digest == sha256(text).hexdigest()[:12] == "5b28beac40bd"
