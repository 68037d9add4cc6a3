"""Every agent of the zoo comes to what its row says, harms nothing, and learns nothing of a desk that is held back."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from zookeeper import TASK, ZOO, Animal, animals, judge, layers

from askless.judge.practice import Practice
from askless.show import reports
from askless.show import verdict as show

ANIMALS = list(animals())
HERE = layers()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zoo")


@pytest.fixture(scope="module")
def judged(house: Path) -> dict[str, Practice]:
    return judge([animal for animal in ANIMALS if animal.needs is None or animal.needs in HERE], house)


def practice_of(animal: Animal, judged: dict[str, Practice]) -> Practice:
    if animal.name not in judged:
        pytest.skip(f"this machine has no {animal.needs}")
    return judged[animal.name]


def running() -> Iterator[str]:
    """The command lines of all processes, where the system shows them."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_text(errors="replace")
        except OSError:  # it has just ended
            continue


def test_the_table_has_a_row_for_each_of_at_least_forty_agents():
    there = [path.stem for path in ZOO.iterdir() if path.suffix == ".py" or path.is_dir()]
    assert sorted(set(there) - {"__pycache__"}) == [animal.name for animal in ANIMALS]
    assert len(ANIMALS) >= 40


@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.name)
def test_an_agent_comes_to_what_its_row_says(animal, judged):
    verdict = practice_of(animal, judged).verdict
    assert verdict.verdict == animal.verdict, verdict
    assert set(animal.findings) <= {finding.id for finding in verdict.findings}
    assert animal.scenarios in ((), tuple(scenario.verdict for scenario in verdict.scenarios))
    assert bool(verdict.findings) == (verdict.verdict != "reached")


@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.name)
def test_nothing_that_a_terminal_obeys_and_nothing_of_the_drawn_desk_is_told(animal, judged, house):
    practice = practice_of(animal, judged)
    drawn = TASK.desk(sha256((house / animal.name / "agent.py").read_bytes()).digest())
    secret = {*drawn.asked, *drawn.customers, *(order for orders in drawn.customers.values() for order in orders)}
    told = show.as_json(practice.verdict) + "".join(
        write(practice) for write in (show.text, reports.junit, reports.summary)
    )
    assert not re.search(rf"\b(?:{'|'.join(secret)})\b", told)
    assert not re.search(r"[^\n\t -~\u00a0-\uffff]", told)
    assert not re.search(r"^\s*::", show.text(practice), re.MULTILINE)  # which a build server obeys
    assert len(show.text(practice)) < 3 * show.PRINTED_CHARS + 3_000


def test_nothing_is_left_of_them(judged, house):
    assert judged
    assert not [line for line in running() if "askless-zoo-orphan" in line]
    brought = {path.relative_to(ZOO).as_posix() for path in ZOO.glob("*/*.py")}
    own = {f"{name}/agent.py" for name in judged}
    found = {path.relative_to(house).as_posix() for path in house.rglob("*") if path.is_file()}
    assert found <= own | brought
