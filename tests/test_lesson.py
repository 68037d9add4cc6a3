"""The lesson's page, and the notebook that is written from it."""

import ast
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from askless import catalog, cli, ladder, task
from askless.errors import Problem
from askless.show import lesson, notebookfile
from askless.show.lesson import Piece
from askless.task import Task

ROOT = Path(__file__).parent.parent
TASKS = [task.load(name) for name in task.names()]
NAMES = [each.name for each in TASKS]

every_task = pytest.mark.parametrize("own", TASKS, ids=NAMES)


@pytest.fixture(scope="module")
def measured() -> Callable[[str], Any]:
    return lambda rung: ladder.run_plain(TASKS[0], rung)


def stored(path: Path) -> str:
    """A notebook as it is in the repository: a learner's own copy may hold what they did with it."""
    named = f":{path.relative_to(ROOT).as_posix()}"
    kept = subprocess.run(["git", "-C", str(ROOT), "show", named], capture_output=True, check=False)
    return kept.stdout.decode() if kept.returncode == 0 else path.read_text("utf-8")


def cells(own: Task) -> list[dict[str, Any]]:
    return list(json.loads(stored(own.notebook))["cells"])


def code(own: Task) -> list[str]:
    return [cell["source"] for cell in nbformat.reads(stored(own.notebook), 4).cells if cell.cell_type == "code"]


@every_task
def test_the_stored_notebook_is_what_the_page_gives(own: Task) -> None:
    assert stored(own.notebook) == notebookfile.text(own), f"askless notebook {own.name}, then git add {own.notebook}"


@every_task
def test_no_output_is_stored(own: Task) -> None:
    left = [cell["id"] for cell in cells(own) if cell.get("outputs") or cell.get("execution_count")]
    assert left == []


@every_task
def test_the_first_code_cell_imports_and_every_other_is_one_call(own: Task) -> None:
    first, *others = (ast.parse(source).body for source in code(own))
    (imported,) = first
    assert isinstance(imported, ast.ImportFrom)
    assert imported.module == "askless.show.notebook"
    names = {alias.name for alias in imported.names}
    for body in others:
        (statement,) = body
        assert isinstance(statement, ast.Expr)
        assert isinstance(statement.value, ast.Call)
        assert isinstance(statement.value.func, ast.Name)
        assert statement.value.func.id in names
        assert all(isinstance(argument, ast.Constant) for argument in statement.value.args)


@every_task
def test_a_notebook_is_valid_and_names_its_cells_the_same_each_time(own: Task) -> None:
    notebook = nbformat.reads(stored(own.notebook), 4)
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert "predict-v0" in ids
    assert notebook.metadata.kernelspec.name == "python3"


ALLOWED = re.compile(r"\bv\d\b|\bC\d\b|[Rr]ung \d|\b25 minutes\b|`[^`]*`")


@every_task
@pytest.mark.parametrize("which", ["page", "interview"])
def test_no_number_that_could_be_measured_is_typed(own: Task, which: str) -> None:
    text: str = getattr(own, which).read_text("utf-8")
    for what in (lesson.FENCE, lesson.PLACEHOLDER, lesson.CITATIONS, ALLOWED):
        text = what.sub("", text)
    assert re.findall(r".*\d.*", text) == []


@every_task
def test_a_rungs_numbers_stand_in_no_cell_before_its_reveal(own: Task) -> None:
    page = own.page.read_text("utf-8")
    told = lesson.told_by_reveals(page)
    at_once = "".join(piece.text for piece in lesson.shown_at_once(page))
    assert told
    assert not [found[0] for found in lesson.PLACEHOLDER.finditer(at_once) if found["rung"] in told]


@every_task
def test_every_directive_names_a_function_and_a_rung(own: Task) -> None:
    from askless.show import notebook

    for piece in lesson.pieces(own.page.read_text("utf-8")):
        if piece.call:
            function, *rungs = piece.call
            assert callable(getattr(notebook, function))
            assert all(own.rung(rung) for rung in rungs)


def test_a_page_falls_into_prose_and_calls() -> None:
    page = "# One\n\nText.\n\n```askless\nwalk v1\n```\n\nMore.\n\n## Two\n\nEnd.\n"
    assert list(lesson.pieces(page)) == [
        Piece("# One\n\nText."),
        Piece(call=("walk", "v1")),
        Piece("More."),
        Piece("## Two\n\nEnd."),
    ]


def test_what_follows_a_reveal_is_told_by_it() -> None:
    page = "# One\n\n```askless\nreveal v1\n```\n\nSo it was.\n\n## Two\n"
    assert lesson.told_by_reveals(page) == {"v1": "So it was."}
    assert [piece.text for piece in lesson.shown_at_once(page)] == ["# One", "", "## Two"]


def test_a_placeholder_becomes_a_measured_number(measured: Callable[[str], Any]) -> None:
    text = "{{v1.requests.3.split}} = {{v1.requests.3.input_tokens}}, {{v1.input_tokens}} in all"
    assert lesson.fill(text, measured) == "170 + 260 + 378 = 808, 1,408 in all"


@pytest.mark.parametrize("name", ["{{v1.requests.9.split}}", "{{v1.cost}}", "{{v1.requests.0.split}}", "{{v9.cost}}"])
def test_a_placeholder_that_names_nothing_is_refused(name: str, measured: Callable[[str], Any]) -> None:
    with pytest.raises(Problem):
        lesson.fill(name, measured)


def test_citations_become_links_and_neighbours_share_brackets(measured: Callable[[str], Any]) -> None:
    one, two = list(catalog.sources().values())[:2]
    text = lesson.fill(f"So [@{one.id}] [@{two.id}].", measured)
    assert text == f"So ([{one.title}]({one.address}); [{two.title}]({two.address}))."


def test_a_citation_of_nothing_is_refused(measured: Callable[[str], Any]) -> None:
    with pytest.raises(Problem, match="no-such-source"):
        lesson.fill("[@no-such-source]", measured)


def test_the_command_writes_the_notebook_and_tells_when_it_is_stale(
    own_task: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = task.load(own_task)
    assert cli.main(["notebook", str(own_task), "--check"]) == 1
    assert not copy.notebook.exists()
    assert "Next: askless notebook" in capsys.readouterr().out
    assert cli.main(["notebook", str(own_task)]) == 0
    assert cli.main(["notebook", str(own_task), "--check"]) == 0
    copy.page.write_text(copy.page.read_text("utf-8") + "\nMore.\n", "utf-8")
    assert cli.main(["notebook", str(own_task), "--check"]) == 1


def test_a_notebook_that_was_run_is_stale(own_task: Path) -> None:
    copy = task.load(own_task)
    cli.main(["notebook", str(own_task)])
    run = json.loads(copy.notebook.read_text("utf-8"))
    run["cells"][1]["execution_count"] = 1
    copy.notebook.write_text(json.dumps(run), "utf-8")
    assert cli.main(["notebook", str(own_task), "--check"]) == 1


def test_a_raw_message_shows_the_call_that_failed_and_each_gap_where_it_is(measured: Callable[[str], Any]) -> None:
    from askless.show.shapes import shapes

    for _, text in shapes(measured("v1")):
        first, second, gap, last = text.splitlines()[1:-1]
        assert ["0001" in first, "0002" in second, "0004" in last] == [True] * 3
        assert gap == "  … 1 more like these,"
