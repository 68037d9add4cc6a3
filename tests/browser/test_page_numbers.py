"""The page's script against the lab's Python: numbers as typed, digests, explanations and records come out the same."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askless import ladder, task
from askless.learn import intake, progressjson
from askless.learn.belief import explain, unchanged
from askless.learn.prediction import MEASURES, Prediction, Unclear, read_number, read_percent
from askless.learn.progress import Last, Progress
from askless.show import reveal
from askless.show.reasons import reasons, where
from tests.browser.site import LESSON, TASK, open_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page

TYPED = [
    "1200", "1,200", "1.200", "1 200", "1'200", "1_200", "1,20,000", "6k", "1.2k", "1,25 k", "~1200", "about 9",
    "ca. 7", "approx 12", "\uff11\uff12\uff10\uff10", "\u0661\u0662\u0663", "\U0001d7d9\U0001d7da", "\u200f12\u200e",
    "\u22485", "", "  ", "-3", "- 4", "1-3", "1 to 3", "3/4", "1.2", "1,2", "12,34", "1,2,3", "twelve", "1e3", "0x10",
    "1000000000", "999999999", "0", "00", "007", "1.200,5", "1 200 3", "k", "6kk", "9" * 50, "+5", "5.", ".5", "five",
    "1 000", "1\u202f000", "1\u00a0000", "1\u2019200", "1\u066c200", "~~5", "roughly 1,000",
    "1200?", "1,200 ?", "+ 12", "++5", "1200+", "?", "8 trips", "1 round trip", "10 tool calls", "1 call?", "6k tokens",
    "+0",
]  # fmt: skip
ALPHABET = "?+0123456789.,' _k~-\u2013/to%ca" + "\uff11\u0663\u00a0\u200f\u2019"
PERCENTS = ["", " ", "0", "100", "101", "80 %", "80%", "\uff18\uff10\uff05", "-1", "1.5", "0100", "abc", "%"]
RUNGS = ("v0", "v1", "v2", "v3")

READ = """([texts, measure]) => texts.map(text => {
  try { return askless.readNumber(text, measure) } catch (problem) { return problem.message }
})"""
PERCENT = """texts => texts.map(text => {
  try { return askless.readPercent(text) } catch (problem) { return 'unclear' }
})"""
MERGE = """([one, other, task]) => {
  const record = askless.readRecord(one, task);
  askless.merge(record, askless.readRecord(other, task));
  return JSON.stringify(record);
}"""
FAULTS = """([text, task, names]) => askless.faultsOf(askless.readRecord(text, task), names)"""
HISTORY = (
    """([text, task, rung]) => askless.historyLines(askless.readRecord(text, task).rungs[rung]).map(line => line[1])"""
)
REFUSED = """([text, task]) => {
  try { askless.readRecord(text, task); return '' } catch (problem) { return problem.message }
}"""
EXPLAIN = """([rung, predictions]) => {
  const own = JSON.parse(document.getElementById('data').textContent).rungs[rung];
  return predictions.map(prediction => {
    const found = askless.explain(prediction, own);
    return {
      off: found.compared.map(askless.offWords),
      reasons: askless.reasonLines(found).map(line => line[1]),
      where: found.parting ? askless.whereLine(found, own.run) : '',
      digest: askless.digest(prediction),
    };
  });
}"""


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return open_page(context, LESSON)


def read(text: str, measure: str = "") -> int | str:
    try:
        return read_number(text, measure)
    except Unclear as unclear:
        return str(unclear)


def percent(text: str) -> int | str | None:
    try:
        return read_percent(text)
    except Unclear:
        return "unclear"


@pytest.mark.parametrize("measure", ["", *MEASURES])
def test_a_number_is_read_as_the_terminal_reads_it(page: Page, measure: str) -> None:
    told = page.evaluate(READ, [TYPED, measure])
    assert dict(zip(TYPED, told, strict=True)) == {text: read(text, measure) for text in TYPED}


def test_so_is_whatever_else_is_typed(page: Page) -> None:
    @settings(max_examples=60)
    @given(st.lists(st.text(ALPHABET, max_size=14), min_size=20, max_size=40))
    def hold(texts: list[str]) -> None:
        theirs = page.evaluate(READ, [texts, ""])
        ours = [read(text) for text in texts]
        for text, one, other in zip(texts, theirs, ours, strict=True):
            assert one == other or (isinstance(one, str) and isinstance(other, str)), text

    hold()


def test_a_percentage_is_read_as_the_terminal_reads_it(page: Page) -> None:
    assert dict(zip(PERCENTS, page.evaluate(PERCENT, PERCENTS), strict=True)) == {
        text: percent(text) for text in PERCENTS
    }


@pytest.mark.parametrize("rung", RUNGS)
def test_a_prediction_is_explained_as_the_terminal_explains_it(page: Page, rung: str) -> None:
    own = task.load(TASK)
    trace = ladder.run_plain(own, rung)
    beside = reveal.neighbour(own, own.rung(rung)).name
    beliefs = (*own.beliefs(), unchanged(rung, ladder.run_plain(own, beside)))
    predictions = list(worth_trying(trace, beliefs))
    told = page.evaluate(EXPLAIN, [rung, [{**one.numbers, "sure": dict(one.sure or {})} for one in predictions]])
    for prediction, theirs in zip(predictions, told, strict=True):
        found = explain(prediction, trace, beliefs)
        assert theirs["off"] == [reveal.off(one) for one in found.compared]
        lines = [line.text.removeprefix("- ") for line in reasons(found) if line.text]
        assert theirs["reasons"] == lines
        assert theirs["where"] == where(found, len(trace.round_trips))
        assert theirs["digest"] == prediction.digest


def worth_trying(trace: Any, beliefs: Any) -> Any:
    """The truth, each belief's own numbers, those rounded, and mixtures of them."""
    from askless.learn.retell import as_measured, numbers

    known = [numbers(as_measured(trace)), *(numbers(belief.imagine(trace)) for belief in beliefs)]
    for at, one in enumerate(known):
        other = known[(at * 7 + 3) % len(known)]
        yield Prediction(**one)
        yield Prediction(**{**one, "input_tokens": round(one["input_tokens"], -2)}, sure={"tool_calls": at})
        yield Prediction(one["round_trips"], other["tool_calls"], other["input_tokens"], {"input_tokens": 50})
    yield Prediction(0, 0, 0)
    yield Prediction(999_999_999, 1, 1_000)


def test_sha_256_is_sha_256_at_every_length(page: Page) -> None:
    from hashlib import sha256

    lengths = [*range(130), 1000]
    theirs = page.evaluate("lengths => lengths.map(n => askless.sha256(new Uint8Array(n).fill(97)))", lengths)
    assert theirs == [sha256(b"a" * length).hexdigest() for length in lengths]


ONE, OTHER, SURE = Prediction(8, 10, 4958), Prediction(1, 2, 3, {"tool_calls": 9}), Prediction(11, 10, 6131)
RECORDS = [
    Progress(),
    Progress().commit("v0", ONE),
    Progress().commit("v0", ONE).commit("v0", OTHER).commit("v0", ONE),
    Progress().show("v0"),
    Progress().show("v0").commit("v0", OTHER),
    Progress().commit("v0", ONE).show("v0").commit("v0", SURE),
    Progress(hints={"a": 2}).commit("v0", OTHER).show("v0").commit("v2", Prediction(3, 2, 900)).show("v3"),
]


def test_a_record_of_the_terminal_is_merged_and_told_as_the_terminal_does(page: Page) -> None:
    for ours, theirs in product(RECORDS, RECORDS):
        texts = [progressjson.write(one, TASK) for one in (ours, theirs)]
        both, text = ours.merge(theirs), page.evaluate(MERGE, [*texts, TASK])
        assert progressjson.read(text) == (both, TASK)
        for rung, step in both.rungs.items():
            told = [line.strip() for line in reveal.history(step)]
            assert page.evaluate(HISTORY, [text, TASK, rung]) == told


def test_what_a_record_may_not_bring_along_is_named_as_the_terminal_names_it(page: Page) -> None:
    kept = (
        Progress(Last("v9", "missed", None, ())).commit("v77", ONE).commit("v0", Prediction(8, 10**10, 1, {"x": 900}))
    )
    text = progressjson.write(kept.commit("v0", Prediction(8, 1, 1, {"tool_calls": 900})), TASK)
    text = text.replace('"round_trips": 8', '"round_trips": 7', 1)
    names = [rung.name for rung in task.load(TASK).rungs]
    told = page.evaluate(FAULTS, [text, TASK, names])
    assert sorted(told) == sorted(intake.faults(progressjson.read(text)[0], names))
    assert len(told) == 6


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda document: document.update(task="t09"), "t09"),
        (lambda document: document.update(schema="askless.progress/2"), "later"),
        (lambda document: document.update(schema="else/1"), "no progress record"),
        (lambda document: document.update(rungs=[]), "damaged"),
        (lambda document: document["rungs"]["v0"].update(revealed=1), "damaged"),
        (lambda document: document["rungs"]["v0"]["predictions"][0].update(round_trips=-1), "damaged"),
        (lambda document: document["rungs"]["v0"]["predictions"][0].update(input_tokens="12"), "damaged"),
        (lambda document: document["rungs"]["v0"]["predictions"][0].pop("digest"), "damaged"),
    ],
)
def test_a_damaged_or_foreign_record_is_refused_in_words(page: Page, change: Callable[[Any], Any], told: str) -> None:
    document = json.loads(progressjson.write(Progress().commit("v0", Prediction(8, 10, 4958)), TASK))
    change(document)
    said = page.evaluate(REFUSED, [json.dumps(document), TASK])
    assert told in said
    assert "Next:" in said


def test_the_measures_are_in_one_order_everywhere() -> None:
    script = (Path(reveal.__file__).parent / "site" / "numbers.js").read_text("utf-8")
    assert f"const MEASURES = {json.dumps(list(MEASURES))};" in script
