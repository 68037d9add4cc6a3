"""A reviewer that invents: what of its findings is kept, and what is dropped and counted."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.learn.claims import MOST_CHARS, MOST_FINDINGS, REASONS, Claim, Ground, Kept, keep, numbers_in

WORDS = "I sent all results in one message.\nSo 8 round trips became 3, which v1 has, too."
SOURCES = {
    "parallel-split-results": "Results in one message make parallel calls likelier.",
    "tool-result-format": "tool-result blocks come first.",
    "tool-choice-options": "A choice is one of several.",
}
MEASURES = {"round_trips": {Decimal(8), Decimal(3)}, "tool_calls": {Decimal(10)}, "input_tokens": {Decimal(1408)}}
NUMBERS = {Decimal(n) for n in (1, 3, 8, 10, 1408)}
GROUND = Ground(WORDS, SOURCES, NUMBERS, MEASURES, {"v0", "v1", "get_orders2"})
CITATIONS = [
    "See https://evil.example/x first.", "See www.evil.example.", "See evil.example/x.", "See example.com.",
    "Ask me@evil.example.", "Smith et al. say so.", "It is known [Smith].", "So it goes [claim: tool-nonsense].",
    "So it goes [1].", "By tool-nonsense it is so.", "By `tool-result-order` it is so.", "Tool-nonsense says so.",
]  # fmt: skip
VERDICTS = [
    "Verdict: all is well.", "This is worth grade A.", "I score it highly.", "Full marks.", "That is 8/10.",
    "You passed.", "You have failed: try again.", "Rung v1 is reached.", "You reached v1.", "The target is reached.",
]  # fmt: skip
COMMANDS = [
    "Run rm -rf ~ now.", "Fetch it | sh", "Do sudo reboot.", "First pip install it.", "Use `curl evil` there.",
    "Add --yes to it.", "Run make reset.", "Run `python agent.py`.", "Try askless reset.",
    "Try a && b.", "Say $(date).",
]  # fmt: skip
COUNTS = [
    "It took 10 round trips.", "It took 1,408 trips.", "That is 8 tokens.", "That is 8 plain input tokens.",
    "It made eight tool calls.", "It made 3 calls.", "Tool calls: 8.", "Tokens (10) fell.", "It costs 10 dollars.",
    "It costs $10.", "It took 3 seconds.", "It fell from 1,408 to 3 round trips.", "Round trips fell from 10 to 3.",
    "1,408 output tokens.", "10 API calls.",
]  # fmt: skip
FAIR = [
    "It took 8 round trips, then 3; 10 tool calls and 1,408 input tokens.", "Round trips: 8 -> 3. Calls: 10.",
    "One call asks for all, so request 8 adds tokens.", "3 API calls, each a round trip.",
    "The id is passed on, and you passed all ids in one call.", "A one-off, step-by-step read-only loop.",
    "calls[1] holds it, as get_orders2 returns list[str].", "So says tool-result-format [tool-choice-options].",
    "A tool-result comes first [source: parallel-split-results].", "Results come in one message - not in v0/v1's many.",
    "Say which results the model had reached for.", "Run v1 again; run your agent, and make one call do it.",
    "Call client.messages.create once in agent.py.",
]  # fmt: skip


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
    ("reason", "said"),
    [
        *(("source", text) for text in CITATIONS),
        *(("verdict", text) for text in VERDICTS),
        *(("command", text) for text in COMMANDS),
        *(("number", text) for text in COUNTS),
    ],
)
def test_what_a_reviewer_may_not_say_is_dropped_with_its_reason(reason: str, said: str, field: str) -> None:
    assert dropped(**{field: said}) == {reason: 1}


@pytest.mark.parametrize("said", FAIR)
def test_plain_words_that_only_look_alike_are_kept(said: str) -> None:
    assert dropped(says=said, next=said) == {}


@pytest.mark.parametrize("field", ["quote", "says", "next"])
def test_a_text_longer_than_anybody_reads_is_dropped(field: str) -> None:
    ground = replace(GROUND, words="a" * 200_000)
    for length, expected in ((MOST_CHARS, {}), (MOST_CHARS + 1, {"long": 1}), (200_000, {"long": 1})):
        assert keep([claim(**{"quote": "a" * 6, field: "a" * length})], ground).dropped == expected


def test_the_same_finding_again_is_counted_once() -> None:
    again = [claim(), claim(says="right:  the model asks one by one."), claim(next="Say something else.")]
    assert keep(again, GROUND) == Kept((claim(),), {"twice": 2})
    assert len(keep([claim(), claim(quote="one message")], GROUND).claims) == 2


@pytest.mark.parametrize("field", ["says", "next"])
@pytest.mark.parametrize(
    "invented",
    ["5 trips", "five trips", "1,409 tokens", "14.08", "a loss of 5", "62 %", "3 %", "half of it", "twice", "thirty",
     "5x", "\uff15", "\u00bd", "\u4e94", "v7 has", "toolu_0001", "8,3", "2026-11-30", "$0.25", "fivefold"],
)  # fmt: skip
def test_a_number_or_a_name_that_is_in_no_run_is_dropped(field: str, invented: str) -> None:
    assert dropped(**{field: f"It took {invented}."}) == {"number": 1}


def test_a_number_that_the_learner_made_up_may_stand_in_the_quote_alone() -> None:
    ground = replace(GROUND, words="It took 999 round trips.")
    quote = {"quote": "999 round trips"}
    assert keep([claim(**quote)], ground).dropped == {}
    assert keep([claim(**quote, says="999 is wrong.")], ground).dropped == {"number": 1}


def test_each_dropped_finding_is_counted_once_under_its_first_fault() -> None:
    every = [claim(quote="-", source="-", says="7"), claim(source="-", says="7"), claim(says="7"), claim()]
    kept = keep(every, GROUND)
    assert kept.claims == (claim(),)
    assert kept.dropped == {"quote": 1, "source": 1, "number": 1}


def test_more_findings_than_anybody_reads_are_counted_not_shown() -> None:
    kept = keep([claim(says="so" * n) for n in range(MOST_FINDINGS + 3)], GROUND)
    assert (len(kept.claims), kept.dropped) == (MOST_FINDINGS, {"surplus": 3})


@given(st.lists(st.builds(Claim, *[st.sampled_from(["3", "4", "v1", "parallel-split-results", WORDS[:20]])] * 5)))
def test_every_finding_is_kept_or_counted(claims: list[Claim]) -> None:
    kept = keep(claims, GROUND)
    assert len(kept.claims) + sum(kept.dropped.values()) == len(claims)
    assert set(kept.dropped) <= set(REASONS)


def test_the_numbers_of_a_run_are_all_that_stand_in_it_as_numbers() -> None:
    run = {"run": "v7", "round_trips": 3, "right": True, "requests": [{"new": [170, 260], "calls": {"a9": 1.5}}]}
    assert numbers_in(run) == {3, 170, 260, Decimal("1.5")}
