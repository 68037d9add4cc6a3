"""A trace file: read as it was written, and refused where it is not whole."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from ladders import RUNGS, load, run
from recordings import traces

from askless import tracefile
from askless.errors import Problem
from askless.ladder import run_plain
from askless.trace import Trace


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of v1's run."""
    tracefile.write(run(*RUNGS[1]), tmp_path / "run.jsonl")
    return tmp_path / "run.jsonl"


def refused(path: Path) -> str:
    with pytest.raises(Problem) as caught:
        tracefile.read(path)
    assert str(caught.value).count("Next: ") == 1
    return str(caught.value)


def edited(file: Path, line: int, edit: Callable[[Any], object]) -> Path:
    """The file with one of its lines changed."""
    lines = [json.loads(text) for text in file.read_text("utf-8").splitlines()]
    edit(lines[line])
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return file


@given(trace=traces())
def test_any_trace_is_read_as_it_was_written(folder: Path, trace: Trace) -> None:
    tracefile.write(trace, folder / "run.jsonl")
    assert tracefile.read(folder / "run.jsonl") == trace


@given(trace=traces())
def test_the_whole_document_says_the_same_and_adds_up(folder: Path, trace: Trace) -> None:
    document = tracefile.whole(trace)
    assert document["totals"]["input_tokens"] == sum(trip["input_tokens"] for trip in document["round_trips"])
    for trip in document["round_trips"]:
        assert trip["chars"] == len(json.dumps(trip["request"], ensure_ascii=False))
        assert trip["chars"] == sum(part["chars"] for part in trip["parts"])
        assert trip["input_tokens"] == trip["chars"] // 4 == sum(trip["new_tokens"])
    tracefile.write_whole(trace, folder / "run.json")
    assert tracefile.whole(tracefile.read(folder / "run.json")) == document


@pytest.mark.parametrize(("name", "rung"), RUNGS)
def test_a_worked_rungs_run_is_the_same_from_either_file(name: str, rung: str, tmp_path: Path) -> None:
    for trace in (run(name, rung), run_plain(load(name), rung)):
        tracefile.write(trace, tmp_path / "run.jsonl")
        tracefile.write_whole(trace, tmp_path / "run.json")
        assert tracefile.read(tmp_path / "run.jsonl") == tracefile.read(tmp_path / "run.json") == trace


def test_a_file_holds_each_message_once(tmp_path: Path) -> None:
    trace = run(*RUNGS[0])
    tracefile.write(trace, tmp_path / "run.jsonl")
    text = (tmp_path / "run.jsonl").read_text("utf-8")
    assert text.count("Open orders for one customer.") == 1
    assert text.count('"tool_result"') == trace.totals.tool_calls


def test_a_file_cut_anywhere_is_refused(file: Path) -> None:
    data = file.read_bytes()
    for length in {*range(0, len(data) - 1, 97), data.rindex(b"\n", 0, -1) + 1}:
        file.write_bytes(data[:length])
        refused(file)


def test_a_file_cut_between_two_lines_says_how_much_is_there(file: Path) -> None:
    file.write_text("\n".join(file.read_text("utf-8").splitlines()[:-1]), "utf-8")
    assert "cut: it holds 2 of 3 round trips" in refused(file)


@pytest.mark.parametrize(
    ("line", "edit", "said"),
    [
        (0, lambda header: header.update(schema="askless.trace/9"), "'askless.trace/9', not 'askless.trace/1'"),
        (0, lambda header: header.pop("schema"), "it is no trace"),
        (0, lambda header: header.pop("question"), "damaged"),
        (0, lambda header: header.update(model="guessed"), "model is 'guessed'"),
        (0, lambda header: header.update(answer=4), "'answer' is 4"),
        (
            0,
            lambda header: header["totals"].update(input_tokens=1),
            "says 1 input_tokens, and its round trips come to 1408",
        ),
        (1, lambda row: row.pop("fields"), "damaged"),
        (1, lambda row: row.update(added="x"), ""),
        (2, lambda row: row.update(extends=7), "damaged"),
        (2, lambda row: row.update(kept=-1), ""),
        (2, lambda row: row.update(kept=9), ""),
        (2, lambda row: row.update(chars=1723), "round trip 2 does not agree"),
        (3, lambda row: row["added"].pop(), "round trip 3 does not agree with its own request: its 'chars' is 3233"),
        (3, lambda row: row.update(reply=None), "damaged"),
    ],
)
def test_a_file_that_was_changed_is_refused(file: Path, line: int, edit: Any, said: str) -> None:
    assert said in refused(edited(file, line, edit))


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"hello", b"[]", b"null", b"7", b"\xff\xfe", b"[" * 99_999, b'{"a": 1}']
)
def test_what_is_no_trace_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    assert str(tmp_path / "file") in refused(tmp_path / "file")


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    assert "directory" in refused(tmp_path)
    assert "No such file" in refused(tmp_path / "none.jsonl")


def test_a_trace_cannot_be_written_to_a_folder_or_below_a_file(tmp_path: Path, file: Path) -> None:
    trace = run(*RUNGS[1])
    before = sorted(tmp_path.iterdir())
    for path in (tmp_path, file / "below.jsonl", tmp_path / "none" / "run.jsonl"):
        with pytest.raises(Problem, match="could not be written"):
            tracefile.write(trace, path)
    assert sorted(tmp_path.iterdir()) == before


def test_a_write_that_fails_leaves_the_file_that_was_there(file: Path) -> None:
    before = file.read_bytes()
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, limits[1]))  # as a full disk: the write stops half-way
    try:
        with pytest.raises(Problem, match="could not be written"):
            tracefile.write(run(*RUNGS[0]), file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_device_is_written_to_and_stays_a_device() -> None:
    with pytest.raises(Problem, match="No space left"):
        tracefile.write(run(*RUNGS[0]), Path("/dev/full"))
    tracefile.write(run(*RUNGS[0]), Path(os.devnull))
    assert not Path(os.devnull).is_file()


def test_a_link_stays_a_link(file: Path) -> None:
    link = file.parent / "link.jsonl"
    link.symlink_to(file)
    tracefile.write(run(*RUNGS[2]), link)
    assert link.is_symlink()
    assert tracefile.read(file) == run(*RUNGS[2])
