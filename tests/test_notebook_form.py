"""The form of a prediction, its buttons pressed in this process; the browser's tests press them in JupyterLab."""

import re
from pathlib import Path

import pytest
from IPython.display import DisplayHandle
from ipywidgets import Button, Text, Widget

from askless import task
from askless.learn import progressfile
from askless.learn.progress import Step
from askless.show import form
from askless.show.form import Form


@pytest.fixture
def shown(own_task: Path) -> Form:
    own = task.load(own_task)
    form.reveals.clear()
    form.predictions.clear()
    return Form(own, own.rung("v0"), DisplayHandle())


def step(shown: Form) -> Step:
    return progressfile.load(shown.task.learner.parent).rung("v0")


def fill(shown: Form, *typed: str, sure: str = "") -> None:
    for field, text in zip(shown.fields.values(), typed, strict=True):
        field.number.value = text
        field.sure.value = sure


def press(shown: Form, name: str) -> None:
    (button,) = [each for each in widgets(shown.box) if isinstance(each, Button) and each.description == name]
    button.click()


def pages(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What was put into cells' outputs, one by one, without style and pictures."""
    said = capsys.readouterr().out.split("'text/html': ")[1:]
    return [re.sub(r"data:image[^\"]+", "", page) for page in said]


def widgets(parent: Widget) -> list[Widget]:
    return [parent, *(each for child in getattr(parent, "children", ()) for each in widgets(child))]


def test_what_was_typed_is_committed_with_its_digest(shown: Form) -> None:
    fill(shown, "\uff18", "about 10", "5.000", sure="70 %")
    press(shown, "Commit")
    (committed,) = step(shown).predictions
    assert committed.prediction.numbers == {"round_trips": 8, "tool_calls": 10, "input_tokens": 5000}
    assert committed.prediction.sure == dict.fromkeys(committed.prediction.numbers, 70)
    assert committed.digest in shown.said.value
    assert not step(shown).seen


@pytest.mark.parametrize("typed", [("8", "ten", "5000"), ("8", "10-12", "5000"), ("8", "", "5000")])
def test_what_is_unclear_is_asked_again_in_place_and_nothing_is_stored(shown: Form, typed: tuple[str, ...]) -> None:
    fill(shown, *typed)
    press(shown, "Commit")
    assert 'role="alert"' in shown.fields["tool_calls"].unclear.value
    assert shown.fields["round_trips"].unclear.value == ""
    assert shown.fields["round_trips"].number.value == "8"
    assert step(shown).predictions == ()
    shown.fields["tool_calls"].number.value = "10"
    press(shown, "Commit")
    assert shown.fields["tool_calls"].unclear.value == ""
    assert len(step(shown).predictions) == 1


def test_how_sure_is_asked_again_when_it_is_no_share(shown: Form) -> None:
    fill(shown, "8", "10", "5000", sure="120")
    press(shown, "Commit")
    assert all("share of 100" in field.unclear.value for field in shown.fields.values())
    assert step(shown).predictions == ()


def test_nothing_is_revealed_without_a_prediction(shown: Form, capsys: pytest.CaptureFixture[str]) -> None:
    press(shown, "Reveal")
    assert "There is no prediction" in shown.said.value
    assert "Next:" in shown.said.value
    assert not step(shown).seen
    assert "<img" not in capsys.readouterr().out


def test_a_reveal_commits_what_is_typed_and_shows_it_below(shown: Form, capsys: pytest.CaptureFixture[str]) -> None:
    fill(shown, "4", "10", "1,700")
    press(shown, "Reveal")
    assert step(shown).revealed
    assert len(step(shown).predictions) == 1
    assert not step(shown).predictions[0].after_reveal
    assert "4 too few" in pages(capsys)[-1]


def test_a_cell_that_waits_gets_the_reveal(shown: Form, capsys: pytest.CaptureFixture[str]) -> None:
    form.reveals[shown.task.name, "v0"].append(DisplayHandle())
    fill(shown, "4", "10", "1,700")
    press(shown, "Reveal")
    *before, last = pages(capsys)
    assert "4 too few" in last
    assert not any("4 too few" in page for page in before)
    assert any("The prediction that counts" in page for page in before)


def test_pressed_twice_it_stores_once(shown: Form) -> None:
    fill(shown, "4", "10", "1,700")
    press(shown, "Commit")
    press(shown, "Reveal")
    press(shown, "Reveal")
    assert [each.after_reveal for each in step(shown).predictions] == [False]


def test_a_change_of_mind_after_the_reveal_is_kept_and_marked(shown: Form) -> None:
    fill(shown, "4", "10", "1,700")
    press(shown, "Reveal")
    fill(shown, "8", "10", "4,958")
    press(shown, "Commit")
    assert [each.after_reveal for each in step(shown).predictions] == [False, True]


def test_a_change_of_mind_after_the_reveal_is_told_at_once_where_the_reveal_stands(
    shown: Form, capsys: pytest.CaptureFixture[str]
) -> None:
    places = [DisplayHandle(), DisplayHandle()]
    form.reveals[shown.task.name, "v0"] += places
    fill(shown, "4", "10", "1,700")
    press(shown, "Reveal")
    capsys.readouterr()
    fill(shown, "8", "10", "4,958")
    press(shown, "Commit")
    told = [page for page in pages(capsys) if "4 too few" in page]
    assert len(told) == len(places)
    assert all("number 1 counts" in page and "All three" not in page for page in told)
    assert "it does not count" in shown.said.value


def test_every_copy_of_the_form_tells_the_prediction_that_counts(
    shown: Form, capsys: pytest.CaptureFixture[str]
) -> None:
    Form(shown.task, shown.rung, DisplayHandle())
    fill(shown, "4", "10", "1,700")
    press(shown, "Commit")
    assert sum("Committed: 4 / 10 / 1,700" in page for page in pages(capsys)) == 2


def test_a_reveal_tells_no_number_of_a_run_that_is_not_on_record_as_shown(own_task: Path) -> None:
    own = task.load(own_task)
    for rung in (rung for rung in own.rungs if rung.worked):
        (own_task / "learner" / ".progress.json").unlink(missing_ok=True)
        page = form.shown(own, rung)
        kept = progressfile.load(own_task / "learner")
        for other in (other for other in own.rungs if other.measured):
            seen = f"{other.measured['input_tokens']:,}" in page  # type: ignore[index]
            assert seen is kept.rung(other.name).seen, (rung.name, other.name)


def test_to_be_shown_without_predicting_is_recorded(shown: Form, capsys: pytest.CaptureFixture[str]) -> None:
    press(shown, "Show me without predicting")
    assert step(shown).shown_without_predicting
    assert not step(shown).revealed
    assert "You saw this run without predicting it." in capsys.readouterr().out


def test_a_record_that_cannot_be_written_is_told_in_the_form(shown: Form) -> None:
    (shown.task.learner.parent / ".progress.json").mkdir()
    fill(shown, "4", "10", "1,700")
    press(shown, "Commit")
    assert 'role="alert"' in shown.said.value
    assert "Next:" in shown.said.value


def test_every_field_has_a_name_of_its_own_for_a_screen_reader(shown: Form) -> None:
    names = [each.description for each in widgets(shown.box) if isinstance(each, Text | Button)]
    assert len(set(names)) == len(names) == 9
    assert all(names)
