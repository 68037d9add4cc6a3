"""The live page: every run in a row, its words escaped, nothing fetched from elsewhere."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from serving import Served, serving, work
from stand_in import first_body

EVIL = "<img src=x onerror=alert(1)>\"'&"


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as made:
        yield made


class Seen(HTMLParser):
    """The tags of a page with their attributes, and the text of its table cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip("\n")


def test_a_page_without_runs_says_so(served):
    page = served.get("/").text
    assert "No run has begun yet." in page
    assert "<table" not in page


def test_each_run_stands_in_a_row_with_its_numbers_the_newest_first(served):
    work(served, "/run/ann", rung=1)
    served.ask("PUT", "/run/bob?seed=7")
    head, bob, ann = Seen(served.get("/").text).rows
    assert head == ["run", "desk", "answer", "round trips", "tool calls", "input tokens", "failed", "looked up", "more"]
    assert bob[:3] == ["bob", "drawn from 7", "none yet"]
    assert ann == ["ann", "shown", "right", "3", "10", "1,408", "0", "10", "trace verdict"]


def test_names_seeds_and_dropped_runs_are_words_and_no_markup():
    with serving(kept=1) as served:
        for name in (EVIL, f"{EVIL}2"):
            served.ask("PUT", f"/run/{quote(name, safe='')}?seed={quote(EVIL, safe='')}")
        page = served.get("/").text
        seen = Seen(page)
        assert "img" not in {tag for tag, _ in seen.tags}
        assert not [name for _, attributes in seen.tags for name in attributes if name.startswith("on")]
        assert seen.rows[1][:2] == [f"{EVIL}2", f"drawn from {EVIL}"]
        assert "&lt;img" in page


def test_its_links_lead_to_the_run_whatever_its_name(served):
    run = f"/run/{quote(EVIL, safe='')}"
    served.post(first_body(), run)
    links = [attributes["href"] for tag, attributes in Seen(served.get("/").text).tags if tag == "a"]
    assert links == [f"{run}/trace", f"{run}/verdict?form=text"]
    assert {served.get(link).status for link in links if link} == {200}


def test_the_page_and_its_files_ask_nobody_else_for_anything(served):
    page = served.get("/")
    asked = [value for _, of in Seen(page.text).tags for name, value in of.items() if name in ("src", "href")]
    assert asked == ["/page.css", "data:,", "/page.js"]
    for path, kind in (("/page.js", "text/javascript"), ("/page.css", "text/css")):
        file = served.get(path)
        assert file.headers["content-type"].startswith(kind)
        assert not re.search(r"https?:|//\w", file.text.replace("// Fetches", ""))
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'")
    assert "unsafe" not in policy


def test_more_runs_than_a_page_shows_are_counted(served, monkeypatch):
    monkeypatch.setattr("askless.serve.page.SHOWN", 2)
    for number in range(5):
        served.ask("PUT", f"/run/{number}")
    page = served.get("/").text
    assert len(Seen(page).rows) == 3
    assert "3 older runs" in page
    assert len(served.get("/run").json) == 5


def test_a_head_request_gets_the_length_and_no_page(served):
    head, page = served.ask("HEAD", "/"), served.get("/")
    assert head.body == b""
    assert head.headers["content-length"] == page.headers["content-length"]
