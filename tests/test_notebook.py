"""The notebook's cells, run in a real kernel on a copy of this repository: in order, in disorder, twice, afresh."""

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from random import Random

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from shipped import copy

from askless import task
from askless.show import cells as show

ROOT = Path(__file__).parent.parent
NAME = "t01_fewer_tool_calls"
COPIED = ("askless", "notebooks", "tasks", "web", "worked")

pytestmark = pytest.mark.filterwarnings("default")  # the kernel's clients warn of one another


class Lab:
    """A copy of the repository, and kernels that know no other."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.home = root, home
        home.mkdir()
        own = {"JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython", "MPLCONFIGDIR": "matplotlib"}
        paths = {name: str(home / folder) for name, folder in own.items()}
        self.environment = {**os.environ, **paths, "PYTHONPATH": str(root), "JUPYTER_PLATFORM_DIRS": "1"}
        self.notebook = nbformat.read(root / "notebooks" / f"{NAME}.ipynb", 4)

    def run(self, cells: list[NotebookNode]) -> list[NotebookNode]:
        """The cells as they are after a new kernel ran them in this order."""
        copies = [nbformat.from_dict({**cell, "id": f"cell-{number}"}) for number, cell in enumerate(cells)]
        run = nbformat.v4.new_notebook(cells=copies)
        client = NotebookClient(run, timeout=120, resources={"metadata": {"path": str(self.root / "notebooks")}})
        client.execute(env=self.environment, cwd=str(self.root / "notebooks"))
        return list(run.cells)

    @property
    def learner(self) -> Path:
        return self.root / "tasks" / NAME / "learner"

    def code(self) -> list[NotebookNode]:
        return [cell for cell in self.notebook.cells if cell.cell_type == "code"]

    def askless(self, *words: str) -> str:
        """A command in a terminal, on the same record."""
        command = [sys.executable, "-m", "askless", *words]
        done = subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout

    def predict(self, rung: str, trips: int, calls: int, tokens: int) -> None:
        numbers = ("--round-trips", f"{trips}", "--tool-calls", f"{calls}", "--input-tokens", f"{tokens}")
        self.askless("predict", NAME, rung, *numbers)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    folder = tmp_path_factory.mktemp("notebook")
    root = folder / "ask léss"
    copy(COPIED, root)
    return Lab(root, folder / "home")


@pytest.fixture
def lab(copied: Lab) -> Lab:
    """The copy, with nothing on record."""
    for record in copied.learner.glob(".progress*"):
        record.unlink()
    return copied


def shown(cell: NotebookNode) -> str:
    """All that a cell's outputs hold, as text."""
    for output in cell.get("outputs", []):
        assert output.output_type != "error", "\n".join(output.traceback)
        assert output.output_type in ("display_data", "execute_result"), output
    return "\n".join(str(output.data.get("text/html", "")) for output in cell.get("outputs", []))


def call(cell: NotebookNode) -> str:
    return str(cell.source)


def test_run_from_top_to_bottom_it_shows_everything_and_gives_nothing_away(lab: Lab) -> None:
    cells = lab.run(lab.code())
    pages = {call(cell): shown(cell) for cell in cells}
    assert "170 + 260 + 378" in pages[f'walk("{NAME}", "v1")']
    assert pages[f'walk("{NAME}", "v1")'] == show.walk(task.load(NAME), "v1"), "another process, other bytes"
    assert "not revealed" in pages[f'reveal("{NAME}", "v0")']
    assert pages[f'ladder("{NAME}")'].count("not revealed") == 9
    assert "MISSED" in pages[f'practice("{NAME}")']
    assert pages[f'interview("{NAME}")'].count("<details>") == 6
    assert all(pages[call(cell)] for cell in cells[1:])
    assert not re.search(r"\b4,958\b|\b886\b|\b386\b", "".join(pages[f'{f}("{NAME}")'] for f in ("ladder", "compare")))


def test_predicted_in_the_terminal_it_is_revealed_here_and_in_print(lab: Lab) -> None:
    for rung, numbers in {"v0": (11, 10, 4958), "v2": (3, 2, 900), "v3": (2, 1, 386)}.items():
        lab.predict(rung, *numbers)
    cells = lab.run(lab.code())
    pages = {call(cell): shown(cell) for cell in cells}
    assert "3 too many" in pages[f'reveal("{NAME}", "v0")']
    assert "All three numbers are right" in pages[f'reveal("{NAME}", "v3")']
    assert "886" in pages[f'reveal("{NAME}", "v2")']
    assert all(tokens in pages[f'ladder("{NAME}")'] for tokens in ("4,958", "886", "386"))
    assert '"revealed": true' in (lab.learner / ".progress.json").read_text("utf-8")
    assert "right" in pages[f'progress("{NAME}")']
    says_nothing_of_the_machine(lab, "".join(pages.values()))
    printed = unescape(exported(cells))
    for page in map(unescape, pages.values()):
        for kept in (r'src="data:[^"]+"', r'alt="[^"]+"', r"<table>.*?</table>", r"<summary>.*?</summary>"):
            assert all(piece in printed for piece in re.findall(kept, page, re.DOTALL))
    assert "VBox(" not in printed


def says_nothing_of_the_machine(lab: Lab, text: str) -> None:
    for path in (lab.root, lab.home, ROOT, Path.home(), sys.prefix, sys.base_prefix):
        assert f"{path}/" not in text
    assert "Traceback" not in text


def exported(cells: list[NotebookNode]) -> str:
    notebook = nbformat.v4.new_notebook(cells=cells)
    return str(HTMLExporter().from_notebook_node(notebook)[0])


def test_it_can_be_run_in_disorder_twice_and_with_cells_duplicated(lab: Lab) -> None:
    lab.predict("v0", 8, 10, 4958)
    lab.predict("v0", 3, 10, 1408)
    imports, *others = [cell for cell in lab.code() if not call(cell).startswith("practice")]
    order = [cell for cell in (*others, *others) if not call(cell).startswith("walk")]
    Random(4).shuffle(order)
    cells = lab.run([imports, *order, imports])
    predicted = [shown(cell) for cell in cells if call(cell) == f'predict("{NAME}", "v0")']
    revealed = [shown(cell) for cell in cells if call(cell) == f'reveal("{NAME}", "v0")']
    assert len(predicted) == len(revealed) == 2
    for page in (*predicted, *revealed):
        assert "You committed 2 predictions, and the last one counts" in page
    assert revealed[0] == revealed[1]
    for cell in cells:
        shown(cell)


def test_what_is_wrong_is_told_in_words(lab: Lab) -> None:
    (lab.learner / ".progress.json").write_text("{", "utf-8")
    imports, *others = lab.code()
    asked = next(cell for cell in others if call(cell) == f'predict("{NAME}", "v0")')
    unknown = nbformat.v4.new_code_cell(f'predict("{NAME}", "v9")')
    first, second, third = lab.run([imports, asked, asked, unknown])[1:]
    assert "kept as .progress.json.damaged-1" in shown(first)
    assert "damaged" not in shown(second)
    assert (lab.learner / ".progress.json.damaged-1").read_text("utf-8") == "{"
    assert "has no rung v9" in shown(third)
    assert "Next: name one of: v0, v1, v2, v3, v4." in shown(third)
