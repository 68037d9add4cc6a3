"""DESIGN 2 as one table: which file may import which, and who may touch what. Files are read with ast, never run."""

import ast
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINES = 250  # a longer file is two subjects

# From the ground up; a file may import what stands before it, here or in a row above. `a | b`: neither knows the other.
FLOORS = """
errors  files  folders  lock  catalog
api  api.depth  api.remembered  api.conversation  api.parts  api.usual  api.wire  api.refusal  api.shape
api.json_schema  api.strict_tools  api.cache_marks  api.tools  api.models  api.tool_choice  api.fields  api.blocks
api.pairing  api.messages  api.rules  api.prices  api.latency  api.cache_path  api.cache  api.faults  api.batch
trace  record  tracefile  difference
model  model.vocabulary  model.absence  model.ids  model.label  model.question  model.advice  model.findings
model.named  model.losses  model.grouped  model.parsing
model.prose  model.rows  model.reading  model.schemas  model.description  model.tools  model.queue  model.known
model.learning  model.plan  model.slips  model.cut  model.spoiled  model.scripted  model.replay
rungs  scenario  task
check  check.target  check.evidence  check.honest  check.suspects  check.waiting
threads  sse  backend  answer  batches  service
connection  listening  share
tap  in_process  client | plain | server | endpoint
ladder  growth
learn  learn.retell  learn.prediction  learn.belief  learn.progress  learn.intake
learn.reading  learn.measures  learn.wording  learn.explanation  learn.feedback_facts  learn.claims  learn.feedback
learn.progressjson  learn.progressfile  learn.glance  learn.hints  learn.restore
judge  judge.process  judge.process.crash  judge.process.line  judge.process.child
judge.process.linux  judge.process.calls  judge.process.isolation  judge.process.limits  judge.process.remains
judge.process.zygote  judge.process.runs  judge.process.forked  judge.process.fresh  judge.process.launcher
judge.siblings  judge.noted  judge.room  judge.doors  judge.sandbox  judge.probe  judge.preflight  judge.watch
judge.order  judge.verdict  judge.ending  judge.practice  judge.production  judge.grown
judge.played
live  live.access  live.waiting  live.failure  live.carrier  live.ceiling  live.purse  live.usage  live.upstream
live.agent  live.rehearsal  live.run  live.kept  live.counts  live.document  live.reviewer
live.asked_rules  live.asking
show  show.text  show.tables  show.segments  show.sheet  show.figure  show.described  show.html  show.words
show.shapes  show.lesson  show.budgets  show.notebookfile
show.progress  show.reasons  show.bars  show.reveal  show.verdict  show.production  show.reports  show.practised
show.cells  show.revealed  show.output  show.form  show.notebook
show.variants  show.numbers  show.markup  show.short  show.walked  show.directives  show.sections
show.predicted  show.cited  show.site  show.viewer  show.page
show.live  show.asked
show.growth  show.curves
show.played  show.feedback
serve  serve.desk  serve.runs  serve.judged  serve.page  serve.answers  serve.threshold  serve.alike
serve.paths
cli.record  cli.ladder  cli.learner  cli.practice  cli.grow  cli.predict  cli.reveal  cli.progress
cli.live  cli.asked  cli.rules
cli.preflight  cli.lesson  cli.web
cli.replay  cli.feedback
cli.serve
cli  __main__
"""

SDK = {"client", "in_process", "judge.process.child"}  # and the agents
ALONE = {"anthropic": SDK, "matplotlib": {"show.sheet", "show.figure", "show.curves"}, "ipywidgets": {"show.form"}}
MODULES = {"markdown-it-py": "markdown_it"}  # a package that goes by another name when it is imported

# They run in a browser's Python, too.
PURE = ("api", "trace", "model", "check", "learn.prediction", "learn.retell", "learn.belief", "learn.progress")
IMPURE = {"_thread", "asyncio", "concurrent", "datetime", "multiprocessing", "os", "random", "secrets", "select"}
IMPURE |= {"signal", "socket", "subprocess", "tempfile", "threading", "time", "uuid"}

# What a task is called and speaks of: the equipment must not know it.
VOCABULARY = {"t01_fewer_tool_calls": "t01|fewer_tool_calls|customers?|get_orders|get_order_status|order desk|shipped"}


def name_of(path: Path) -> str:
    """askless/api/wire.py -> api.wire; a package's __init__.py has the package's name."""
    return ".".join(path.relative_to(ROOT / "askless").with_suffix("").parts).removesuffix(".__init__")


FILES = {name_of(path): path for path in sorted((ROOT / "askless").rglob("*.py"))}
FILES.pop("__init__")  # holds the version only
TASKS = sorted(path.name for path in (ROOT / "tasks").glob("t*_*"))
AGENTS = [*(ROOT / "worked").rglob("*.py"), *(ROOT / "tasks").glob("*/learner/*.py")]
CODE = [path for folder in ("askless", "tasks", "worked", "tests", "bench") for path in (ROOT / folder).rglob("*.py")]
CODE = [path for path in CODE if ROOT / "tests" / "zoo" not in path.parents]  # some are no text


@cache
def imports(path: Path) -> set[str]:
    """Every name that a file imports, at its top or inside a function: `from a import b` gives a.b."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno} imports relatively"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def packages(path: Path) -> set[str]:
    """The top-level packages that a file imports."""
    return {name.partition(".")[0] for name in imports(path)}


def own_imports(name: str) -> set[str]:
    """The files of askless that a file of it imports: those of the names, else those that hold the names."""
    names = {module.removeprefix("askless.") for module in imports(FILES[name]) if module.startswith("askless.")}
    return {module if module in FILES else module.rpartition(".")[0] for module in names}


@cache
def rows() -> dict[str, set[str]]:
    """Each file of the table and the files that it may import."""
    allowed: dict[str, set[str]] = {}
    for row in FLOORS.split("\n"):
        below = set(allowed)
        for side in row.split("|"):
            for at, name in enumerate(side.split()):
                allowed[name] = below | set(side.split()[:at])
    return allowed


def within(name: str, floors: tuple[str, ...]) -> bool:
    return any(name == floor or name.startswith(f"{floor}.") for floor in floors)


def test_every_file_of_askless_has_a_row_and_every_row_a_file() -> None:
    assert sorted(rows()) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_file_imports_only_from_floors_below(name: str) -> None:
    assert own_imports(name) <= rows().get(name, set())


@pytest.mark.parametrize("package", ALONE)
def test_a_heavy_package_has_its_few_doors(package: str) -> None:
    assert {name for name, path in FILES.items() if package in packages(path)} <= ALONE[package]


def test_every_package_that_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [extra for name, extra in project["optional-dependencies"].items() if name != "dev"]
    wanted = sum(extras, project["dependencies"])
    declared = {MODULES.get(name, name) for name in (re.split(r"[^\w-]", requirement)[0] for requirement in wanted)}
    imported = {package.lower() for path in FILES.values() for package in packages(path)}
    assert imported - sys.stdlib_module_names - {"askless"} <= declared


@pytest.mark.parametrize("name", [name for name in FILES if within(name, PURE)])
def test_a_pure_file_needs_no_thread_process_clock_or_chance(name: str) -> None:
    assert not packages(FILES[name]) & IMPURE
    assert packages(FILES[name]) <= sys.stdlib_module_names | {"askless"}


def test_every_task_has_a_vocabulary_to_look_for() -> None:
    assert sorted(VOCABULARY) == TASKS


@pytest.mark.parametrize("name", FILES)
def test_the_equipment_knows_no_task(name: str) -> None:
    words = re.compile(rf"\b({'|'.join(VOCABULARY.values())})\b", re.IGNORECASE)
    lines = enumerate(FILES[name].read_text("utf-8").splitlines(), 1)
    assert [f"{number}: {line.strip()}" for number, line in lines if words.search(line)] == []


@pytest.mark.parametrize("path", AGENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_agent_stands_alone(path: Path) -> None:
    assert packages(path) <= sys.stdlib_module_names | {"anthropic"}


@pytest.mark.parametrize("task", TASKS)
def test_a_store_is_python_only_and_a_script_knows_no_rung_and_no_store(task: str) -> None:
    assert packages(ROOT / "tasks" / task / "store.py") <= sys.stdlib_module_names
    assert packages(ROOT / "tasks" / task / "script.py") <= sys.stdlib_module_names | {"askless"}


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_one_subject(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LINES
