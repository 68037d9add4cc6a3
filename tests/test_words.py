"""A page in words: a reader without HTML gets all that the page says."""

import re
from html import unescape

import pytest

from askless import task
from askless.learn.prediction import Prediction
from askless.learn.progress import Progress
from askless.show import cells, html, revealed
from askless.show.output import _bundle
from askless.show.segments import Table
from askless.show.words import words

TASK = task.load(task.names()[0])
KEPT = Progress().commit("v0", Prediction(11, 10, 6131, {"round_trips": 70})).show("v0", "v1")
PAGES = {
    "walk": lambda: cells.walk(TASK, "v1"),
    "reveal": lambda: revealed.shown(TASK, TASK.rung("v0"), KEPT),
    "ladder": lambda: cells.rungs(TASK, KEPT),
    "progress": lambda: cells.progress(TASK, KEPT),
    "shapes": lambda: cells.shapes(TASK, "v1"),
}


@pytest.mark.parametrize("name", PAGES)
def test_every_word_of_a_page_is_in_its_plain_text_and_none_of_its_markup(name: str) -> None:
    page = PAGES[name]()
    said = words(page)
    shown = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    for word in unescape(re.sub(r"<[^>]*>", " ", shown)).split():
        assert word in said
    for alternative in re.findall(r'alt="([^"]+)"', page):
        assert unescape(alternative) in said
    assert not re.search(r"</?(?:p|div|td|style|details|img)\b|base64|font-weight|HTML", said)
    assert _bundle(page) == {"text/html": page, "text/plain": said}


def test_a_table_keeps_its_columns_and_code_its_lines() -> None:
    table = html.table(Table("numbers", ("", "n"), (("a & b", "1,000"), ("c", "2"))))
    assert words(html.frame(table, html.code("x = 1\n  y < 2"))) == (
        "numbers\n\n       n\na & b  1,000\nc      2\nx = 1\n  y < 2"
    )
