"""predict, as a learner types it."""

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from askless.learn import progressfile
from askless.learn.prediction import Prediction

RIGHT = ("--round-trips", "8", "--tool-calls", "10", "--input-tokens", "4958")
WRONG = ("--round-trips", "11", "--tool-calls", "10", "--input-tokens", "6,131")

Result = tuple[int, str, str]  # exit code, standard output, standard error
Ask = Callable[..., Result]


def stored(own_task: Path, rung: str = "v0") -> list[Prediction]:
    return [each.prediction for each in progressfile.load(own_task / "learner").predictions(rung)]


def test_a_prediction_in_options_is_committed_with_its_digest(ask_own: Ask, own_task: Path) -> None:
    code, out, err = ask_own("predict", "v0", *WRONG, "--sure", "70 %")
    (prediction,) = stored(own_task)
    assert (code, err) == (0, "")
    assert prediction == Prediction(11, 10, 6131, dict.fromkeys(prediction.numbers, 70))
    assert "11 round trips (70 % sure), 10 tool calls (70 % sure), 6,131 input tokens (70 % sure)" in out
    assert f"with the digest {prediction.digest}." in out
    assert out.endswith(f"Next: askless reveal {own_task} v0\n")


def test_numbers_are_asked_for_one_at_a_time_and_again_until_they_are_clear(ask_own: Ask, own_task: Path) -> None:
    code, out, _ = ask_own("predict", "v0", typed="ten\n\n11\nvery\n70\n10\n\n1.20\n6.131\n100\n")
    assert code == 0
    assert stored(own_task) == [Prediction(11, 10, 6131, {"round_trips": 70, "input_tokens": 100})]
    assert out.count("Type one whole number, such as 1200.") == 3
    assert out.count("Type a whole number from 0 to 100, or nothing.") == 1
    prompts = ["Round trips: ", "Tool calls: ", "Input tokens, in all: "]
    assert [out.count(prompt) for prompt in prompts] == [3, 1, 2]
    assert sorted(map(out.index, prompts)) == list(map(out.index, prompts))


def test_what_an_option_gives_is_not_asked_for(ask_own: Ask, own_task: Path) -> None:
    code, out, _ = ask_own("predict", "v0", "--tool-calls", 10, "--sure", 50, typed="11\n6131\n")
    assert code == 0
    assert stored(own_task) == [Prediction(11, 10, 6131, {"round_trips": 50, "tool_calls": 50, "input_tokens": 50})]
    assert "Tool calls:" not in out


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        ("", ""),
        ("11\n", " --round-trips 11"),
        ("11\n70\n", " --round-trips 11 --round-trips-sure 70"),
        ("11\n\n10\n", " --round-trips 11 --tool-calls 10"),
        (
            "11\n70\n10\n5\n6k",
            " --round-trips 11 --round-trips-sure 70 --tool-calls 10 --tool-calls-sure 5 --input-tokens 6000",
        ),
    ],
)
def test_input_that_ends_early_loses_nothing(ask_own: Ask, own_task: Path, typed: str, given: str) -> None:
    ask_own("predict", "v0", *WRONG)
    code, _, err = ask_own("predict", "v0", typed=typed)
    assert code == 2
    assert err.startswith("the input ended before all was said, and nothing was committed.\n")
    assert err.endswith(f"\nNext: askless predict {own_task} v0{given}\n")
    assert len(stored(own_task)) == 1
    code, _, _ = ask_own("predict", "v0", *given.split(), typed="11\n\n10\n\n6000\n\n")
    assert code == 0, "the hint is a command that goes on from there"


def test_what_came_through_a_pipe_is_shown_where_it_would_have_been_typed(ask_own: Ask) -> None:
    _, out, _ = ask_own("predict", "v0", typed="eleven\n11\n70\n10\n\n6131 tokens\n\n")
    assert "\nRound trips: eleven\n  'eleven' is not" in out
    assert "\nRound trips: 11\n  How sure are you, 0 to 100 %? (Enter to skip) 70\nTool calls: 10\n" in out


def test_how_sure_may_be_said_of_each_number(ask_own: Ask, own_task: Path) -> None:
    ask_own("predict", "v0", *WRONG, "--sure", "50", "--tool-calls-sure", "90 %")
    (prediction,) = stored(own_task)
    assert prediction.sure == {"round_trips": 50, "tool_calls": 90, "input_tokens": 50}
    code, _, err = ask_own("predict", "v0", *WRONG, "--tool-calls-sure", "190")
    assert (code, "--tool-calls-sure: '190' is no share of 100." in err) == (2, True)


def test_one_of_a_thing_is_said_as_one(ask_own: Ask) -> None:
    out = ask_own("predict", "v3", "--round-trips", 1, "--tool-calls", 1, "--input-tokens", 1)[1]
    out += ask_own("reveal", "v3")[1]
    assert not re.search(r"\b1 (round trips|tool calls|input tokens|requests|tokens|predictions)\b", out)
    assert "1 round trip, 1 tool call, 1 input token." in out


def test_ctrl_c_while_asking_loses_nothing(ask_own: Ask, own_task: Path) -> None:
    ask_own("predict", "v0", *WRONG)
    words = [sys.executable, "-m", "askless", "predict", str(own_task), "v0"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, **pipes) as child:  # type: ignore[call-overload]
        read_until(child.stdout, b"Round trips: ")
        child.stdin.write(b"8\n")
        child.stdin.flush()
        read_until(child.stdout, b"skip) ")
        interrupt(child)
        said = child.stderr.read().decode()
        assert child.wait() == 130
    assert said == f"\nNothing was committed.\nNext: askless predict {own_task} v0 --round-trips 8\n"
    assert stored(own_task) == [Prediction(11, 10, 6131)]


def interrupt(child: "subprocess.Popen[bytes]") -> None:
    """Press Ctrl-C; again where it came just before the read that it was to interrupt."""
    while child.poll() is None:
        child.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            child.wait(2)


def read_until(stream: IO[bytes], end: bytes) -> None:
    said = b""
    while not said.endswith(end):
        said += stream.read(1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("v0", "--round-trips", "1.20"),
            "--round-trips: '1.20' can be read in more than one way.\nNext: type one whole",
        ),
        (("v0", "--tool-calls", "-5"), "--tool-calls: '-5' is below zero.\nNext: type one whole number, such as 1200."),
        (("v0", "--input-tokens", ""), "--input-tokens is empty.\nNext: "),
        (("v0", "--sure", "170"), "--sure: '170' is no share of 100.\nNext: type a whole number from 0 to 100"),
        (
            ("v4", *RIGHT),
            "rung v4 has no worked version, so there is nothing to predict.\nNext: name one of: v0, v1, v2, v3.",
        ),
        (("v9", *RIGHT), "has no rung v9.\nNext: "),
        ((), "required: rung.\nNext: read askless predict --help"),
    ],
)
def test_wrong_words_are_answered_with_the_next_act(
    ask_own: Ask, own_task: Path, words: tuple[str, ...], said: str
) -> None:
    code, _, err = ask_own("predict", *words)
    assert code == 2
    assert said in err
    assert not (own_task / "learner" / progressfile.FILE).exists()


def test_a_damaged_record_is_said_and_the_prediction_goes_on(ask_own: Ask, own_task: Path) -> None:
    record = own_task / "learner" / progressfile.FILE
    record.write_text("{", "utf-8")
    code, out, err = ask_own("predict", "v0", *RIGHT)
    assert (code, "Committed" in out) == (0, True)
    assert err.startswith("The progress record was damaged. It is kept as ")
    assert record.with_name(f"{progressfile.FILE}.damaged-1").read_text("utf-8") == "{"


NO_ROOM = """
import resource, sys
from askless import cli
cli._parser()
resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
sys.exit(cli.main(sys.argv[1:]))
"""


def test_a_full_disk_is_said_in_one_line_and_the_old_record_stays(ask_own: Ask, own_task: Path) -> None:
    ask_own("predict", "v0", *WRONG)
    words = [sys.executable, "-c", NO_ROOM, "predict", str(own_task), "v0", *RIGHT]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.endswith(
        ".progress.json could not be written: File too large. What was stored before is not lost.\n"
        "Next: make room or make the folder writable, and repeat.\n"
    )
    assert stored(own_task) == [Prediction(11, 10, 6131)]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for a folder that not even root can write to")
def test_a_folder_that_cannot_be_written_to_is_said_in_one_line(ask_own: Ask, own_task: Path) -> None:
    shutil.rmtree(own_task / "learner")
    (own_task / "learner").symlink_to("/sys")
    code, out, err = ask_own("predict", "v0", *RIGHT)
    assert (code, out) == (2, "")
    assert ".progress.lock could not be written: " in err
    assert "Next: make room or make the folder writable, and repeat." in err
    assert ask_own("progress")[0] == 0
