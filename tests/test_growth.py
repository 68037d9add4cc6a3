"""Growth: the thin client's curves are the SDK's, exponents are what they say, and nothing is run that is too large."""

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless import growth, ladder, task
from askless.check.target import Finding
from askless.client import connect
from askless.errors import Problem
from askless.growth import Curve, EndedError, Grower, Point, grow, sizes, uncut
from askless.model.scripted import Scripted
from askless.record import Recorder
from askless.service import Service
from askless.show import curves as picture
from askless.show import growth as shown
from askless.trace import Trace

DESKS = task.load("t01")
WORKED = [rung for rung in DESKS.rungs if rung.worked]
ROWS = st.lists(st.integers(1, 10**6), min_size=2, max_size=5, unique=True).map(sorted)


def silent(agent: str, size: int, requests: int) -> None:
    """Nobody watches."""


def run(grower: Grower, *at: int) -> Curve:
    """The curve at the end."""
    *_, last = grow(DESKS, grower, at, silent)
    return last


def power(exponent: float, across: list[int]) -> Curve:
    points = [Point(size, 3, 1, round(7 * size**exponent), 7.0 * size**exponent) for size in across]
    return Curve("any", tuple(points))


def through_the_sdk(rung: task.Rung, size: int) -> Trace:
    assert rung.worked
    desk, recorder = DESKS.grown(size), Recorder()
    with connect(Service(uncut(Scripted(DESKS.script())), windows=False), recorder) as client:
        ladder.load_agent(rung.worked)(client, desk, desk.question)
    return recorder.trace()


@pytest.mark.parametrize("size", [1, 40])
@pytest.mark.parametrize("rung", WORKED, ids=lambda rung: rung.name)
def test_a_point_is_what_the_sdk_would_have_sent(rung: task.Rung, size: int) -> None:
    grower = next(each for each in growth.worked(DESKS) if each.agent == rung.name)
    assert run(grower, size).points == (Point.of(size, through_the_sdk(rung, size)),)


def test_v0_grows_as_the_square_and_the_rungs_above_it_do_not() -> None:
    square, *others = (run(grower, 10, 100).exponent("input_tokens") for grower in growth.worked(DESKS))
    assert square == pytest.approx(2, abs=0.1)
    assert all(other is not None and other < 1 for other in others)


def test_a_request_is_counted_as_written_though_its_reply_is_not_cut() -> None:
    desk, recorder = DESKS.grown(100), Recorder()
    grower = next(iter(growth.worked(DESKS)))
    first = grower.run(100, recorder).round_trips[0]
    assert (first.fields["max_tokens"], first.reply["stop_reason"]) == (1024, "tool_use")
    assert first.output_tokens > 1024
    assert len(first.calls) == len(desk.asked)


@given(st.floats(0, 3), ROWS)
def test_the_exponent_of_a_power_is_that_power(exponent: float, across: list[int]) -> None:
    assert power(exponent, across).exponent("simulated_s") == pytest.approx(exponent, abs=1e-6)


def test_the_exponent_is_that_of_the_last_decades_and_leaves_out_one_alone() -> None:
    bent = Curve("any", (*power(0, [1, 10]).points, *power(2, [1_000, 10_000, 100_000]).points))
    assert bent.exponent("simulated_s") == pytest.approx(2)
    fixed = Curve("any", (Point(1, 1, 1, 10**6, 1.0), *power(1, [10, 100]).points))
    assert fixed.exponent("input_tokens") == pytest.approx(1)
    assert power(1, [10]).exponent("input_tokens") is None
    assert Curve("any", (Point(1, 1, 0, 1, 1.0), Point(10, 1, 0, 1, 1.0))).exponent("tool_calls") == 0


@pytest.mark.parametrize(
    ("exponent", "words"),
    [
        (0.0, "not at all"),
        (-0.1, "not at all"),
        (-0.6, "less than in proportion"),
        (0.5, "less than in proportion"),
        (0.98, "in proportion"),
        (1.5, "more than in proportion"),
        (1.99, "as the square"),
        (2.5, "more than as the square"),
        (3.0, "as the cube"),
        (7.0, "more than as the square"),
        (None, "unknown after one run"),
    ],
)
def test_an_exponent_has_a_name(exponent: float | None, words: str) -> None:
    assert shown.in_words(exponent) == words


def test_sizes_are_powers_of_ten_up_to_the_largest() -> None:
    assert (sizes(1), sizes(7), sizes(10), sizes(10_000)) == ([1], [1, 7], [1, 10], [1, 10, 100, 1_000, 10_000])
    assert sizes(500) == [1, 10, 100, 500]


@pytest.mark.parametrize("largest", [0, -5, 10**9])
def test_a_size_out_of_reach_is_refused(largest: int) -> None:
    with pytest.raises(Problem, match=r"Next: name one from 1 to 100,000"):
        sizes(largest)


def test_a_run_that_would_send_too_much_is_not_begun() -> None:
    begun: list[int] = []
    first = next(iter(growth.worked(DESKS)))

    def noted(size: int, recorder: Recorder) -> Trace:
        begun.append(size)
        return first.run(size, recorder)

    curve = run(Grower("v0", noted, most_tokens=1_000_000), 1, 10, 100, 1_000)
    assert begun == [1, 10]
    assert [point.size for point in curve.points] == begun
    assert curve.end is not None
    assert curve.end.what.startswith("100 customers would take some 1,500,000 input tokens")


def test_a_curve_ends_where_its_agent_does() -> None:
    first = next(iter(growth.worked(DESKS)))

    def fails(size: int, recorder: Recorder) -> Trace:
        if size > 1:
            raise EndedError(Finding("exception", "line 3\nKeyError: 7", "mend line 3"))
        return first.run(size, recorder)

    curve = run(Grower("mine", fails), 1, 2, 3)
    assert len(curve.points) == 1
    assert curve.end == Finding("exception", "at 2 customers: KeyError: 7", "mend line 3")
    assert [line.text for line in shown.lines([curve], DESKS)][-4:-2] == [
        "mine stops here: at 2 customers: KeyError: 7.",
        "Next: mend line 3",
    ]


def test_requests_are_told_as_they_come() -> None:
    heard: list[tuple[str, int, int]] = []
    list(grow(DESKS, next(iter(growth.worked(DESKS))), [1], lambda *told: heard.append(told)))
    assert heard == [("v0", 1, requests) for requests in range(4)]


def some() -> Iterator[Curve]:
    yield power(2, [1, 10, 100])
    yield Curve("<b>", power(1, [1, 10]).points, Finding("exception", "at 100: KeyError", "mend it"))
    yield Curve("none", (), Finding("exception", "no", "mend it"))


def test_the_document_has_the_points_the_exponents_and_the_end() -> None:
    square, ended, none = json.loads(json.dumps(growth.document(some(), DESKS.unit)))["curves"]
    assert square["points"][1] == {
        "customers": 10, "round_trips": 3, "tool_calls": 1, "input_tokens": 700, "simulated_s": 700.0,
    }  # fmt: skip
    assert square["exponents"] == {"input_tokens": 2.0, "round_trips": 0.0, "simulated_s": 2.0}
    assert square["end"] is None
    assert ended["end"] == {"what": "at 100: KeyError", "next": "mend it"}
    assert (none["points"], none["exponents"]["input_tokens"]) == ([], None)


def test_table_words_and_picture_hold_the_same_numbers() -> None:
    curves = list(some())
    rows = shown.table(curves, DESKS).rows
    assert rows[2] == ("any", "100", "3", "1", "70,000", "70,000.0")
    assert len(rows) == 5
    drawn = picture.draw(curves, DESKS)
    told = ElementTree.fromstring(drawn).findtext("{http://www.w3.org/2000/svg}desc")
    assert told == shown.alternative(curves, DESKS)
    assert "At 100 customers: 70,000 input tokens, 3 round trips, 70,000.0 simulated seconds." in told
    assert drawn == picture.draw(curves, DESKS)


def test_no_two_curves_are_told_apart_by_colour_alone() -> None:
    marks, colours, strokes = (set(map(str, look)) for look in zip(*picture.LOOKS, strict=True))
    assert len(marks) == len(colours) == len(strokes) == len(picture.LOOKS)


@pytest.mark.parametrize(
    ("number", "text"), [(1.0, "1"), (100_000.0, "100,000"), (10.0**7, "10 million"), (10.0**10, "10 billion")]
)
def test_an_axis_has_short_numbers(number: float, text: str) -> None:
    assert picture.short(number) == text


def test_a_task_without_desks_of_other_sizes_says_so(own_task: Path) -> None:
    store = own_task / "store.py"
    store.write_text(store.read_text("utf-8").replace("def grown", "def shrunk"), "utf-8")
    with pytest.raises(Problem, match="has no desks of other sizes"):
        task.load(own_task).grown(3)
