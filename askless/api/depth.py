"""How deeply JSON may nest before it is refused, or taken for a text: what reads it further goes down by recursion."""

from collections.abc import Iterator
from typing import Any

MOST_LEVELS = 100


def is_too_deep(text: str, value: Any) -> bool:
    """Whether lists and objects lie more than MOST_LEVELS deep in what a text was read as."""
    if sum(map(text.count, "[{(")) <= MOST_LEVELS:
        return False
    level = [value]
    for _ in range(MOST_LEVELS + 1):
        level = [inner for outer in level for inner in _within(outer)]
        if not level:
            return False
    return True


def _within(value: Any) -> Iterator[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (each for each in inner if isinstance(each, dict | list))
