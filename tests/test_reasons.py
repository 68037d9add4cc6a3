"""What is said of a wrong number: every idea that gives it, a neighbour's numbers among them, and no more."""

from collections.abc import Callable

import pytest

from askless.learn.belief import explain, unchanged
from askless.learn.prediction import Prediction
from askless.show.reasons import leaves, reasons, where
from tests.ladders import RUNGS, load, run
from tests.test_beliefs import BELIEFS, explained, ids, told, truth


@pytest.mark.parametrize(("task", "rung"), RUNGS)
def test_the_numbers_of_a_rung_carried_over_to_another_are_named(task: str, rung: str) -> None:
    for other in (name for of, name in RUNGS if of == task and name != rung):
        carried, measured = truth(task, other), truth(task, rung)
        beliefs = [*load(task).beliefs(), unchanged(rung, run(task, other))]
        explanation = explain(Prediction(**carried), run(task, rung), beliefs)
        assert "unchanged" in ids(explanation.whole)
        for one in explanation.compared:
            assert ("unchanged" in ids(one.matches)) is (
                carried[one.measure] != measured[one.measure] and not one.right
            )


@pytest.mark.parametrize(("task", "rung"), RUNGS)
def test_what_is_said_of_your_count_holds_for_every_idea_that_gives_it(task: str, rung: str) -> None:
    trips = len(run(task, rung).round_trips)
    for belief in BELIEFS[task]:
        explanation = explained(task, rung, told(task, rung, belief))
        said = [line.text for line in reasons(explanation)]
        if len(explanation.partings) > 1:
            assert "decides where you left the run" in where(explanation, trips)
            assert all(leaves(match.parting) in said for match in explanation.held)
        elif explanation.held:
            assert {match.parting for match in explanation.held} == {explanation.parting}
            assert not any("Such a count" in text for text in said)


@pytest.mark.parametrize(
    ("numbers", "marks"),
    [
        ("7 10 4043", "the requests as that idea has them"),  # the final answer costs no trip: its request is left out
        ("7 10 4000", "your total, spread evenly over your requests"),
    ],
)
def test_a_reveal_marks_the_requests_as_the_idea_behind_the_numbers_has_them(
    ask_own: Callable[..., tuple[int, str, str]], numbers: str, marks: str
) -> None:
    trips, calls, tokens = numbers.split()
    ask_own("predict", "v0", "--round-trips", trips, "--tool-calls", calls, "--input-tokens", tokens)
    out = ask_own("reveal", "v0")[1]
    assert f"| marks {marks}." in " ".join(out.split())
