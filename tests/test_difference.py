"""Two traces side by side."""

from collections import Counter

from hypothesis import given
from ladders import STEPS, run
from recordings import traces

from askless.difference import chars_by_kind, first_difference, part_value, totals
from askless.trace import Trace


def parts(trace: Trace, index: int) -> list[tuple[str, bytes]]:
    held = trace.parts(index) if index < len(trace.round_trips) else []
    return [(sent.part.label, sent.part.digest) for sent in held]


@given(traces(), traces())
def test_before_the_first_difference_all_is_the_same_and_there_it_is_not(left: Trace, right: Trace) -> None:
    found = first_difference(left, right)
    length = max(len(left.round_trips), len(right.round_trips))
    differ = [index for index in range(length) if parts(left, index) != parts(right, index)]
    assert (found and found.index) == (differ[0] if differ else None)
    if found:
        ours, theirs = parts(left, found.index), parts(right, found.index)
        at = next(at for at in range(length + 99) if ours[at : at + 1] != theirs[at : at + 1])
        assert [part and (part.label, part.digest) for part in (found.left, found.right)] == [
            (held[at] if at < len(held) else None) for held in (ours, theirs)
        ]


@given(traces())
def test_a_run_does_not_differ_from_itself(trace: Trace) -> None:
    assert first_difference(trace, trace) is None
    assert all(row.change == 0 for row in [*totals(trace, trace), *chars_by_kind(trace, trace)])


@given(traces(), traces())
def test_the_characters_of_each_kind_are_those_of_every_request(left: Trace, right: Trace) -> None:
    rows = {row.name: (row.left, row.right) for row in chars_by_kind(left, right)}
    for side, trace in enumerate((left, right)):
        chars: Counter[str] = Counter()
        for index in range(len(trace.round_trips)):
            for sent in trace.parts(index):
                chars[sent.part.kind] += sent.part.chars
        assert {name: row[side] for name, row in rows.items() if row[side]} == +chars


@given(traces())
def test_a_part_can_be_read(trace: Trace) -> None:
    for index in range(len(trace.round_trips)):
        body = trace.body(index)
        for part in (sent.part for sent in trace.parts(index)):
            value = part_value(trace, index, part)
            if part.kind in ("system", "tools"):
                assert value == body[part.kind]
            elif part.kind != "rest":
                assert value == body["messages"][int(part.label.removeprefix("messages."))]


def test_one_step_of_the_ladder_differs_where_its_idea_is() -> None:
    found = [first_difference(run(name, f"v{number - 1}"), run(name, f"v{number}")) for name, number in STEPS[:3]]
    assert [(at.index, at.left.label) for at in found if at and at.left] == [
        (1, "messages.2"),
        (0, "tools"),
        (0, "tools"),
    ]
