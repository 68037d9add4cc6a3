"""A reviewer that invents: what of its findings is kept, and what is dropped and counted."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.learn.claims import MOST_FINDINGS, REASONS, Claim, Ground, keep, numbers_in

WORDS = "I sent all results in one message.\nSo 8 round trips became 3, which v1 has, too."
GROUND = Ground(WORDS, {"parallel-split-results"}, {Decimal(n) for n in (1, 3, 8, 1408)}, {"v0", "v1", "get_orders2"})


def claim(**fields: str) -> Claim:
    fair = {"about": "why", "source": "parallel-split-results", "quote": "8 round trips became 3"}
    return Claim(**{**fair, "says": "Right: the model asks one by one.", "next": "Say what it waited for.", **fields})


def dropped(**fields: str) -> dict[str, int]:
    return keep([claim(**fields)], GROUND).dropped


def test_a_finding_that_rests_on_what_is_there_is_kept() -> None:
    for fair in (claim(), claim(says="v1's 3 trips, 1,408 tokens; the first request of get_orders2, and V0.")):
        assert keep([fair], GROUND).claims == (fair,)


@pytest.mark.parametrize(
    "quote",
    [
        "8 round trips became 2",
        "8 round  trips became 3",
        "8 Round trips became 3",
        "message. So 8 round trips",  # a line ends between them
        "\u201c8 round trips became 3\u201d",
        "",
        "      ",
        "v1",
    ],
)
def test_a_quote_that_is_not_literally_there_is_dropped(quote: str) -> None:
    assert dropped(quote=quote) == {"quote": 1}


def test_a_quote_may_go_over_a_line_as_the_text_does() -> None:
    assert dropped(quote="message.\nSo 8 round trips") == {}


@pytest.mark.parametrize("source", ["", "parallel", "parallel-split-results ", "Anthropic docs", "https://example.org"])
def test_a_citation_that_the_catalog_does_not_have_is_dropped(source: str) -> None:
    assert dropped(source=source) == {"source": 1}


@pytest.mark.parametrize("field", ["says", "next"])
@pytest.mark.parametrize(
    "invented",
    ["5 trips", "five trips", "1,409 tokens", "14.08", "a loss of 5", "62 %", "3 %", "half of it", "twice", "thirty",
     "5x", "\uff15", "\u00bd", "\u4e94", "v7 has", "toolu_0001", "8,3", "2026-11-30", "$0.25", "fivefold"],
)  # fmt: skip
def test_a_number_or_a_name_that_is_in_no_run_is_dropped(field: str, invented: str) -> None:
    assert dropped(**{field: f"It took {invented}."}) == {"number": 1}


def test_a_number_that_the_learner_made_up_may_stand_in_the_quote_alone() -> None:
    ground = Ground("It took 999 round trips.", GROUND.sources, GROUND.numbers, GROUND.names)
    quote = {"quote": "999 round trips"}
    assert keep([claim(**quote)], ground).dropped == {}
    assert keep([claim(**quote, says="999 is wrong.")], ground).dropped == {"number": 1}


def test_each_dropped_finding_is_counted_once_under_its_first_fault() -> None:
    every = [claim(quote="-", source="-", says="7"), claim(source="-", says="7"), claim(says="7"), claim()]
    kept = keep(every, GROUND)
    assert kept.claims == (claim(),)
    assert kept.dropped == {"quote": 1, "source": 1, "number": 1}


def test_more_findings_than_anybody_reads_are_counted_not_shown() -> None:
    kept = keep([claim()] * (MOST_FINDINGS + 3), GROUND)
    assert (len(kept.claims), kept.dropped) == (MOST_FINDINGS, {"surplus": 3})


@given(st.lists(st.builds(Claim, *[st.sampled_from(["3", "4", "v1", "parallel-split-results", WORDS[:20]])] * 5)))
def test_every_finding_is_kept_or_counted(claims: list[Claim]) -> None:
    kept = keep(claims, GROUND)
    assert len(kept.claims) + sum(kept.dropped.values()) == len(claims)
    assert set(kept.dropped) <= set(REASONS)


def test_the_numbers_of_a_run_are_all_that_stand_in_it_as_numbers() -> None:
    run = {"run": "v7", "round_trips": 3, "right": True, "requests": [{"new": [170, 260], "calls": {"a9": 1.5}}]}
    assert numbers_in(run) == {3, 170, 260, Decimal("1.5")}
