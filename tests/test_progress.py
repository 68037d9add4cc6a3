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


@st.composite
def records(draw: st.DrawFn) -> Progress:
    progress = Progress(draw(st.none() | LAST), draw(HINTS))
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


@pytest.mark.parametrize("shown", [Progress.reveal, Progress.show_without])
def test_a_prediction_after_the_run_was_shown_says_so(shown: Callable[[Progress, str], Progress]) -> None:
    progress = shown(Progress().commit("v0", predicted(11)), "v0").commit("v0", predicted(8))
    assert [committed.after_reveal for committed in progress.predictions("v0")] == [False, True]


@given(records(), records())
def test_merging_loses_nothing_and_merging_again_adds_nothing(ours: Progress, theirs: Progress) -> None:
    merged = ours.merge(theirs)
    for name, step in [*ours.rungs.items(), *theirs.rungs.items()]:
        assert set(step.predictions) <= set(merged.predictions(name))
        assert merged.rung(name).seen >= step.seen
    assert merged.merge(theirs) == merged.merge(ours) == merged


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
