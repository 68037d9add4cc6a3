"""The progress record's file: damaged, new and full, with several writers, and with one that is killed."""

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

from askless.errors import Problem
from askless.learn import progressfile
from askless.learn.prediction import Prediction
from askless.learn.progress import Last, Progress
from askless.learn.progressjson import write

RUNGS = ("v0", "v1", "v2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "t07_a task é" / "learner"
    folder.mkdir(parents=True)
    return folder


def trips_of(progress: Progress) -> list[int]:
    return [committed.prediction.round_trips for committed in progress.predictions("v0")]


def one_more(trips: int) -> Callable[[Progress], Progress]:
    return lambda progress: progress.commit("v0", Prediction(trips, 10, 6000))


def test_a_prediction_edited_in_the_file_is_seen(folder: Path) -> None:
    progressfile.change(folder, one_more(11))
    record = folder / progressfile.FILE
    record.write_text(record.read_text("utf-8").replace('"round_trips": 11', '"round_trips": 8'), "utf-8")
    (committed,) = progressfile.load(folder).predictions("v0")
    assert committed.edited
    assert not progressfile.change(folder, one_more(9)).predictions("v0")[-1].edited


def test_export_and_import_carry_a_record_to_another_machine(folder: Path, tmp_path: Path) -> None:
    exported, there = tmp_path / "mine.json", tmp_path / "elsewhere" / folder.parent.name / "learner"
    there.mkdir(parents=True)
    progressfile.change(folder, one_more(11))
    progressfile.change(there, one_more(8))
    progressfile.export(folder, exported)
    progressfile.export(folder, exported)
    for _ in range(2):
        taken = progressfile.take_in(there, exported, RUNGS)
        assert trips_of(taken) == [11, 8]
        assert taken.counts("v0") == taken.predictions("v0")[-1]


def test_export_overwrites_nothing_but_an_older_copy(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("def answer(): ...", "utf-8")
    with pytest.raises(Problem, match=r"agent\.py is no progress record"):
        progressfile.export(folder, tmp_path / "agent.py")
    with pytest.raises(Problem, match="cannot be read"):
        progressfile.export(folder, tmp_path)
    assert (tmp_path / "agent.py").read_text("utf-8") == "def answer(): ..."


def test_the_notes_that_the_page_keeps_are_carried_along(folder: Path, tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs.json", tmp_path / "ours.json"
    theirs.write_text(write(Progress(notes={"v1": "Wird es kürzer?", "v2": "No."}), folder.parent.name), "utf-8")
    progressfile.change(folder, lambda progress: replace(progress, notes={"v2": "Yes."}))
    progressfile.take_in(folder, theirs, RUNGS)
    progressfile.export(folder, ours)
    assert json.loads(ours.read_text("utf-8"))["notes"] == {"v1": "Wird es kürzer?", "v2": "Yes."}


def test_a_record_of_another_task_is_not_taken_in(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(write(Progress(), "t99_other"), "utf-8")
    with pytest.raises(Problem, match="a record of t99_other, not of t07"):
        progressfile.take_in(folder, tmp_path / "other.json", RUNGS)
    with pytest.raises(Problem, match="does not exist"):
        progressfile.take_in(folder, tmp_path / "nowhere.json", RUNGS)


FAULTY = {
    "v77": (lambda document: document["rungs"].update(v77=document["rungs"]["v0"]), "the task has no rung v77"),
    "last": (lambda document: document["last"].update(highest="v78"), "the task has no rung v78"),
    "edited": (
        lambda document: document["rungs"]["v0"]["predictions"][0].update(tool_calls=9),
        "v0, prediction 1: edited",
    ),
    "digest": (
        lambda document: document["rungs"]["v0"]["predictions"][1].update(digest="0" * 12),
        "v0, prediction 2: ed",
    ),
    "sure": (lambda document: recommit(document, sure={"round_trips": 900}), "v0, prediction 1: 900 % sure"),
    "measure": (lambda document: recommit(document, sure={"luck": 9}), "v0, prediction 1: how sure of luck"),
    "huge": (lambda document: recommit(document, round_trips=10**12), "v0, prediction 1: 1,000,000,000,000 is more"),
    "many": (lambda document: multiply(document, 501), "v0 has 1,002 predictions, and 1,000 are the most"),
}


def multiply(document: dict[str, Any], times: int) -> None:
    document["rungs"]["v0"]["predictions"] *= times


def recommit(document: dict[str, Any], **changed: Any) -> None:
    """A first prediction with a digest of its own that fits."""
    first = document["rungs"]["v0"]["predictions"][0]
    first.update(changed)
    sure = first["sure"]
    first["digest"] = Prediction(first["round_trips"], first["tool_calls"], first["input_tokens"], sure).digest


@pytest.mark.parametrize("faults", [[one] for one in FAULTY] + [list(FAULTY)[:3]], ids=str)
def test_a_record_that_this_lab_cannot_have_written_is_not_taken_in_and_each_fault_is_named(
    folder: Path, tmp_path: Path, faults: list[str]
) -> None:
    theirs = one_more(8)(one_more(11)(Progress(Last("v1", "missed", "v1", ()))))
    document = json.loads(write(theirs, folder.parent.name))
    for fault in faults:
        FAULTY[fault][0](document)
    (tmp_path / "theirs.json").write_text(json.dumps(document), "utf-8")
    ours = progressfile.change(folder, one_more(3))
    with pytest.raises(Problem, match="Next: export it afresh") as refused:
        progressfile.take_in(folder, tmp_path / "theirs.json", RUNGS)
    assert all(FAULTY[fault][1] in refused.value.seen for fault in faults)
    assert progressfile.load(folder) == ours


def test_a_record_of_a_later_version_is_left_alone(folder: Path) -> None:
    later = json.dumps({"schema": "askless.progress/2", "wisdom": True})
    (folder / progressfile.FILE).write_text(later, "utf-8")
    for act in (lambda: progressfile.load(folder), lambda: progressfile.change(folder, one_more(8))):
        with pytest.raises(Problem, match=r"a later askless \(askless\.progress/2\)"):
            act()
    assert (folder / progressfile.FILE).read_text("utf-8") == later


DAMAGED = {
    "empty": b"",
    "another": b'{"schema": "askless.trace/1"}',
    "deep": b"[" * 100_000,
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
