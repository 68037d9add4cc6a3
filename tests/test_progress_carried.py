"""A record carried to a file and back: nothing that either holds is lost."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from askless.errors import Problem
from askless.learn import progressfile
from askless.learn.prediction import Prediction
from askless.learn.progress import Last, Progress


def one_more(trips: int) -> Callable[[Progress], Progress]:
    return lambda before: before.commit("v0", Prediction(trips, 10, 4000))


def test_an_export_takes_the_place_of_no_record_that_holds_more(own_task: Path, tmp_path: Path) -> None:
    folder = own_task / "learner"
    kept = tmp_path / "kept.json"
    progressfile.change(folder, one_more(8))
    progressfile.export(folder, kept)
    before = kept.read_bytes()
    (folder / progressfile.FILE).unlink()
    with pytest.raises(Problem, match=r"holds what your record does not\.\nNext: import it first"):
        progressfile.export(folder, kept)
    assert kept.read_bytes() == before


def test_the_higher_rung_of_two_records_stays_met(own_task: Path, tmp_path: Path) -> None:
    folder = own_task / "learner"
    far = Last("v3", "reached", "v3", ())
    progressfile.change(folder, lambda before: replace(before, last=far))
    progressfile.export(folder, tmp_path / "far.json")
    progressfile.change(folder, lambda before: replace(before, last=Last("v3", "missed", "v0", ())))
    assert progressfile.take_in(folder, tmp_path / "far.json", ["v0", "v3"]).last == far
