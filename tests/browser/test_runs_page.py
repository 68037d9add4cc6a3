"""The live page of a server's runs in a real browser: it renews itself, and nothing in it runs but its own script."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from serving import serving, work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page
    from serving import Served

EVIL = "<img src=x onerror=\"document.title='caught'\"><script>document.title='caught'</script>"
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(kept=3) as made:
        yield made


@pytest.fixture(params=[("light", 1280), ("dark", 1280), ("light", 360)], ids=["light", "dark", "narrow"])
def reader(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    scheme, width = request.param
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 700})
    yield context
    context.close()


def opened(context: BrowserContext, served: Served) -> Page:
    page = context.new_page()
    page.goto(served.address + "/")
    return page


def test_a_run_appears_by_itself_and_a_reader_can_stop_that(context: BrowserContext, served: Served) -> None:
    page = opened(context, served)
    expect(page.get_by_text("No run has begun yet.")).to_be_visible()
    work(served, "/run/ann")
    expect(page.get_by_role("row", name="ann shown right 2 1 386")).to_be_visible(timeout=10_000)
    page.get_by_role("button", name="Stop updating").press("Enter")
    served.ask("PUT", "/run/bob")
    page.wait_for_timeout(3_000)
    assert page.get_by_role("row").count() == 2
    page.get_by_role("button", name="Update again").press("Enter")
    expect(page.get_by_role("row", name="bob shown none yet")).to_be_visible(timeout=10_000)


def test_who_reads_in_the_table_is_left_where_they_are(context: BrowserContext, served: Served) -> None:
    served.ask("PUT", "/run/ann")
    page = opened(context, served)
    link = page.get_by_role("link", name="verdict of ann")
    link.focus()
    served.ask("PUT", "/run/bob")
    page.wait_for_timeout(3_000)
    expect(link).to_be_focused()


def test_a_runs_name_is_only_words(context: BrowserContext, served: Served) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    served.ask("PUT", f"/run/{quote(EVIL, safe='')}?seed={quote(EVIL, safe='')}")
    page = opened(context, served)
    page.wait_for_timeout(3_000)
    expect(page.get_by_role("row", name=EVIL[:20])).to_be_visible()
    assert page.title() == "Runs: Fewer tool calls"
    assert {url for url in asked if not url.startswith((served.address, "data:"))} == set()


def test_the_page_is_one_that_everybody_can_read(reader: BrowserContext, served: Served) -> None:
    work(served, "/run/ann")
    for name in ("bob", "n" * 100, "carol"):
        served.ask("PUT", f"/run/{name}?seed=7")
    page = opened(reader, served)
    expect(page.get_by_text("Dropped to make room: ann.")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate(WIDE) == 0
