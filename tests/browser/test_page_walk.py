"""The lesson's page as a reader meets it: by mouse and by keyboard, with good numbers and bad ones, from a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from askless import cli, task
from askless.learn import progressfile
from askless.learn.prediction import Prediction
from tests.browser.site import LESSON, TASK, open_page

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

NUMBERS = {"round trips": "11", "tool calls": "10", "input tokens": "5,000"}


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return open_page(context, LESSON)


def fill(page: Page, rung: str, numbers: dict[str, str]) -> None:
    for name, typed in numbers.items():
        page.locator(f".predict[data-rung={rung}]").get_by_label(name, exact=True).fill(typed)


def choose(page: Page, rung: str, button: str) -> None:
    page.locator(f".predict[data-rung={rung}]").get_by_role("button", name=button).click()


def test_nothing_is_given_away_before_it_is_predicted(page: Page) -> None:
    for rung in ("v0", "v2", "v3"):
        expect(page.locator(f"#reveal-{rung}")).to_be_hidden()
        expect(page.locator(f".locked[data-rung={rung}]")).to_be_visible()
    assert not any(number in unfolded(page) for number in ("4,958", "886", "386"))


def test_a_reveal_tells_no_number_of_a_neighbour_that_was_not_revealed(page: Page) -> None:
    choose(page, "v3", "Show me without predicting")
    assert "386" in unfolded(page)
    assert not any(number in unfolded(page) for number in ("4,958", "886"))
    fill(page, "v2", {"round trips": "3", "tool calls": "2", "input tokens": "886"})
    choose(page, "v2", "Commit and reveal")
    assert "886" in page.locator("#reveal-v3").inner_text()


def unfolded(page: Page) -> str:
    """All that can be read with every fold open."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    return page.locator("main").inner_text()


def test_a_prediction_changed_after_the_reveal_is_kept_and_does_not_count(page: Page) -> None:
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit and reveal")
    fill(page, "v0", {"round trips": "8", "input tokens": "4958"})
    choose(page, "v0", "Commit only")
    yours = page.locator("#reveal-v0 .yours")
    expect(yours).to_contain_text("number 1 counts, which stood when the run was shown")
    expect(yours).to_contain_text("3 too many")
    expect(page.locator(".predict[data-rung=v0] .said-now")).to_contain_text("it does not count")
    expect(page.locator(".progress")).to_contain_text("1.38 times as many")


def test_a_prediction_is_committed_revealed_and_explained(page: Page) -> None:
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit and reveal")
    yours = page.locator("#reveal-v0 .yours")
    expect(yours).to_contain_text("3 too many")
    expect(yours).to_contain_text("right, rounded (+42)")
    expect(yours).to_contain_text("Every reply asks for one thing.")
    expect(yours).to_contain_text("Such a count leaves the run at request 2: 330 tokens and 0 tool calls by that count")
    expect(yours).to_contain_text("Which idea was yours decides where you left the run")
    expect(yours).to_be_focused()
    expect(page.locator("#reveal-v0 .guess")).to_have_count(11)
    expect(page.locator("#reveal-v0")).to_contain_text("4,958")
    yours.get_by_role("button", name="Show request 1").click()
    expect(page.locator("#v0-request-1")).to_be_focused()
    expect(page.locator("#v0-request-1")).to_be_visible()
    expect(page.locator("#the-ladder ~ .scroll tr", has_text="v0")).to_contain_text("4,958")
    expect(page.locator(".progress")).to_contain_text("1.38 times as many")


def test_the_truth_is_called_right_and_no_idea_wrong(page: Page) -> None:
    fill(page, "v2", {"round trips": "3", "tool calls": "2", "input tokens": "886"})
    choose(page, "v2", "Commit and reveal")
    expect(page.locator("#reveal-v2 .yours")).to_contain_text("All three numbers are right.")
    expect(page.locator("#reveal-v2 .yours blockquote")).to_have_count(0)


def test_what_is_unclear_is_asked_again_in_place_and_nothing_is_stored(page: Page) -> None:
    fill(page, "v0", {"round trips": "3-4", "tool calls": "", "input tokens": "1,200"})
    page.locator("#v0-input_tokens-sure").fill("120")
    choose(page, "v0", "Commit and reveal")
    form = page.locator(".predict[data-rung=v0]")
    expect(form.locator("#unclear-v0-round_trips")).to_have_text(
        "'3-4' is more than one number. Type one whole number, such as 1200."
    )
    expect(form.locator("#unclear-v0-tool_calls")).to_contain_text("No number was typed.")
    expect(form.locator("#unclear-v0-input_tokens")).to_contain_text("no share of 100")
    expect(page.locator("#v0-round_trips")).to_be_focused()
    expect(page.locator("#reveal-v0")).to_be_hidden()
    assert page.evaluate("localStorage.length") == 0


def test_the_whole_walk_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.locator("#v3-round_trips").focus()
    for typed in ("2", "", "1", "90", "400", ""):
        page.keyboard.type(typed)
        page.keyboard.press("Tab")
    expect(page.locator(".predict[data-rung=v3] .main")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#reveal-v3 .yours")).to_contain_text("90 %")
    expect(page.locator("#reveal-v3 .yours")).to_be_focused()
    page.locator(".interview summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".interview .answer").first).to_be_visible()


def test_who_does_not_want_to_predict_may_see_it_and_the_record_says_so(page: Page) -> None:
    choose(page, "v0", "Show me without predicting")
    expect(page.locator("#reveal-v0 .yours")).to_contain_text("without predicting")
    choose(page, "v0", "Commit and reveal")
    expect(page.locator("#unclear-v0-round_trips")).to_contain_text("No number")
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit only")
    expect(page.locator("#reveal-v0 .yours")).to_contain_text("after the reveal")


def test_what_was_predicted_is_still_there_after_a_reload_and_every_one_counts(page: Page) -> None:
    fill(page, "v0", NUMBERS)
    choose(page, "v0", "Commit only")
    fill(page, "v0", {"round trips": "8"})
    choose(page, "v0", "Commit only")
    page.locator("#note-v4").fill("Waits will suffer first.")
    page.reload()
    expect(page.locator("#reveal-v0")).to_be_hidden()
    choose(page, "v0", "Show me without predicting")
    expect(page.locator("#reveal-v0 .yours")).to_contain_text("You committed 2 predictions, and the last one counts")
    expect(page.locator("#note-v4")).to_have_value("Waits will suffer first.")
    expect(page.locator("main .progress-line")).to_contain_text("1 of 3 rungs predicted, 1 revealed")


def test_the_exported_record_is_the_terminals(
    page: Page, own_task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(page, "v0", NUMBERS)
    page.locator("#v0-round_trips-sure").fill("80")
    choose(page, "v0", "Commit and reveal")
    page.locator("#note-v4").fill("Ünd <b>so</b> weiter")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export to a file").click()
    exported = tmp_path / download.value.suggested_filename
    download.value.save_as(exported)
    assert cli.main(["progress", str(own_task), "--import", str(exported)]) == 0
    kept = progressfile.load(own_task / "learner")
    (committed,) = kept.predictions("v0")
    assert committed.prediction == Prediction(11, 10, 5000, {"round_trips": 80})
    assert not committed.edited
    assert kept.rung("v0").revealed
    assert json.loads(exported.read_text("utf-8"))["notes"] == {"v4": "Ünd <b>so</b> weiter"}
    assert "11" in capsys.readouterr().out


def test_the_terminals_record_is_taken_in_and_a_wrong_file_is_refused(
    page: Page, own_task: Path, tmp_path: Path
) -> None:
    progressfile.change(own_task / "learner", lambda kept: kept.commit("v2", Prediction(3, 2, 900)).reveal("v2"))
    exported, wrong = tmp_path / "record.json", tmp_path / "wrong.json"
    progressfile.export(own_task / "learner", exported)
    wrong.write_text("{}", "utf-8")
    page.get_by_label("Import a file").set_input_files(wrong)
    expect(page.locator(".progress .said-now")).to_contain_text("no progress record")
    page.get_by_label("Import a file").set_input_files(exported)
    expect(page.locator(".progress .said-now")).to_contain_text("is added")
    expect(page.locator(".progress")).to_contain_text("900")
    expect(page.locator("#reveal-v2 .yours")).to_contain_text("right, rounded")


def test_the_map_says_how_far_the_reader_is(page: Page) -> None:
    choose(page, "v0", "Show me without predicting")
    page.get_by_role("link", name="Learning map").click()
    expect(page.locator(f'[data-task="{TASK}"] .progress-line')).to_contain_text("seen 2")


def test_a_long_list_is_filtered(page: Page) -> None:
    page.get_by_role("link", name="Sources", exact=True).first.click()
    page.get_by_label("Show only those that say").fill("parallel split")
    expect(page.locator("#parallel-split-results")).to_be_visible()
    expect(page.locator("#glossary-tokens")).to_be_hidden()
    expect(page.locator("#filtered")).to_contain_text(" of ")


def test_the_first_task_is_the_one_that_is_built() -> None:
    assert task.names()[0] == TASK
