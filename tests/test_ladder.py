"""The ladder checks itself, for every task that is found by listing the folder."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ladders import RUNGS, STEPS, TASKS, load, numbers_on, reaches, run
from shipped import shipped

from askless import ladder, tracefile
from askless.errors import Problem
from askless.show.text import Line, trace_lines

by_rung = pytest.mark.parametrize(("name", "rung"), RUNGS)
by_step = pytest.mark.parametrize(("name", "number"), STEPS)
by_task = pytest.mark.parametrize("name", TASKS)

WHOLE_LADDER = """
import json, sys
from askless import ladder, task, tracefile
run = getattr(ladder, sys.argv[1])
for name in task.names():
    found = task.load(name)
    for rung in found.rungs:
        if rung.worked:
            print(json.dumps(tracefile.whole(run(found, rung.name))))
"""


def source(name: str, number: int) -> str:
    worked = load(name).rungs[number].worked
    assert worked
    return worked.read_text("utf-8")


def definitions(text: str) -> dict[str, list[str]]:
    """Each top-level name of a program and how it is defined, docstring and place aside."""
    found: dict[str, list[str]] = {}
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [node]
        names = [getattr(target, "id", getattr(target, "name", "")) for target in targets]
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            found.setdefault(names[0], []).append(ast.dump(node))
    return found


@by_rung
def test_a_worked_rung_reaches_its_own_target(name: str, rung: str) -> None:
    task = load(name)
    assert reaches(task.measure(run(name, rung)), task.rung(rung), task.rung(rung).target)


@by_step
def test_a_rung_is_needed_because_the_one_below_misses_its_target(name: str, number: int) -> None:
    task = load(name)
    below, rung = task.rungs[number - 1 : number + 1]
    assert not reaches(task.measure(run(name, below.name)), rung, rung.target)


@by_rung
def test_the_numbers_of_rungs_json_are_those_measured(name: str, rung: str) -> None:
    task = load(name)
    assert task.measure(run(name, rung)) == task.rung(rung).measured


@by_step
def test_input_tokens_fall_at_every_step(name: str, number: int) -> None:
    below, rung = load(name).rungs[number - 1 : number + 1]
    assert run(name, rung.name).totals.input_tokens < run(name, below.name).totals.input_tokens


@by_step
def test_a_rung_changes_exactly_what_its_docstring_says(name: str, number: int) -> None:
    before, after = (definitions(source(name, at)) for at in (number - 1, number))
    said = (ast.get_docstring(ast.parse(source(name, number))) or "").splitlines()[-1]
    changed = {word for word in {**before, **after} if before.get(word) != after.get(word)}
    assert said.startswith("Changes: ")
    assert set(said.removeprefix("Changes: ").removesuffix(".").split(", ")) == changed


@by_rung
def test_a_docstring_names_the_rung_and_gives_no_measured_number_away(name: str, rung: str) -> None:
    docstring = ast.get_docstring(ast.parse(source(name, load(name).rung(rung).number))) or ""
    assert docstring.startswith(f"{rung}. ")
    assert not re.search(r"\d", re.sub(r"\bv\d\b", "", docstring))


@by_rung
def test_the_run_without_sdk_is_the_run_through_it(name: str, rung: str) -> None:
    assert ladder.run_plain(load(name), rung) == run(name, rung)


@by_task
def test_the_learners_file_as_shipped_works_and_is_not_yet_solved(name: str, tmp_path: Path) -> None:
    task = load(name)
    first, *_, last = [rung for rung in task.rungs if rung.worked]
    assert first.worked
    assert shipped(task.learner) == first.worked.read_bytes()
    assert run(name, first.name).answer_right is True
    assert not reaches(task.measure(run(name, first.name)), last, last.target)


@by_task
@given(seed=st.binary(max_size=40))
def test_an_answer_learned_by_heart_is_caught_on_any_drawn_desk(name: str, seed: bytes) -> None:
    task = load(name)
    learned = run(name, RUNGS[0][1]).answer or ""
    assert task.is_right(task.desk(), learned)
    assert not task.is_right(task.desk(seed), learned)


@by_task
@given(seed=st.binary(max_size=40))
@settings(max_examples=40)
def test_on_a_drawn_desk_too_each_rung_reaches_its_target_and_the_one_below_misses_it(name: str, seed: bytes) -> None:
    task = load(name)
    desk = task.desk(seed)
    measured = numbers_on(desk, task)
    for rung in [rung for rung in task.rungs if rung.worked]:
        target = task.target(rung, measured)
        assert reaches(measured[rung.name], rung, target)
        assert not rung.number or not reaches(measured[task.rungs[rung.number - 1].name], rung, target)


def written(run: str, hash_seed: int) -> bytes:
    """Every rung's trace, from a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-c", WHOLE_LADDER, run]
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


@pytest.mark.parametrize(("how", "hash_seeds"), [("run_plain", range(10)), ("run", (9,))])
def test_the_same_runs_write_the_same_bytes_under_any_hash_seed(how: str, hash_seeds: Iterable[int]) -> None:
    here = "".join(f"{json.dumps(tracefile.whole(run(name, rung)))}\n" for name, rung in RUNGS)
    assert {written(how, hash_seed) for hash_seed in hash_seeds} == {here.encode()}


@by_rung
def test_a_rung_has_a_trace_to_read(name: str, rung: str) -> None:
    """`make test ARGS=-s` shows it."""
    trace = run(name, rung)
    lines = [" " * line.indent + line.text for line in trace_lines(trace)]
    print("\n" + "\n".join(lines))
    assert [line for line in lines if line.startswith("Request ")] == [
        f"Request {trip.n}: {trip.input_tokens:,} input tokens" for trip in trace.round_trips
    ]
    assert Line(2, (trace.answer or "").splitlines()[0]) in list(trace_lines(trace))


def test_a_rung_without_a_worked_version_cannot_be_run() -> None:
    with pytest.raises(Problem, match="no worked version"):
        ladder.run(load(TASKS[0]), "4")


def test_a_file_without_an_answer_function_is_no_agent(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("reply = 1\n", "utf-8")
    with pytest.raises(Problem, match="no function `answer`"):
        ladder.load_agent(tmp_path / "agent.py")
