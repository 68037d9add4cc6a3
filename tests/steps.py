"""How much work a call is, in lines of Python: a clock would say something else each time."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(act: Callable[[], Any]) -> int:
    """The lines that run while something is done; each turn of a loop is one more, in a comprehension too."""
    count = 0

    def step(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        act()
    finally:
        sys.settrace(before)
    return count
