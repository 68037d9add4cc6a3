"""The form of a prediction, its buttons pressed in this process; the browser's tests press them in JupyterLab."""

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
    form.waiting.clear()
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
    assert "4 too few" in capsys.readouterr().out.rpartition("'text/html'")[2]


def test_a_cell_that_waits_gets_the_reveal(shown: Form, capsys: pytest.CaptureFixture[str]) -> None:
    form.waiting[shown.task.name, "v0"].append(DisplayHandle())
    fill(shown, "4", "10", "1,700")
    press(shown, "Reveal")
    pages = capsys.readouterr().out.split("'text/html'")
    assert sum("4 too few" in page for page in pages) == 1
    assert "The prediction that counts" in pages[-1]


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


def test_to_be_shown_without_predicting_is_recorded(shown: Form, capsys: pytest.CaptureFixture[str]) -> None:
    press(shown, "Show me without predicting")
    assert step(shown).shown_without_predicting
    assert not step(shown).revealed
    assert "You chose to see this without predicting it." in capsys.readouterr().out


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
