"""The five-minute lessons: short, with a run of the lab, something to try, sources, and no number typed by hand."""

import re

import pytest
from ladders import TASKS, load

from askless.errors import Problem
from askless.show import lesson, markup, numbers, variants
from askless.show.cited import cited
from askless.show.short import Short, shorts

OWN = [(name, short) for name in TASKS for short in shorts(load(name))]
VARIANTS = [(name, variant) for name in TASKS for variant in variants.variants(load(name))]
MOST_WORDS = 1_000
SHOWN = {"bars", "numbers", "request", "code", "costs", "cached"}
NOT_MEASURED = re.compile(r"\bv\d\b|\bC\d\b|`[^`]*`|\]\([^)]*\)")  # names, code, addresses

every_lesson = pytest.mark.parametrize(("name", "short"), OWN, ids=[short.slug for _, short in OWN])
every_variant = pytest.mark.parametrize(("name", "variant"), VARIANTS)


@every_lesson
def test_a_lesson_takes_five_minutes(name: str, short: Short) -> None:
    assert markup.words(iter([short.text])) < MOST_WORDS
    assert short.minutes <= 5


@every_lesson
def test_a_lesson_shows_a_run_gives_one_thing_to_try_and_has_sources(name: str, short: Short) -> None:
    assert {piece.call[0] for piece in short.pieces if piece.call} & SHOWN
    assert [markup.heading(piece.text)[1] for piece in short.pieces if piece.text][-1] == "Try it"
    assert short.text.count("\n## Try it\n") == 1
    assert cited(short.text)
    assert short.title
    assert short.about


@every_lesson
def test_a_typed_number_stands_beside_its_source(name: str, short: Short) -> None:
    text = lesson.FENCE.sub("", short.text)
    for paragraph in re.split(r"\n\n|\n(?=- )", text):
        bare = numbers.PLACEHOLDER.sub("", lesson.PLACEHOLDER.sub("", paragraph))
        bare = NOT_MEASURED.sub("", bare)
        if re.search(r"\d", lesson.CITATIONS.sub("", bare)) and not re.search(r"\b20\d\d\b|SDK", bare):
            assert cited(paragraph), paragraph


@every_lesson
def test_every_measured_number_exists(name: str, short: Short) -> None:
    runs = numbers.measured(load(name))
    filled = lesson.fill(numbers.fill(lesson.FENCE.sub("", short.text), runs), runs)
    assert "{{" not in filled


@every_variant
def test_a_variant_changes_its_rung_and_runs(name: str, variant: str) -> None:
    own = load(name)
    changed = variants.variants(own)[variant]
    assert variants.source(own, variant) != variants.source(own, changed.of)
    trace = variants.run(own, variant)
    assert trace.rung == variant
    assert trace.answer


@every_variant
def test_a_variant_is_used_by_a_lesson(name: str, variant: str) -> None:
    assert any(re.search(rf"\b{variant}\b", short.text) for short in shorts(load(name)))


def test_a_variant_of_a_text_that_is_gone_is_a_problem(own_task) -> None:  # type: ignore[no-untyped-def]
    from askless import task

    worked = own_task.parent.parent / "worked" / own_task.name / "v1.py"
    worked.write_text(worked.read_text("utf-8").replace('"is_error": True', '"is_error": 1'), "utf-8")
    with pytest.raises(Problem, match="does not hold"):
        variants.source(task.load(own_task), "unflagged")


def test_what_the_lessons_claim_of_their_runs_is_so() -> None:
    runs = numbers.measured(load(TASKS[0]))
    assert runs("v1").answer_right
    assert runs("plain_code").answer_right
    assert not any(runs(name).answer_right for name in ("unflagged", "bare", "fails_whole"))
    assert runs("fat").totals.input_tokens > runs("v2").totals.input_tokens
    assert runs("fat").totals.round_trips < runs("v2").totals.round_trips
    assert runs("vague").totals.input_tokens > runs("v1").totals.input_tokens
    assert runs("unflagged").totals.input_tokens < runs("v1").totals.input_tokens
    paid = {name: numbers.MEASURES["paid_percent"](runs(name)) for name in ("cached_v0", "cached_v1")}
    assert paid["cached_v0"] < 100 < paid["cached_v1"]
    dearer = paid["cached_v0"] * runs("cached_v0").totals.input_tokens / 100
    assert dearer > runs("v1").totals.input_tokens
    assert [len(trip.calls) for trip in runs("v0").round_trips][:2] == [4, 1]
    assert numbers.fill("{{v1.calls_per_reply}} {{v0.calls_per_reply}}", runs) == "5 1.4"
    assert runs("plain_code").answer.splitlines()[0] == "C1: ord-101 shipped, ord-102 packed"
