"""The figures: the numbers that they draw, what they say to those who read, and the pictures themselves."""

import json
import re
from dataclasses import replace
from math import inf
from xml.etree import ElementTree

import pytest
from bodies import fields, messages, page_bodies
from hypothesis import given
from hypothesis import strategies as st

from askless.api.conversation import Request
from askless.api.parts import tokens
from askless.api.wire import Wire
from askless.learn.prediction import Prediction
from askless.record import Exchange, Recorder
from askless.show import described, figure, html, sheet
from askless.show.segments import Guess, Panel, Segment, Table, costs, guesses, new_tokens, segments, split
from askless.trace import Trace


def trace(bodies: list[dict], rung: str = "v1", statuses: tuple[int, ...] = ()) -> Trace:
    """A run that sent these bodies."""
    recorder, wire = Recorder(), Wire()
    for at, body in enumerate(bodies):
        status = statuses[at] if at < len(statuses) else 200
        recorder.record(Exchange(wire.read(json.dumps(body).encode()), status, {"content": []}))
    return recorder.trace(rung=rung)


PAGE = trace(page_bodies())
LONG = trace([{"messages": [{"role": "user", "content": f"{n}" * 40} for n in range(upto)]} for upto in range(1, 31)])
PREDICTED = Prediction(4, 10, 1700, {"round_trips": 80})


def test_the_pages_last_request_reads_as_what_each_request_brought() -> None:
    assert [piece for piece in segments(PAGE) if piece.bar == 3] == [
        Segment(3, 1, 170),
        Segment(3, 2, 260),
        Segment(3, 3, 378),
    ]
    assert split(PAGE, 2) == "170 + 260 + 378"
    assert new_tokens(PAGE) == 808


@given(st.lists(messages, min_size=1, max_size=6), fields, st.data())
def test_segments_and_costs_add_up_to_what_was_sent(sent: list[dict], others: dict, data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(0, len(sent)), min_size=1, max_size=4))  # trimmed history among them
    recorder = Recorder()
    for length in lengths:
        recorder.record(Exchange(Request.of({**others, "messages": sent[:length]}), 200, {}))
    run = recorder.trace()
    for bar, trip in enumerate(run.round_trips, start=1):
        assert sum(piece.tokens for piece in segments(run) if piece.bar == bar) == trip.input_tokens
    assert sum(cost.tokens for cost in costs(run)) == run.totals.input_tokens
    assert sum(cost.first_tokens for cost in costs(run)) == new_tokens(run)


def test_a_retry_has_a_bar_of_its_own_and_brings_nothing_new() -> None:
    first, second, third = page_bodies()
    run = trace([first, second, second, third], statuses=(200, 500))
    assert [trip.n for trip in run.round_trips] == [1, 2, 2, 3]
    assert new_tokens(run) == new_tokens(PAGE)
    assert "".join(described.requests_table([Panel(run)]).rows[2]) == "v12430170 + 260"


def test_the_cost_of_the_tools_grows_with_each_request() -> None:
    tools = next(cost for cost in costs(PAGE) if cost.kind == "tools")
    assert tools.first_tokens == tokens(432)
    assert tools.again_tokens == 2 * tokens(432)


def test_predicted_tokens_are_drawn_as_imagined_where_a_belief_gives_them() -> None:
    assert Panel(PAGE, Prediction(2, 1, 300)).expected == [150.0, 150.0]
    assert Panel(PAGE, Prediction(2, 1, 300), imagined_tokens=(100, 200)).expected == [100.0, 200.0]
    assert Panel(PAGE, Prediction(2, 1, 300), imagined_tokens=(100, 100)).expected == [150.0, 150.0]
    assert Panel(PAGE, Prediction(0, 0, 0)).expected == []


@pytest.mark.parametrize(
    ("predicted", "measured", "ratio"), [(4, 8, 0.5), (8, 8, 1), (0, 0, 1), (1, 0, inf), (0, 8, 0)]
)
def test_a_guess_is_a_multiple_of_the_measured_number(predicted: int, measured: int, ratio: float) -> None:
    assert Guess("v0", "round_trips", predicted, measured).ratio == ratio


RUNS = [
    [Panel(PAGE)],
    [Panel(PAGE, PREDICTED, parts_at=2), Panel(replace(PAGE, rung="v2"))],
    [Panel(LONG, Prediction(999_999, 1, 999_999_999))],
    [Panel(PAGE, Prediction(0, 0, 0))],
    [Panel(replace(PAGE, rung=f"v{n}"), PREDICTED) for n in range(4)],
]


@pytest.mark.parametrize("panels", RUNS)
@pytest.mark.parametrize("draw", [figure.requests, figure.parts])
def test_a_picture_is_whole_the_same_each_time_and_says_nothing_of_the_machine(draw, panels: list[Panel]) -> None:
    drawn = draw(panels)
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert drawn == draw(panels)
    assert len(drawn) < 200_000
    assert not re.search(r"/home|/root|/tmp|file:|<script|\d\d:\d\d:\d\d", drawn)


def test_a_calibration_is_drawn_however_far_off() -> None:
    wild = Panel(PAGE, Prediction(0, 10**9, 1408, {"input_tokens": 100}))
    drawn = figure.calibration(guesses([wild, Panel(replace(PAGE, rung="v2"), PREDICTED), Panel(PAGE)]))
    assert ElementTree.fromstring(drawn).tag.endswith("svg")


FAR = figure.FARTHEST


@given(st.integers(1, 5000), st.integers(1, 5000))
def test_a_mark_that_the_scale_does_not_reach_says_how_far_off_it_is(predicted: int, measured: int) -> None:
    guess = Guess("v1", "input_tokens", predicted, measured)
    assert (guess.ratio != figure.at_the_edge(guess.ratio)) is not (1 / FAR <= predicted / measured <= FAR)


@pytest.mark.parametrize(("predicted", "marked"), [(8, 0), (64, 0), (65, 1), (1, 0), (0, 1)])
def test_a_mark_at_the_edge_is_drawn_hollow(predicted: int, marked: int) -> None:
    drawn = figure.calibration([Guess("v1", "round_trips", predicted, 8)])
    outlined = len(re.findall(rf"fill: {sheet.PAPER}; stroke: {figure.MARKS['round_trips'][1]}", drawn))
    assert bool(outlined) is bool(marked)


def test_no_two_fillings_are_told_apart_by_colour_alone() -> None:
    assert len(set(sheet.HATCHES)) == len(sheet.HATCHES) == len(sheet.FILLS)
    assert len({mark for mark, _ in figure.MARKS.values()}) == len(figure.MARKS)


def light(colour: str) -> float:
    """The relative luminance of a colour, as WCAG has it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("below", [sheet.PAPER, *sheet.FILLS])
def test_ink_is_dark_enough_on_paper_and_on_every_filling(below: str) -> None:
    assert (light(below) + 0.05) / (light(sheet.INK) + 0.05) >= 4.5


@pytest.mark.parametrize("panels", RUNS)
def test_what_a_figure_says_holds_the_runs_numbers(panels: list[Panel]) -> None:
    said = described.requests_text(panels)
    rows = described.requests_table(panels).rows
    for panel in panels:
        own = [row for row in rows if row[0] == panel.trace.rung]
        assert sum(int(row[2].replace(",", "")) for row in own) == panel.trace.totals.input_tokens
        assert f"{panel.trace.rung}: {len(own)} requests, {panel.trace.totals.input_tokens:,} tokens" in said
    spent = [int(row[4].replace(",", "")) for row in described.parts_table(panels).rows]
    assert sum(spent) == sum(panel.trace.totals.input_tokens for panel in panels)
    assert described.parts_text(panels)


def test_a_short_run_is_said_request_by_request() -> None:
    assert "170, then 170 + 260, then 170 + 260 + 378" in described.requests_text([Panel(PAGE)])


def test_a_calibration_says_which_numbers_were_right() -> None:
    off = guesses([Panel(PAGE, Prediction(3, 0, 2816, {"input_tokens": 90}))])
    assert "2 of 3 predicted numbers were right. v1: farthest off in input tokens, 2.00 times as many." in (
        described.calibration_text(off)
    )
    assert described.calibration_table(off).rows[2] == (
        "v1", "input tokens", "2,816", "1,408", "2.00 times as many", "90 %",
    )  # fmt: skip


def test_a_table_names_its_rows_and_columns_and_escapes_its_cells() -> None:
    drawn = html.table(Table("a < b", ("", "n"), (("<x>", "1,000"), ("y", "2"))))
    root = ElementTree.fromstring(drawn)
    assert [cell.text for cell in root.iter("th") if cell.get("scope") == "row"] == ["<x>", "y"]
    assert [cell.text for cell in root.iter("th") if cell.get("scope") == "col"] == ["n"]
    assert root.findtext("caption") == "a < b"
    assert [cell.get("class") for cell in root.iter("td") if cell.text == "2"] == ["n"]


def test_a_picture_has_its_alternative_text_and_its_numbers_beside_it() -> None:
    drawn = html.figure("<svg/>", 'says "so"', Table("numbers", ("rung",), (("v1",),)))
    assert 'alt="says &quot;so&quot;"' in drawn
    assert "<details><summary>The same numbers as a table</summary><table>" in drawn
