"""The progress record: what it remembers, what it does with damaged, old and new files, and with two writers."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.errors import Problem
from askless.learn import progressfile
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "t07_a task é" / "learner"
    folder.mkdir(parents=True)
    return folder


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


def test_a_prediction_edited_in_the_file_is_seen(folder: Path) -> None:
    progressfile.change(folder, one_more(11))
    record = folder / progressfile.FILE
    record.write_text(record.read_text("utf-8").replace('"round_trips": 11', '"round_trips": 8'), "utf-8")
    (committed,) = progressfile.load(folder).predictions("v0")
    assert committed.edited
    assert not progressfile.change(folder, one_more(9)).predictions("v0")[-1].edited


@given(records(), records())
def test_merging_loses_nothing_and_merging_again_adds_nothing(ours: Progress, theirs: Progress) -> None:
    merged = ours.merge(theirs)
    for name, step in [*ours.rungs.items(), *theirs.rungs.items()]:
        assert set(step.predictions) <= set(merged.predictions(name))
        assert merged.rung(name).seen >= step.seen
    assert merged.merge(theirs) == merged.merge(ours) == merged


def test_export_and_import_carry_a_record_to_another_machine(folder: Path, tmp_path: Path) -> None:
    exported, there = tmp_path / "mine.json", tmp_path / "elsewhere" / folder.parent.name / "learner"
    there.mkdir(parents=True)
    progressfile.change(folder, one_more(11))
    progressfile.change(there, one_more(8))
    progressfile.export(folder, exported)
    progressfile.export(folder, exported)
    assert trips_of(progressfile.take_in(there, exported)) == [8, 11]
    assert trips_of(progressfile.take_in(there, exported)) == [8, 11]


def test_export_overwrites_nothing_but_an_older_copy(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("def answer(): ...", "utf-8")
    with pytest.raises(Problem, match=r"agent\.py is no progress record"):
        progressfile.export(folder, tmp_path / "agent.py")
    with pytest.raises(Problem, match="cannot be read"):
        progressfile.export(folder, tmp_path)
    assert (tmp_path / "agent.py").read_text("utf-8") == "def answer(): ..."


def test_a_record_of_another_task_is_not_taken_in(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(write(Progress(), "t99_other"), "utf-8")
    with pytest.raises(Problem, match="a record of t99_other, not of t07"):
        progressfile.take_in(folder, tmp_path / "other.json")
    with pytest.raises(Problem, match="does not exist"):
        progressfile.take_in(folder, tmp_path / "nowhere.json")


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


def test_a_record_of_a_later_version_is_left_alone(folder: Path) -> None:
    later = json.dumps({"schema": "askless.progress/2", "wisdom": True})
    (folder / progressfile.FILE).write_text(later, "utf-8")
    for act in (lambda: progressfile.load(folder), lambda: progressfile.change(folder, one_more(8))):
        with pytest.raises(Problem, match=r"a later askless \(askless\.progress/2\)"):
            act()
    assert (folder / progressfile.FILE).read_text("utf-8") == later


GOOD = write(Progress(Last("v3", "missed", None, ("split",))).commit("v0", predicted(8)), "t07")
DAMAGED = {
    "empty": b"",
    "cut": GOOD.encode()[:100],
    "no object": b"[]",
    "no schema": b"{}",
    "another schema": GOOD.replace("askless.progress", "askless.trace").encode(),
    "version zero": GOOD.replace("progress/1", "progress/0").encode(),
    "no number": GOOD.replace('"round_trips": 8', '"round_trips": "8"').encode(),
    "below zero": GOOD.replace('"round_trips": 8', '"round_trips": -8').encode(),
    "a truth": GOOD.replace('"revealed": false', '"revealed": 0').encode(),
    "huge": GOOD.replace('"round_trips": 8', '"round_trips": ' + "9" * 5000).encode(),
    "deep": b"[" * 100_000,
    "latin-1": GOOD.replace("split", "sépar").encode("latin-1"),
    "noise": bytes(range(256)),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_record_is_set_aside_whole_and_said(folder: Path, data: bytes) -> None:
    for number in (1, 2):
        (folder / progressfile.FILE).write_bytes(data)
        aside = progressfile.load(folder).aside
        assert aside == folder / f"{progressfile.FILE}.damaged-{number}"
        assert aside.read_bytes() == data
    assert progressfile.load(folder) == Progress()
    assert progressfile.load(folder).aside is None


@given(st.integers(0, len(GOOD)), st.text(max_size=3))
def test_a_record_with_any_wound_is_read_or_called_damaged(at: int, wound: str) -> None:
    try:
        progress, _ = read(GOOD[:at] + wound + GOOD[at + 1 :])
        assert isinstance(progress, Progress)
    except Damaged:
        pass


WRITER = """
import sys
from pathlib import Path
from askless.learn import progressfile
from askless.learn.prediction import Prediction
for trips in range(int(sys.argv[2]), int(sys.argv[3])):
    progressfile.change(Path(sys.argv[1]), lambda progress: progress.commit("v0", Prediction(trips, 1, 1)))
    print(trips, flush=True)
"""


def writer(folder: Path, first: int, last: int) -> "subprocess.Popen[str]":
    words = [sys.executable, "-c", WRITER, str(folder), str(first), str(last)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_writers_in_several_processes_lose_nothing(folder: Path) -> None:
    writers = [writer(folder, first, first + 40) for first in (0, 100, 200)]
    assert [each.communicate()[1] or each.returncode for each in writers] == [0, 0, 0]
    trips = trips_of(progressfile.load(folder))
    assert sorted(trips) == [first + number for first in (0, 100, 200) for number in range(40)]
    assert [number for number in trips if number < 100] == list(range(40))


@pytest.mark.parametrize("written", [0, 1, 5, 20])
def test_a_writer_killed_at_any_moment_leaves_the_old_record_or_the_new(folder: Path, written: int) -> None:
    progressfile.change(folder, one_more(7777))
    with writer(folder, 0, 1_000_000) as child:
        assert child.stdout
        confirmed = [int(child.stdout.readline()) for _ in range(written)]
        child.send_signal(signal.SIGKILL)
        confirmed += [int(line) for line in child.stdout]
    trips = trips_of(progressfile.load(folder))
    assert trips in ([7777, *confirmed], [7777, *confirmed, len(confirmed)])
    assert trips_of(progressfile.change(folder, one_more(8888))) == [*trips, 8888]


FULL = """
import resource, sys
from pathlib import Path
from askless.errors import Problem
from askless.learn import progressfile
from askless.learn.prediction import Prediction
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
try:
    progressfile.change(Path(sys.argv[1]), lambda progress: progress.commit("v0", Prediction(8, 10, 6000)))
except Problem as problem:
    print(problem)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no resource limits")
def test_a_disk_with_no_room_is_said_and_the_old_record_stays(folder: Path) -> None:
    progressfile.change(folder, one_more(11))
    said = subprocess.run([sys.executable, "-c", FULL, str(folder)], capture_output=True, text=True, check=True).stdout
    assert (
        ".progress.json could not be written: File too large. What was stored before is not lost.\nNext: make" in said
    )
    assert trips_of(progressfile.load(folder)) == [11]
    assert sorted(path.name for path in folder.iterdir()) == [".progress.json", ".progress.lock"]


def read_only(tmp_path: Path) -> Path:
    """A folder that cannot be written to, not even by root."""
    if os.geteuid() == 0:
        return Path("/sys")
    tmp_path.chmod(0o500)
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="looks for a folder that root cannot write to")
def test_a_folder_that_cannot_be_written_to_is_said_and_can_still_be_read(tmp_path: Path) -> None:
    folder = read_only(tmp_path)
    assert progressfile.load(folder) == Progress()
    with pytest.raises(Problem, match=r"\.progress\.lock could not be written: .*\nNext: make room or make the folder"):
        progressfile.change(folder, one_more(8))


def test_practice_and_predictions_do_not_overwrite_each_other(folder: Path) -> None:
    progressfile.change(folder, one_more(8))
    progressfile.change(folder, lambda progress: replace(progress, last=Last("v3", "missed", "v1", ())))
    progress = progressfile.load(folder)
    assert (trips_of(progress), progress.last) == ([8], Last("v3", "missed", "v1", ()))
