"""What was made of a text, remembered for whoever brings the same one."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

SHORT_CHARS = 1_000_000  # what is made of a longer text is not kept: it would outlive the run that sent it

Given = ParamSpec("Given")
Made = TypeVar("Made")


def remembered(most: int) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Remember the last so many values of a function of texts; they are not to be changed."""

    def around(function: Callable[Given, Made]) -> Callable[Given, Made]:
        kept = lru_cache(maxsize=most)(function)

        @wraps(function)
        def remembering(*args: Given.args, **kwargs: Given.kwargs) -> Made:
            chars = sum(len(each) for each in args if isinstance(each, str))
            return function(*args, **kwargs) if chars > SHORT_CHARS else kept(*args, **kwargs)  # type: ignore[arg-type]  # all can be hashed

        return remembering

    return around
