"""Every page for every reader: screen readers, small and large screens, the dark, print, no JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.site import LESSON, TASK, built, open_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

SHORT = (
    "reading_a_trace",
    "describing_a_tool",
    "prompt_cache",
    "plain_code",
    "trips_against_tokens",
    "errors_that_help",
)
PAGES = ["index.html", LESSON, "sources.html", "rules.html", f"{TASK}/traces/v1.html", f"{TASK}/traces/v0-v1.html"]
PAGES += [f"{TASK}/lessons/{name}.html" for name in SHORT]
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

every_page = pytest.mark.parametrize("path", PAGES)


@pytest.fixture(params=["light", "dark"])
def lit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    context = browser.new_context(color_scheme=request.param, viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def unfolded(page: Page) -> None:
    """Open all that can be opened, as a reader would have it after a while."""
    for button in page.get_by_role("button", name="Show me without predicting").all():
        button.click()
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")


@every_page
def test_axe_finds_nothing_wrong(lit: BrowserContext, path: str) -> None:
    page = open_page(lit, path)
    if path == LESSON:
        page.locator("#v0-round_trips").fill("1-3")
        page.locator(".predict[data-rung=v0] .main").click()
        for name, typed in (("round_trips", "11"), ("tool_calls", "10"), ("input_tokens", "4000")):
            page.locator(f"#v0-{name}").fill(typed)
        page.locator(".predict[data-rung=v0] .main").click()
    unfolded(page)
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [
        (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0].get("failureSummary")) for each in found
    ] == []


@every_page
@pytest.mark.parametrize("width", [320, 360, 768, 1920])
def test_nothing_is_wider_than_the_screen(browser: Browser, path: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = open_page(context, path)
    unfolded(page)
    assert page.evaluate(WIDE) <= 0
    context.close()


def test_a_table_that_goes_on_beyond_the_screen_is_shaded_at_its_edge(browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 800})
    scroll = open_page(context, LESSON).get_by_role("group", name="The ladder")
    assert scroll.evaluate("each => getComputedStyle(each).backgroundAttachment") == "local, local, scroll, scroll"
    context.close()


def test_what_is_not_revealed_lends_no_scale_to_the_bars(context: BrowserContext) -> None:
    page = open_page(context, LESSON)
    widest = "figure => Math.max(...[...figure.querySelectorAll('rect')].map(bar => bar.getBoundingClientRect().right))"
    room = (
        "figure => figure.querySelector('.run:not(.veiled) li').children[1].parentElement.getBoundingClientRect().right"
    )
    costs = page.locator(".costs")
    alone = costs.evaluate(widest)
    page.locator(".predict[data-rung=v0]").get_by_role("button", name="Show me without predicting").click()
    assert abs(costs.evaluate(widest) - alone) < 2
    assert alone < costs.evaluate(room)


@pytest.fixture
def bare(browser: Browser) -> Iterator[BrowserContext]:
    """A browser without JavaScript."""
    context = browser.new_context(java_script_enabled=False)
    yield context
    context.close()


def test_without_javascript_all_but_the_forms_can_be_read(bare: BrowserContext) -> None:
    page = open_page(bare, LESSON)
    for section in page.locator("main h2").all():
        expect(section).to_be_visible()
    expect(page.locator(".predict").first).to_be_hidden()
    expect(page.locator("#reveal-v0 .measured")).to_be_hidden()
    page.locator("#reveal-v0 > summary").click()
    expect(page.locator("#reveal-v0 .measured")).to_contain_text("4,958")
    expect(page.locator("main noscript .aside")).to_be_visible()
    page.locator(".interview summary").first.click()
    expect(page.locator(".interview .answer").first).to_be_visible()


@every_page
def test_without_javascript_no_button_that_does_nothing_is_shown(bare: BrowserContext, path: str) -> None:
    page = open_page(bare, path)
    assert [each.inner_text() for each in page.locator("button").all() if each.is_visible()] == []


def test_on_paper_the_model_answers_are_open_and_the_forms_are_gone(context: BrowserContext) -> None:
    page = open_page(context, LESSON)
    page.emulate_media(media="print")
    assert page.locator(".interview .answer").first.evaluate(
        "each => each.checkVisibility({contentVisibilityAuto: true})"
    )
    expect(page.locator(".predict").first).to_be_hidden()
    expect(page.locator("#reveal-v0")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_nothing_moves_for_those_who_do_not_want_it(browser: Browser) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = open_page(context, LESSON)
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    context.close()


def test_the_page_keeps_no_cookie_and_knows_nobody_else(context: BrowserContext) -> None:
    page = open_page(context, LESSON)
    page.locator("#v0-round_trips").fill("8")
    assert context.cookies() == []
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0


def test_it_works_below_any_path_of_a_plain_host(context: BrowserContext) -> None:
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    handler = partial(SimpleHTTPRequestHandler, directory=str(built().parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/{built().name}/index.html")
        page.get_by_role("link", name="Ask the model less").click()
        page.get_by_role("link", name="The prompt cache").click()
        expect(page.locator("h1")).to_have_text("The prompt cache")
        page.get_by_role("link", name="the catalog").click()
        expect(page.locator("h1")).to_have_text("Sources")
        server.shutdown()
