"""A task: a folder under tasks/, its worked rungs under worked/, and the target of each rung."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from askless import folders
from askless.errors import Problem
from askless.rungs import Measure, Row, read
from askless.scenario import Scenario
from askless.trace import Trace

TASKS = folders.TASKS
names = folders.names

Numbers = dict[str, Any]  # a measure's name -> its value


class Desk(Protocol):
    """What an agent looks things up in; each task's store adds the look-ups."""

    @property
    def question(self) -> str:
        """What the agent is asked."""


@dataclass(frozen=True)
class Rung:
    """A step of the ladder. The last has no worked version, so nothing was measured and nothing is the target."""

    number: int
    name: str
    idea: str
    measured: Numbers | None  # of the worked version, on the shown desk
    target: Numbers | None  # of a number: at most; of anything else: equal
    worked: Path | None
    sources: tuple[str, ...]  # of the idea, as ids in the catalog


@dataclass(frozen=True)
class Task:
    """All that the lab knows of a task."""

    folder: Path
    title: str
    measures: tuple[Measure, ...]
    rungs: tuple[Rung, ...]

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def learner(self) -> Path:
        """The learner's agent."""
        return self.folder / "learner" / "agent.py"

    @property
    def explanation(self) -> Path:
        """What the learner writes of their changes."""
        return self.folder / "learner" / "explain.md"

    @property
    def form(self) -> Path:
        """What that file is before anything is written there."""
        return self.folder / "explain.md"

    @property
    def page(self) -> Path:
        """The lesson's prose, from which the notebook and the web page are made."""
        return self.folder / "page.md"

    @property
    def interview(self) -> Path:
        """Questions from interviews, each with a model answer."""
        return self.folder / "interview.md"

    @property
    def notebook(self) -> Path:
        """The lesson as a notebook."""
        return self.folder.parent.parent / "notebooks" / f"{self.name}.ipynb"

    @cached_property
    def _store(self) -> ModuleType:
        return self._module("store.py")

    def desk(self, seed: bytes | None = None) -> Any:
        """The shown desk, or the one drawn from a seed; a Desk with the task's look-ups."""
        return self._store.SHOWN if seed is None else self._store.draw(seed)

    @property
    def unit(self) -> str:
        """What the size of a grown desk counts, in the plural."""
        return str(self._growing("UNIT")[1])

    def counted(self, size: int) -> str:
        """A size in words: a number and what it counts."""
        one, several = self._growing("UNIT")
        return f"{size:,} {one if size == 1 else several}"

    def grown(self, size: int) -> Any:
        """The desk of a size, for measuring how costs grow; a Problem where a task has no such desks."""
        return self._growing("grown")(size)

    def _growing(self, name: str) -> Any:
        if not hasattr(self._store, name):
            raise Problem(
                f"{self.name} has no desks of other sizes.", f"give its store.py {name}, or name another task."
            )
        return getattr(self._store, name)

    def is_right(self, desk: Desk, text: str) -> bool:
        """Whether an answer has the desk's facts right."""
        return bool(self._store.is_right(desk, text))

    def script(self) -> Any:
        """A new script for the scripted model."""
        return self._module("script.py").new()

    def scenarios(self, seed: bytes | None = None) -> tuple[Scenario, ...]:
        """The scenarios of the production rung; with a seed, the variants of some of them, which nobody sees."""
        return tuple(self._module("scenarios.py").scenarios(self._store, seed))

    def beliefs(self) -> Any:
        """The wrong ideas of a run that the task knows; each is a Belief."""
        return self._module("beliefs.py").BELIEFS

    def _module(self, file: str) -> ModuleType:
        if not (self.folder / file).is_file():
            raise Problem(f"{self.folder} has no {file}.", f"copy {file} from another task's folder and change it.")
        return execute(self.folder / file)

    def rung(self, name: str | int) -> Rung:
        """A rung by its name or number."""
        for rung in self.rungs:
            if str(name) in (rung.name, str(rung.number)):
                return rung
        names = ", ".join(rung.name for rung in self.rungs)
        raise Problem(f"{self.name} has no rung {name}.", f"name one of: {names}.")

    def measure(self, trace: Trace) -> Numbers:
        """The task's measures, read from a trace."""
        known = {**asdict(trace.totals), "answer_right": trace.answer_right}
        return {measure.name: known[measure.name] for measure in self.measures}

    def target(self, rung: Rung, measured: Mapping[str, Numbers]) -> Numbers:
        """A rung's target on a desk, from what its worked rungs measured there, by name of the rung."""
        before = measured.get(self.rungs[rung.number - 1].name) if rung.number else None
        return _target(self.measures, measured[rung.name], before)


def load(name: str | Path) -> Task:
    """A task by its folder, its name, or the beginning of its name."""
    folder = folders.find(str(name))
    title, measures, rows = read(folder / "rungs.json")
    return Task(folder, title, measures, tuple(_rungs(folder, measures, rows)))


def execute(path: Path) -> ModuleType:
    """The module in a file that is trusted, new each time; nothing is cached beside the file."""
    name = f"askless file {path.resolve()}"
    module = sys.modules[name] = ModuleType(name)  # dataclasses look their module up
    module.__file__ = str(path)
    try:
        exec(_compiled(path.read_bytes(), path), module.__dict__)
    except SyntaxError as error:
        at = f"{error.filename}, line {error.lineno}"
        raise Problem(f"{at}: {error.msg}.", f"mend that line, or restore the file: git checkout -- {path}") from None
    return module


@lru_cache(maxsize=32)
def _compiled(source: bytes, path: Path) -> Any:
    """A file's code: a rung is measured again and again, and changes seldom."""
    return compile(source, path, "exec")


def _rungs(folder: Path, measures: tuple[Measure, ...], rows: tuple[Row, ...]) -> Iterator[Rung]:
    before = None
    for number, row in enumerate(rows):
        worked = folders.worked(folder, row.name)
        target = _target(measures, row.measured, before) if row.measured else None
        found = worked if worked.is_file() else None
        yield Rung(number, row.name, row.idea, row.measured, target, found, row.sources)
        before = row.measured


def _target(measures: tuple[Measure, ...], own: Numbers, before: Numbers | None) -> Numbers:
    return {measure.name: measure.limit(own[measure.name], (before or {}).get(measure.name)) for measure in measures}
