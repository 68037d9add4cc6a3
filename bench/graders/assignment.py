"""The least assignment: one function and one test of it. Its users run in the graders' interpreters."""

from collections.abc import Callable
from time import perf_counter

FUNCTION = "def total(numbers):\n    return sum(numbers)"
CALL, RIGHT = "total([1, 2, 3])", "6"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def timed(submissions: int, grade: Callable[[int], object]) -> float:
    """Wall-clock seconds for each, after one that does not count."""
    grade(0)
    start = perf_counter()
    for number in range(1, submissions + 1):
        grade(number)
    return (perf_counter() - start) / submissions
