"""The least assignment, graded by nbgrader's autograde, through its API."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.graders.assignment import CALL, FUNCTION, KERNEL, RIGHT, timed


def seconds(submissions: int) -> float:
    """For each submission, of one student each; importing nbgrader and generating the assignment are not counted."""
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # for its alembic
    import nbformat
    from nbgrader.apps.api import NbGraderAPI
    from traitlets.config import Config

    def grade(student: int) -> None:
        _write(notebook, Path(f"submitted/{student}/total/total.ipynb"))
        assert api.autograde("total", str(student))["success"]
        assert api.gradebook.find_submission("total", str(student)).score == 1

    notebook = nbformat.v4.new_notebook(cells=_cells(), metadata={"kernelspec": KERNEL})
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        _write(notebook, Path("source/total/total.ipynb"))
        api = NbGraderAPI(config=Config(CourseDirectory={"root": folder}))
        assert api.generate_assignment("total")["success"]
        return timed(submissions, grade)


def _write(notebook: Any, path: Path) -> None:
    import nbformat

    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def _cells() -> list[Any]:
    return [
        _cell("function", FUNCTION, solution=True),
        _cell("test", f"assert {CALL} == {RIGHT}", grade=True, locked=True, points=1),
    ]


def _cell(name: str, source: str, **marks: object) -> Any:
    import nbformat

    kept = {"schema_version": 3, "grade_id": name, "grade": False, "solution": False, "locked": False, "task": False}
    return nbformat.v4.new_code_cell(source, metadata={"nbgrader": {**kept, **marks}})
