"""The least assignment, graded by otter-grader's API."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.graders.assignment import CALL, FUNCTION, KERNEL, RIGHT, timed

CASE = {"code": f">>> {CALL}\n{RIGHT}"}
TEST = {"name": "total", "points": 1, "suites": [{"cases": [CASE]}]}


def seconds(submissions: int) -> float:
    """For each submission; importing otter and generating the autograder are not counted."""
    import nbformat
    from otter.api import grade_submission
    from otter.generate import main as generate

    def grade(_: int) -> None:
        results = grade_submission("total.ipynb", "autograder.zip", quiet=True)
        assert (results.total, results.possible) == (1, 1)

    cells = [nbformat.v4.new_code_cell(FUNCTION)]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("tests").mkdir()
        Path("tests/total.py").write_text(f"OK_FORMAT = True\ntest = {TEST!r}\n")
        nbformat.write(notebook, "total.ipynb")
        generate(tests_dir="tests", no_requirements=True, no_environment=True)
        return timed(submissions, grade)
