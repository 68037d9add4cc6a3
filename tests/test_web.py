"""The site as files: its links lead somewhere, it needs nobody, and its numbers are measured."""

import itertools
import json
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from ladders import run
from webpages import html, pages

from askless import cli, task
from askless.learn.belief import unchanged
from askless.show import lesson
from askless.show.reveal import neighbour

ROOT = Path(__file__).parent.parent
TASK = "t01_fewer_tool_calls"
LESSON = f"{TASK}/index.html"
FIRST_PAGE_BYTES = 150_000
OTHER_PAGE_BYTES = 320_000
HTML = sorted(html())

every_page = pytest.mark.parametrize("path", HTML)


def test_the_site_has_a_map_a_lesson_its_short_lessons_its_traces_sources_and_rules() -> None:
    assert {"index.html", LESSON, "sources.html", "rules.html", "resources.json"} <= set(pages())
    assert len([path for path in HTML if path.startswith(f"{TASK}/lessons/")]) == 11
    traces = {PurePosixPath(path).stem for path in HTML if path.startswith(f"{TASK}/traces/")}
    assert traces == {"v0", "v1", "v2", "v3", "v0-v1", "v1-v2", "v2-v3"}


@every_page
def test_every_tag_closes_in_order_and_every_id_is_one(path: str) -> None:
    found = html()[path]
    assert (found.odd, found.open) == ([], [])
    assert sorted(set(found.ids)) == sorted(found.ids)


@every_page
def test_headings_begin_with_one_of_the_first_level_and_leave_none_out(path: str) -> None:
    levels = html()[path].headings
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


@every_page
def test_every_field_has_a_label(path: str) -> None:
    found = html()[path]
    assert set(found.fields) <= set(found.labels)


@every_page
def test_a_page_loads_nothing_and_has_one_script_at_most_that_its_policy_names(path: str) -> None:
    found = html()[path]
    assert found.loads == []
    assert found.scripts <= 1
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', pages()[path])
    assert policy
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe-inline" not in policy[1].split("style-src")[0]
    assert not re.search(r"\bon\w+=\"|javascript:|@import|\burl\((?!#)|document\.cookie|fetch\(|XMLHttp", pages()[path])


@every_page
def test_every_link_inside_leads_somewhere(path: str) -> None:
    for link in html()[path].links:
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme == "https", link
            continue
        assert not link.startswith("/"), "it works below any path"
        target = normpath(str(PurePosixPath(path).parent / parts.path)) if parts.path else path
        assert target in pages(), f"{path} links to {link}"
        if parts.fragment:
            assert parts.fragment in html()[target].ids, f"{path} links to {link}"


def test_every_page_leads_back_to_the_map_and_a_trace_to_its_lesson() -> None:
    for path in HTML:
        ways = {normpath(str(PurePosixPath(path).parent / link)) for link in html()[path].links}
        assert "index.html" in ways, path
        assert "/traces/" not in path or LESSON in ways, path


def test_a_lesson_that_shows_what_was_to_be_predicted_says_so_before_it_does() -> None:
    for path in HTML:
        words = re.sub(r"\s+", " ", html()[path].words)
        for rung, tokens in (("v0", "4,958"), ("v2", "886"), ("v3", "386")):
            told = re.search(r"This lesson shows what was measured of [v0-9, ]+", words)
            if path.startswith(f"{TASK}/lessons/") and re.search(rf"\b{tokens}\b", words):
                assert told, path
                assert rung in told[0], path
    assert "Predict first." in html()["index.html"].words


@every_page
def test_a_page_is_small(path: str) -> None:
    assert len(pages()[path].encode()) < (FIRST_PAGE_BYTES if path == "index.html" else OTHER_PAGE_BYTES)


@every_page
def test_no_placeholder_citation_or_directive_is_left(path: str) -> None:
    assert not re.search(r"\{\{\w|\[@|```askless", html()[path].words)


def test_the_walk_shows_the_split_of_each_request_and_how_its_characters_add_up() -> None:
    words = html()[LESSON].words
    for told in ("170 + 260 + 378", "173 + 462 + 576 + 688 + 819 + 432 + 83 = 3,233", "1,722 / 4, rounded down: 430"):
        assert told in re.sub(r"\s+", " ", words)


def test_the_lesson_has_all_of_its_page_and_its_interview() -> None:
    own = task.load(TASK)
    words = re.sub(r"\s+", " ", html()[LESSON].words)
    for piece in lesson.pieces(own.page.read_text("utf-8")):
        title = "" if piece.continues else piece.text.partition("\n")[0].lstrip("# ").replace("`", "")
        assert title in words
    assert len(list(lesson.questions(own.interview.read_text("utf-8")))) == pages()[LESSON].count("a model answer")


@pytest.mark.parametrize("rung", ["v0", "v1", "v2", "v3"])
def test_what_the_script_is_given_is_what_is_measured_and_what_each_belief_imagines(rung: str) -> None:
    own, trace = task.load(TASK), run(TASK, rung)
    given = json.loads(re.search(r'id="data">(.*?)</script>', pages()[LESSON])[1])["rungs"][rung]  # type: ignore[index]
    assert given["run"] == [[len(trip.calls), trip.input_tokens] for trip in trace.round_trips]
    beside = neighbour(own, own.rung(rung)).name
    beliefs = (*own.beliefs(), unchanged(rung, run(TASK, beside)))
    imagined = {belief.id: belief.imagine(trace) for belief in beliefs}
    for belief in given["beliefs"]:
        run_of = imagined[belief["id"]]
        assert belief["run"] == [[each.tool_calls, each.input_tokens] for each in run_of]
        assert belief.get("needs", "") == (beside if belief["id"] == "unchanged" else "")
    assert {rung} <= set(given["tells"])


def test_the_map_shows_the_tasks_that_are_here_and_names_those_that_are_planned() -> None:
    rows = json.loads((ROOT / "web" / "map.json").read_text("utf-8"))
    assert [row["task"] for row in rows][:1] == [TASK]
    assert set(task.names()) <= {row["task"] for row in rows}
    for row in rows:
        assert set(row) == {"task", "title", "teaches", "needs"}
        linked = f"{row['task']}/index.html" in html()["index.html"].links
        assert linked == (row["task"] in task.names())


def built(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*.*")}


def test_the_command_builds_into_a_folder_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "ask léss" / "site"
    assert cli.main(["web", "--out", str(folder)]) == 0
    assert built(folder) == pages()
    assert "index.html" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["web", "--out", str(tmp_path / "file")]) == 2
    assert "Next: name another folder" in capsys.readouterr().err


def test_another_process_builds_the_same_bytes_and_serves_them_to_this_machine(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "askless", "web", "--out", str(tmp_path / "site"), "--serve", "--port", "0"]
    streams: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env={"PYTHONHASHSEED": "7"}, **streams) as server:
        assert server.stdout
        server.stdout.readline()
        address = server.stdout.readline().split()[0]
        try:
            assert built(tmp_path / "site") == pages()
            assert address.startswith("http://127.0.0.1:")
            with urlopen(f"{address}{LESSON}", timeout=30) as answer:
                assert answer.read().decode() == pages()[LESSON]
        finally:
            server.terminate()
