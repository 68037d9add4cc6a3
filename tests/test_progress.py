"""The progress record: what it remembers, and its text, older and damaged ones included."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.learn.prediction import MEASURES, Prediction
from askless.learn.progress import Last, Progress
from askless.learn.progressjson import Damaged, read, write

COUNTS = st.integers(0, 10_000)
SURE = st.none() | st.dictionaries(st.sampled_from(MEASURES), st.integers(0, 100), min_size=1)
NAMES = st.sampled_from(["v0", "v1", "v2"])
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("commit"), NAMES, st.builds(Prediction, COUNTS, COUNTS, COUNTS, SURE)),
        st.tuples(st.sampled_from(["reveal", "show_without"]), NAMES),
    ),
    max_size=8,
)
LAST = st.builds(Last, NAMES, st.sampled_from(["reached", "missed"]), st.none() | NAMES, st.tuples(st.text()))
HINTS = st.dictionaries(st.text(), COUNTS, max_size=3)
NOTES = st.dictionaries(NAMES, st.text(), max_size=2)


@st.composite
def records(draw: st.DrawFn) -> Progress:
    progress = Progress(draw(st.none() | LAST), draw(HINTS), notes=draw(NOTES))
    for deed, *words in draw(DEEDS):
        progress = getattr(progress, deed)(*words)
    return progress


def predicted(trips: int) -> Prediction:
    return Prediction(trips, 10, 6000)


def trips_of(progress: Progress) -> list[int]:
    return [committed.prediction.round_trips for committed in progress.predictions("v0")]


def one_more(trips: int) -> Callable[[Progress], Progress]:
    return lambda progress: progress.commit("v0", predicted(trips))


@given(records())
def test_a_record_reads_back_as_it_was_written(progress: Progress) -> None:
    assert read(write(progress, "t07")) == (progress, "t07")


def test_every_prediction_is_kept_and_the_last_one_counts() -> None:
    progress = Progress().commit("v0", predicted(11)).commit("v0", predicted(8))
    assert trips_of(progress) == [11, 8]
    assert progress.counts("v0") == progress.predictions("v0")[-1]
    assert progress.counts("v1") is None


def test_the_same_prediction_twice_is_one() -> None:
    progress = Progress().commit("v0", predicted(8))
    assert progress.commit("v0", predicted(8)) == progress
    shown = progress.reveal("v0")
    assert shown.commit("v0", predicted(8)) == shown
    late = shown.commit("v0", predicted(9))
    assert late.commit("v0", predicted(9)) == late == late.commit("v0", predicted(8))


@pytest.mark.parametrize("shown", [Progress.reveal, Progress.show_without, Progress.show])
def test_a_prediction_after_the_run_was_shown_says_so(shown: Callable[[Progress, str], Progress]) -> None:
    progress = shown(Progress().commit("v0", predicted(11)), "v0").commit("v0", predicted(8))
    assert [committed.after_reveal for committed in progress.predictions("v0")] == [False, True]


@given(records(), st.lists(st.integers(0, 20), max_size=4))
def test_what_counts_stands_still_from_the_moment_the_run_is_shown(progress: Progress, trips: list[int]) -> None:
    shown = progress.show("v0")
    later = shown
    for number in trips:
        later = later.commit("v0", predicted(number)).show("v0")
    assert later.counts("v0") == shown.counts("v0")
    assert shown.counts("v0") is None or not shown.counts("v0").after_reveal  # type: ignore[union-attr]


def test_a_prediction_that_was_edited_does_not_count() -> None:
    kept = Progress().commit("v0", predicted(11)).commit("v0", predicted(8))
    edited, _ = read(write(kept, "t07").replace('"round_trips": 8', '"round_trips": 9'))
    assert trips_of(edited) == [11, 9]
    assert edited.counts("v0") == kept.predictions("v0")[0]


@given(records(), records())
def test_merging_loses_nothing_and_merging_again_adds_nothing(ours: Progress, theirs: Progress) -> None:
    merged = ours.merge(theirs)
    for name, step in [*ours.rungs.items(), *theirs.rungs.items()]:
        kept = {each.digest for each in merged.predictions(name)}
        assert {each.digest for each in step.predictions} <= kept
        assert merged.rung(name).seen >= step.seen
    assert merged.merge(theirs) == merged.merge(ours) == merged


@given(records(), records())
def test_an_import_replaces_what_counts_only_by_what_stood_at_a_reveal(ours: Progress, theirs: Progress) -> None:
    merged = ours.merge(theirs)
    for name in {**ours.rungs, **theirs.rungs}:
        mine, other, both = ours.rung(name), theirs.rung(name), merged.rung(name)
        if mine.seen and mine.counting:
            assert both.counting == mine.counting
        elif other.seen and other.counting:
            assert both.counting == other.counting
        elif mine.seen or other.seen:
            assert both.counting is None


OLDER = Progress().commit("v0", predicted(4))
MINE = Progress().commit("v0", predicted(11))
EMPTY = Progress()

MERGED = {
    "yours counts over one that was revealed as little": (MINE, OLDER, 11),
    "an older one does not replace what stood at the reveal": (MINE.show("v0"), OLDER, 11),
    "nor does one that was revealed elsewhere": (MINE.show("v0"), OLDER.show("v0"), 11),
    "what stood at a reveal elsewhere goes before what stood at none": (MINE, OLDER.show("v0"), 4),
    "where the run was shown here, a prediction from elsewhere comes too late": (EMPTY.show("v0"), OLDER, None),
    "and the other way round": (MINE, EMPTY.show("v0"), None),
    "a record that goes on from yours is the later one": (MINE, MINE.commit("v0", predicted(9)), 9),
    "yours is the later one where it goes on from the other": (MINE.commit("v0", predicted(9)), MINE, 9),
    "an empty record takes the other as it is": (EMPTY, OLDER.show("v0").commit("v0", predicted(8)), 4),
}


@pytest.mark.parametrize(("ours", "theirs", "trips"), MERGED.values(), ids=MERGED)
def test_of_two_records_it_is_clear_which_prediction_counts(
    ours: Progress, theirs: Progress, trips: int | None
) -> None:
    counting = ours.merge(theirs).counts("v0")
    assert (counting.prediction.round_trips if counting else None) == trips


def flat(document: dict[str, Any]) -> dict[str, Any]:
    """Version 1 of a made-up version 0, which knew one prediction a rung and no more."""
    made = {name: Progress().commit(name, Prediction(*numbers)) for name, numbers in document["predictions"].items()}
    rungs = {name: step for progress in made.values() for name, step in progress.rungs.items()}
    return dict(json.loads(write(Progress(rungs=rungs), "t07")))


def test_an_older_record_is_brought_up_to_date() -> None:
    old = json.dumps({"schema": "askless.progress/0", "predictions": {"v0": [11, 10, 6131], "v2": [3, 2, 900]}})
    progress, _ = read(old, migrations={0: flat})
    assert progress == Progress().commit("v0", Prediction(11, 10, 6131)).commit("v2", Prediction(3, 2, 900))


def test_each_version_is_brought_to_the_next_one() -> None:
    old = json.dumps({"schema": "askless.progress/0", "predictions": {"v0": [11, 10, 6131]}})
    steps = {0: flat, 1: lambda document: {**document, "hints": {"v1": 2}}}
    assert read(old, migrations=steps, version=2)[0].hints == {"v1": 2}


GOOD = write(Progress(Last("v3", "missed", None, ("split",))).commit("v0", predicted(8)), "t07")
DAMAGED = {
    "empty": "",
    "cut": GOOD[:100],
    "no object": "[]",
    "no schema": "{}",
    "another schema": GOOD.replace("askless.progress", "askless.trace"),
    "a version without a way on": GOOD.replace("progress/1", "progress/0"),
    "no number": GOOD.replace('"round_trips": 8', '"round_trips": "8"'),
    "below zero": GOOD.replace('"round_trips": 8', '"round_trips": -8'),
    "no truth": GOOD.replace('"revealed": false', '"revealed": 0'),
    "huge": GOOD.replace('"round_trips": 8', '"round_trips": ' + "9" * 5000),
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_record_is_called_so(text: str) -> None:
    with pytest.raises(Damaged):
        read(text)


@given(st.integers(0, len(GOOD)), st.text(max_size=3))
def test_a_record_with_any_wound_is_read_or_called_damaged(at: int, wound: str) -> None:
    try:
        progress, _ = read(GOOD[:at] + wound + GOOD[at + 1 :])
        assert isinstance(progress, Progress)
    except Damaged:
        pass
