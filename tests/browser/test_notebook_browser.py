"""The lesson's notebook as a learner meets it: in the real JupyterLab, by keyboard, in the dark, after a restart."""

import json
import re
from typing import Any
from urllib.parse import urlparse

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.browser.lab import FOCUSED, Lab, Sheet, see

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SERIOUS = ("serious", "critical")


def predict(sheet: Sheet, *typed: str) -> None:
    """Fill in the form's three numbers."""
    for name, text in zip(("round trips", "tool calls", "input tokens"), typed, strict=True):
        sheet.field(name).fill(text)


def figures(cell: Locator) -> Locator:
    return cell.locator("img[alt^='Stacked bars']")


def is_drawn(image: Locator) -> bool:
    return bool(image.evaluate("image => image.complete && image.naturalWidth > 100"))


def test_a_prediction_is_typed_and_revealed(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v0", "reveal-v0")
    see(sheet.output("reveal-v0"), "v0 is not revealed")
    predict(sheet, "4", "10", "1,700")
    sheet.button("Reveal").click()
    see(sheet.output("reveal-v0"), "4 too few")
    see(sheet.output("predict-v0"), "The prediction that counts")
    assert is_drawn(figures(sheet.cell("reveal-v0")))
    sheet.cell("reveal-v0").get_by_text("The same numbers as a table").click()
    expect(sheet.cell("reveal-v0").get_by_role("row", name="v0 8 915 170 + 283")).to_be_visible()
    assert json.loads(sheet.lab.record.read_text("utf-8"))["rungs"]["v0"]["revealed"]


def test_the_keyboard_alone_suffices(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v0", "reveal-v0")
    sheet.page.keyboard.press("ArrowUp")
    sheet.type_into("round trips", "4")
    sheet.type_into("how sure of round trips", "80")
    sheet.type_into("tool calls", "10")
    sheet.type_into("input tokens", "1.700")
    sheet.tab_to("Reveal")
    sheet.page.keyboard.press("Enter")
    see(sheet.output("reveal-v0"), "3,258 too few")
    assert sheet.page.evaluate(FOCUSED) == "Reveal", "the keyboard is where it was"
    sheet.tab_to("Request 4 is the first one that goes past your number of input tokens.")
    sheet.page.keyboard.press("Enter")
    expect(sheet.cell("reveal-v0").get_by_role("heading", name="Request 4: 607 input tokens")).to_be_visible()


def test_what_is_unclear_is_asked_again_where_it_was_typed(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v0", "reveal-v0")
    predict(sheet, "4", "10", "very many")
    sheet.button("Reveal").click()
    see(sheet.output("predict-v0"), "is not a number")
    expect(sheet.field("input tokens")).to_be_focused()
    expect(sheet.field("round trips")).to_have_value("4")
    see(sheet.output("reveal-v0"), "v0 is not revealed")
    sheet.page.keyboard.press("Control+a")
    sheet.page.keyboard.type("1,700")
    sheet.button("Reveal").click()
    see(sheet.output("reveal-v0"), "4 too few")


def test_after_a_restart_and_a_reload_all_is_still_there(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v0", "reveal-v0")
    predict(sheet, "11", "10", "4958")
    sheet.button("Reveal").click()
    see(sheet.output("reveal-v0"), "3 too many")
    stored = sheet.save()
    sheet.restart()
    sheet.reload()
    sheet.select("reveal-v0")
    see(sheet.output("reveal-v0"), "3 too many")
    see(sheet.output("predict-v0"), "Committed: 11 / 10 / 4,958")
    assert is_drawn(figures(sheet.cell("reveal-v0")))
    expect(sheet.page.get_by_text("model not found")).not_to_be_visible()
    assert not re.search(r"/(home|root|tmp|usr)/", json.dumps([cell.get("outputs") for cell in stored["cells"]]))
    sheet.run("imports", "reveal-v0")
    see(sheet.output("reveal-v0"), "3 too many")


def test_a_reload_in_the_middle_loses_nothing(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v2", "reveal-v2")
    predict(sheet, "3", "2", "900")
    sheet.button("Commit").click()
    see(sheet.output("predict-v2"), "Committed: 3 / 2 / 900")
    sheet.save()
    sheet.reload()
    sheet.run("reveal-v2")
    see(sheet.output("reveal-v2"), "right, rounded")


def test_a_duplicated_cell_says_which_prediction_counts(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v0")
    predict(sheet, "8", "10", "5000")
    sheet.button("Commit").click()
    see(sheet.output("predict-v0"), "Committed: 8 / 10 / 5,000")
    copy = sheet.duplicate("predict-v0")
    sheet.run(copy)
    see(sheet.output(copy), "Committed: 8 / 10 / 5,000")
    sheet.cell(copy).get_by_label("round trips", exact=True).fill("3")
    sheet.cell(copy).get_by_label("tool calls", exact=True).fill("10")
    sheet.cell(copy).get_by_label("input tokens", exact=True).fill("1408")
    sheet.cell(copy).get_by_role("button", name="Commit").click()
    see(sheet.output(copy), "You committed 2 predictions, and the last one counts")


def test_to_see_it_without_predicting_is_a_choice_that_is_recorded(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v3", "reveal-v3")
    sheet.button("Reveal").click()
    see(sheet.output("predict-v3"), "There is no prediction to compare with")
    see(sheet.output("reveal-v3"), "v3 is not revealed")
    sheet.button("Show me without predicting").click()
    see(sheet.output("reveal-v3"), "You saw this run without predicting it.")
    assert json.loads(sheet.lab.record.read_text("utf-8"))["rungs"]["v3"]["shown_without_predicting"]


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_a_checker_of_accessibility_finds_nothing_serious_in_what_is_shown(sheet: Sheet, theme: str) -> None:
    sheet.theme(theme)
    sheet.run("imports", "question", "desk", "walk-v1", "shapes-v1", "predict-v0", "reveal-v0")
    predict(sheet, "11", "10", "4958")
    sheet.button("Reveal").click()
    see(sheet.output("reveal-v0"), "3 too many")
    sheet.run("ladder", "compare", "progress", "interview")
    for cell in ("walk-v1", "predict-v0", "reveal-v0", "ladder", "compare", "progress", "interview"):
        sheet.select(cell)
        see(sheet.cell(cell), "")
        sheet.page.evaluate(
            "() => document.querySelectorAll('.jp-OutputArea details').forEach(each => { each.open = true })"
        )
        assert violations(sheet, cell) == []


def violations(sheet: Sheet, cell: str) -> list[tuple[str, str]]:
    """What axe finds serious inside a cell's output."""
    sheet.cell(cell).evaluate("cell => { cell.id = 'looked-at' }")
    found = Axe().run(sheet.page, context="#looked-at .jp-Cell-outputArea").response["violations"]
    sheet.cell(cell).evaluate("cell => { cell.removeAttribute('id') }")
    return [(each["id"], node["html"]) for each in found if each["impact"] in SERIOUS for node in each["nodes"]]


def test_no_request_leaves_the_machine(lab: Lab, sheet: Sheet) -> None:
    sheet.run("imports", "walk-v1", "reveal-v0", "ladder", "practice", "interview")
    see(sheet.output("practice"), "MISSED")
    assert [url for url in sheet.requested if not is_local(url)] == []
    assert sheet.requested
    addresses = lab.addresses()
    assert any("127.0.0.1" in address for address in addresses), "the watcher saw nothing at all"
    assert [address for address in addresses if not any(f"'{host}'" in address for host in LOOPBACK)] == []


def is_local(url: str) -> bool:
    parts = urlparse(url)
    return parts.scheme in ("data", "blob") or parts.hostname in LOOPBACK


def test_a_notebook_that_is_not_trusted_still_reads_well(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v0", "reveal-v0")
    predict(sheet, "11", "10", "4958")
    sheet.button("Reveal").click()
    see(sheet.output("reveal-v0"), "3 too many")
    document: dict[str, Any] = sheet.save()
    sheet.reopen_changed(document)
    sheet.select("reveal-v0")
    see(sheet.output("reveal-v0"), "3 too many")
    assert is_drawn(figures(sheet.cell("reveal-v0")))


def test_a_change_of_mind_after_the_reveal_is_told_at_once_and_counts_nowhere(sheet: Sheet) -> None:
    sheet.run("imports", "walk-v1", "predict-v0", "reveal-v0")
    predict(sheet, "11", "10 calls", "6131?")
    sheet.button("Reveal").click()
    see(sheet.output("reveal-v0"), "3 too many")
    predict(sheet, "8", "10", "4958")
    sheet.button("Commit").click()
    see(sheet.output("reveal-v0"), "number 1 counts, which stood when the run was shown")
    see(sheet.output("predict-v0"), "it does not count")
    expect(sheet.output("reveal-v0")).not_to_contain_text("All three")
    sheet.run("progress")
    see(sheet.output("progress"), "does not count")
    see(sheet.output("progress"), "1.24 times as many")


def test_in_print_every_fold_is_open(sheet: Sheet) -> None:
    sheet.run("imports", "predict-v0", "reveal-v0")
    sheet.button("Show me without predicting").click()
    see(sheet.output("reveal-v0"), "You saw this run without predicting it.")
    fold = sheet.cell("reveal-v0").get_by_role("cell", name="170 + 283", exact=True)
    expect(fold).not_to_be_visible()
    sheet.page.emulate_media(media="print")
    expect(fold).to_be_visible()
