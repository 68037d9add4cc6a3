"""README.md says what is measured, and names only what is there."""

import re

import pytest

from askless import task
from askless.task import Task
from askless.trace import Trace
from docs import readme

TEXT = readme.README.read_text("utf-8")


@pytest.fixture(scope="module")
def lesson() -> Task:
    return task.load("t01")


@pytest.fixture(scope="module")
def traces(lesson: Task) -> dict[str, Trace]:
    return readme.worked_traces(lesson)


def test_the_table_is_what_is_measured(lesson: Task, traces: dict[str, Trace]) -> None:
    measured = readme.table(lesson, traces)
    assert measured in TEXT
    assert readme.with_table(TEXT, measured) == TEXT


def test_the_picture_is_what_is_measured(traces: dict[str, Trace]) -> None:
    assert readme.PICTURE.read_text("utf-8") == readme.picture(traces)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"`make ([a-z]+)", TEXT))))
def test_every_make_target_that_it_names_exists(target: str) -> None:
    assert re.search(rf"^{target}:.*## ", (readme.ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"^\| `([\w./]+)` \|", TEXT, re.MULTILINE))))
def test_every_folder_of_its_map_exists(path: str) -> None:
    assert (readme.ROOT / path).exists()


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([^):#]+)\)", TEXT))))
def test_every_link_leads_somewhere(path: str) -> None:
    assert (readme.ROOT / path).exists()
