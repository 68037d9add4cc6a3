"""reveal and progress, as a learner types them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from askless import catalog
from askless.learn import progressfile
from askless.learn.prediction import Prediction
from tests.ladders import RUNGS, load, run

RIGHT = ("--round-trips", "8", "--tool-calls", "10", "--input-tokens", "4958")
WRONG = ("--round-trips", "11", "--tool-calls", "10", "--input-tokens", "6,131")

Result = tuple[int, str, str]  # exit code, standard output, standard error
Ask = Callable[..., Result]


def test_there_is_no_reveal_without_a_prediction(ask_own: Ask, own_task: Path) -> None:
    code, out, err = ask_own("reveal", "v0")
    assert (code, out) == (2, "")
    assert f"you have not predicted v0 yet.\nNext: askless predict {own_task} v0, or" in err
    assert "--without-predicting" in err


def test_a_reveal_without_predicting_is_recorded_and_said(ask_own: Ask, own_task: Path) -> None:
    code, out, _ = ask_own("reveal", "v0", "--without-predicting")
    assert code == 0
    assert "You saw this run without predicting it. The record says so." in out
    assert progressfile.load(own_task / "learner").rung("v0").shown_without_predicting
    assert "shown without predicting" in ask_own("progress")[1]
    assert "it is kept, and it does not count" in ask_own("predict", "v0", *RIGHT)[1]
    assert progressfile.load(own_task / "learner").predictions("v0")[-1].after_reveal


def test_a_reveal_sets_yours_beside_the_run_and_says_why(ask_own: Ask, own_task: Path) -> None:
    ask_own("predict", "v1", *WRONG, "--sure", "70")
    code, out, err = ask_own("reveal", "v1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert "round trips           11           3   8 too many             70 %" in lines
    assert "tool calls            10          10   right                  70 %" in lines
    assert "input tokens       6,131       1,408   4,723 too many         70 %" in lines
    assert "One wrong idea gives all three of your numbers together:" in lines
    assert "  - Every reply asks for one thing." in lines
    assert "Count and measure first part at request 1: 170 tokens and 1 tool call in your" in lines
    assert "  173 + 432 + 75 = 680 characters" in lines
    assert '-        messages.extend({"role": "user", "content": [result]} for result in results)' in lines
    assert "    https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use" in lines
    assert lines[-1] == f"Next: askless predict {own_task} v2"


@pytest.mark.parametrize("rung", ["v0", "v1", "v2", "v3"])
@pytest.mark.parametrize(
    "numbers", [RIGHT, WRONG, ("--round-trips", "5", "--tool-calls", "7", "--input-tokens", "~2,000")]
)
def test_a_reveal_fits_80_columns_but_for_code_and_addresses(ask_own: Ask, rung: str, numbers: tuple[str, ...]) -> None:
    ask_own("predict", rung, *numbers)
    code, out, _ = ask_own("reveal", rung, "--plain")
    assert code == 0
    wide = [line for line in out.splitlines() if len(line) > 80]
    assert all(line.startswith(("+", "-", " ")) or "askless " in line for line in wide)
    assert "\x1b" not in out


def test_the_truth_is_called_right(ask_own: Ask) -> None:
    ask_own("predict", "v0", *RIGHT)
    out = ask_own("reveal", "v0")[1]
    assert "All three numbers are right." in out
    assert "wrong idea" not in out
    assert "What changes in the code from v0 to v1" in out


@pytest.mark.parametrize(("name", "rung"), RUNGS)
def test_every_worked_rung_names_a_source_in_the_catalog(name: str, rung: str) -> None:
    assert load(name).rung(rung).sources
    assert set(load(name).rung(rung).sources) <= set(catalog.sources())


def test_changing_a_prediction_after_the_reveal_is_possible_and_visible(ask_own: Ask) -> None:
    ask_own("predict", "v0", *WRONG)
    ask_own("reveal", "v0")
    code, out, _ = ask_own("predict", "v0", *RIGHT)
    assert code == 0
    assert "It came after the run was shown: it is kept, and it does not count." in out
    out = " ".join(ask_own("reveal", "v0")[1].split("\n"))
    assert "You committed 2 predictions, and number 1 counts, which stood when the run was shown:" in out
    assert "11           8   3 too many" in out
    assert "All three" not in out
    assert "  1. 11 / 10 / 6,131 (digest " in out
    assert f"  2. 8 / 10 / 4,958 (digest {Prediction(8, 10, 4958).digest}, after the reveal)" in out
    out = ask_own("progress")[1]
    assert "(1 more came after the run was shown and does not count)" in out
    assert "v0    round trips           11          8   +3 (+38%)" in out
    told = json.loads(ask_own("progress", "--json")[1])[0]["rungs"][0]["predictions"]
    assert [each["counts"] for each in told] == [True, False]


def test_the_truth_typed_after_the_run_was_seen_is_nowhere_called_right(ask_own: Ask) -> None:
    ask_own("reveal", "v0", "--without-predicting")
    ask_own("predict", "v0", *RIGHT)
    out = ask_own("reveal", "v0")[1]
    assert "You committed 1 prediction, and none counts:" in out
    assert "right" not in out.partition("Input tokens of each request")[0]
    assert "no prediction that counts" in ask_own("progress")[1]


def numbers_of(name: str, rung: str) -> set[str]:
    """A rung's counts as they are written, and the tokens of its requests."""
    trace = run(name, rung)
    return {f"{trip.input_tokens:,}" for trip in trace.round_trips} | {f"{trace.totals.input_tokens:,}"}


def shows(name: str, rung: str, text: str) -> bool:
    """Whether a text tells a measured number that only this rung has; a path may hold any number."""
    text = re.sub(r"\S*/\S*", "", text)
    others = set().union(*(numbers_of(of, other) for of, other in RUNGS if of == name and other != rung))
    return any(re.search(rf"(?<![\d,]){number}(?![\d,])", text) for number in numbers_of(name, rung) - others)


@pytest.mark.parametrize(("name", "rung"), RUNGS)
def test_a_reveal_tells_no_number_of_a_run_that_was_not_shown(
    ask_own: Ask, own_task: Path, name: str, rung: str
) -> None:
    ask_own("predict", rung, *WRONG)
    out = ask_own("reveal", rung)[1]
    kept = progressfile.load(own_task / "learner")
    for other in (other for of, other in RUNGS if of == name):
        assert shows(name, other, out) is (other == rung) is kept.rung(other).seen


SHOWING = [("reveal", "v1", "--without-predicting"), ("trace", "v1"), ("trace", "v1", "--json"), ("ladder",)]
SHOWING += [("trace", "v1", "--request", "2"), ("diff", "v1", "v3")]


@pytest.mark.parametrize("words", SHOWING, ids=" ".join)
def test_whatever_shows_a_measured_run_is_on_record(ask_own: Ask, own_task: Path, words: tuple[str, ...]) -> None:
    code, out, err = ask_own(*words)
    assert code == 0
    kept = progressfile.load(own_task / "learner")
    for name, rung in RUNGS:
        if shows(name, rung, out):
            assert kept.rung(rung).shown_without_predicting
            assert words[0] == "reveal" or rung in err
    assert kept.rung("v1").seen
    assert "it does not count" in ask_own("predict", "v1", *WRONG)[1]
    assert ask_own(*words)[2] == "", "said once"


def test_a_record_that_cannot_be_written_hides_no_run_and_that_is_said(ask_own: Ask, own_task: Path) -> None:
    (own_task / "learner" / progressfile.FILE).mkdir()
    code, out, err = ask_own("ladder")
    assert (code, "4,958" in out) == (0, True)
    assert err.startswith("Not on record as shown: ")


def test_a_neighbour_that_was_revealed_stands_beside_it(ask_own: Ask) -> None:
    ask_own("reveal", "v2", "--without-predicting")
    ask_own("predict", "v3", "--round-trips", 3, "--tool-calls", 2, "--input-tokens", 886)
    out = ask_own("reveal", "v3")[1]
    assert "v2: 3 requests, 886 tokens" in out
    assert "Nothing that is counted changes between v2 and v3." in out


def test_the_bars_are_as_long_as_their_tokens_and_say_who_sent_them(ask_own: Ask) -> None:
    ask_own("predict", "v1", "--round-trips", 4, "--tool-calls", 10, "--input-tokens", 1600)
    lines = ask_own("reveal", "v1")[1].splitlines()
    at = lines.index("v1: 3 requests, 1,408 tokens") + 1
    assert "A digit is 14 tokens: 1 were first sent by request 1, 2 by request 2, and so on." in lines
    assert lines[at + 2].split()[0::2] == ["3", "808"]
    drawn = lines[at + 2].split()[1]
    assert len(drawn) == round(808 / 14)
    assert (drawn.count("1"), drawn[29]) == (round(170 / 14), "|")
    assert lines[at + 3].split() == ["4", "|", "not", "sent"]


def test_a_prediction_edited_in_the_record_is_said(ask_own: Ask, own_task: Path) -> None:
    ask_own("predict", "v0", *WRONG)
    record = own_task / "learner" / progressfile.FILE
    record.write_text(record.read_text("utf-8").replace('"round_trips": 11', '"round_trips": 8'), "utf-8")
    assert "edited in the file since it was committed" in " ".join(ask_own("reveal", "v0")[1].split())
    assert "(a stored prediction was edited in the file and does not count)" in ask_own("progress")[1]


def test_progress_is_the_ladder_in_words_within_80_columns(ask_own: Ask) -> None:
    ask_own("predict", "v0", *WRONG, "--sure", "100")
    ask_own("reveal", "v0")
    ask_own("predict", "v2", *RIGHT)
    code, out, _ = ask_own("progress")
    assert code == 0
    lines = out.splitlines()
    assert "v0    round trips           11          8   +3 (+38%)      100 %" in lines
    assert "      tool calls            10         10   nothing        100 %" in lines
    assert "      input tokens       6,131      4,958   +1,173 (+24%)  100 %" in lines
    assert "v1    not predicted yet" in lines
    assert "v2    round trips            8          ?   not revealed" in lines
    assert "Practice: not run yet." in lines
    assert lines[-1].startswith("Next: askless predict ")
    assert lines[-1].endswith(" v1")
    assert all(len(line) <= 80 for line in lines)


def test_what_was_not_revealed_is_not_told(ask_own: Ask) -> None:
    ask_own("predict", "v0", *WRONG)
    assert "4,958" not in ask_own("progress")[1]
    code, out, _ = ask_own("progress", "--json")
    assert (code, "4958" in out) == (0, False)
    ask_own("reveal", "v0")
    ladder = json.loads(ask_own("progress", "--json")[1])[0]
    assert ladder["rungs"][0]["measured"] == {"round_trips": 8, "tool_calls": 10, "input_tokens": 4958}
    assert ladder["rungs"][0]["predictions"][0]["round_trips"] == 11
    assert ladder["rungs"][1]["measured"] is None


def test_a_record_goes_out_to_a_file_and_comes_in_again(ask_own: Ask, own_task: Path, tmp_path: Path) -> None:
    ask_own("predict", "v0", *WRONG)
    assert ask_own("progress", "--export", tmp_path / "mine.json")[0] == 0
    (own_task / "learner" / progressfile.FILE).unlink()
    code, out, _ = ask_own("progress", "--import", tmp_path / "mine.json")
    assert (code, "6,131" in out) == (0, True)
    assert progressfile.load(own_task / "learner").predictions("v0")[0].prediction == Prediction(11, 10, 6131)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--import", "nowhere.json"), "nowhere.json does not exist.\nNext: name a file that was exported"),
        (("--import", __file__), "is no progress record.\nNext: name a file that was exported"),
        (("--export", "/nowhere/mine.json"), "could not be written: No such file or directory."),
        (("--export", "a", "--json"), "not allowed with argument"),
    ],
)
def test_a_file_that_will_not_do_is_said(ask_own: Ask, words: tuple[str, ...], said: str) -> None:
    code, _, err = ask_own("progress", *words)
    assert code == 2
    assert said in err
