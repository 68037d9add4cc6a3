"""The record that the browser keeps: full stores, large imports, second thoughts, and a page that is opened again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from askless.learn.intake import MOST
from askless.learn.prediction import Prediction
from askless.learn.progress import Progress
from askless.learn.progressjson import write
from tests.browser.site import LESSON, TASK, open_page
from tests.browser.test_page_walk import NUMBERS, choose, fill

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

COMMITTED = ".predict[data-rung=v0] .said-now"
ONE = Progress().commit("v0", Prediction(11, 10, 5000))
FILL = """() => {
  for (let n = 2 ** 22; n >= 1; n /= 2) {
    try { localStorage.setItem(`filled ${n}`, "x".repeat(n)) } catch { /* try less */ }
  }
}"""


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return open_page(context, LESSON)


def take_in(page: Page, folder: Path, record: Progress) -> None:
    (folder / "record.json").write_text(write(record, TASK), "utf-8")
    page.get_by_label("Import a file").set_input_files(folder / "record.json")


def test_what_a_full_store_does_not_take_stays_until_the_page_is_closed_and_it_says_so(
    page: Page, tmp_path: Path
) -> None:
    fill(page, "v2", NUMBERS)
    choose(page, "v2", "Commit only")
    page.evaluate(FILL)
    take_in(page, tmp_path, ONE)
    expect(page.locator(".progress .said-now")).to_contain_text("is added")
    expect(page.locator(".progress .said-now")).to_contain_text(
        "could not store it: it is lost when you close this page"
    )
    expect(page.locator(".progress")).to_contain_text("5,000")
    page.locator("#note-v4").fill("Waits.")
    expect(page.locator(".note-form")).to_contain_text("could not store it")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export to a file").click()
    exported = json.loads(download.value.path().read_text("utf-8"))
    assert (set(exported["rungs"]) >= {"v0", "v2"}, exported["notes"]) == (True, {"v4": "Waits."})


def test_the_browser_keeps_nothing_for_us_and_the_page_works_all_the_same(context: BrowserContext) -> None:
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('no') }})")
    page = open_page(context, LESSON)
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit and reveal")
    expect(page.locator("#reveal-v0 .yours")).to_contain_text("3 too many")
    expect(page.locator(COMMITTED)).to_contain_text("could not store it")


def test_a_thousand_predictions_are_taken_in_and_more_are_refused(page: Page, tmp_path: Path) -> None:
    take_in(page, tmp_path, crowd(MOST))
    expect(page.locator(".progress .said-now")).to_contain_text("is added")
    take_in(page, tmp_path, crowd(MOST + 1))
    expect(page.locator(".progress .said-now")).to_contain_text("v0 has 1,001 predictions, and 1,000 are the most")


def crowd(many: int) -> Progress:
    record = Progress()
    for tokens in range(1, many + 1):
        record = record.commit("v0", Prediction(8, 10, tokens))
    return record


def test_everything_can_be_forgotten_after_asking(page: Page) -> None:
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit and reveal")
    page.get_by_text("Forget everything here").click()
    page.get_by_role("button", name="Yes, forget everything").click()
    expect(page.locator("#reveal-v0")).to_be_hidden()
    expect(page.locator(COMMITTED)).to_have_text("")
    expect(page.get_by_role("button", name="Yes, forget everything")).to_be_hidden()
    assert page.evaluate("localStorage.length") == 0


def test_a_double_click_forgets_nothing_and_neither_does_a_second_thought(page: Page) -> None:
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit and reveal")
    page.get_by_text("Forget everything here").dblclick()
    page.get_by_text("Forget everything here").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Yes, forget everything")).to_be_hidden()
    expect(page.locator("#reveal-v0")).to_be_visible()


def test_what_was_committed_stands_in_its_form_when_the_page_is_opened_again(page: Page) -> None:
    page.locator("#v0-round_trips-sure").fill("80")
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit only")
    expect(page.locator(COMMITTED)).to_contain_text("Committed: 11 / 10 / 5,000 (digest ")
    expect(page.locator(COMMITTED)).to_contain_text("The digest is worked out from these numbers")
    page.reload()
    expect(page.locator(COMMITTED)).to_contain_text("Committed: 11 / 10 / 5,000")
    expect(page.locator("#v0-round_trips")).to_have_value("11")
    expect(page.locator("#v0-round_trips-sure")).to_have_value("80")


def test_after_a_refused_number_nothing_says_that_it_was_committed(page: Page) -> None:
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit only")
    page.locator("#v0-round_trips").fill("3-4")
    choose(page, "v0", "Commit only")
    expect(page.locator("#unclear-v0-round_trips")).to_contain_text("more than one number")
    expect(page.locator(COMMITTED)).to_have_text("")


def test_dashed_bars_say_whose_they_are(page: Page) -> None:
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit and reveal")
    expect(page.locator("#reveal-v0 .guess-note")).to_contain_text("your total, spread evenly over your requests")
    fill(page, "v2", {"round trips": "3", "tool calls": "2", "input tokens": "886"})
    choose(page, "v2", "Commit and reveal")
    expect(page.locator("#reveal-v2 .guess")).to_have_count(0)


def test_a_guess_far_too_small_is_not_called_none(page: Page) -> None:
    fill(page, "v0", {"round trips": "8", "tool calls": "10", "input tokens": "1"})
    choose(page, "v0", "Commit and reveal")
    expect(page.locator(".progress")).to_contain_text("less than 0.01 times as many")
