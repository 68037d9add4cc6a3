"""A desk that notes what it is asked and what it gives: what was looked up is part of the evidence."""

import inspect
import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from askless.check.evidence import leaves

_as_json = json.JSONEncoder(sort_keys=True, default=str).encode

LookUp = tuple[str, str]  # its name, and what it was given: JSON by parameter


class Noted:
    """A desk as an agent sees it.

    `given` is every string that a look-up gave, `looked_up` each look-up that was made: of the `wanted` ones
    where they are known, so that a stranger's look-ups cannot fill the memory.
    """

    def __init__(self, desk: Any, wanted: Collection[LookUp] | None = None) -> None:
        self.noted = desk
        self.given: set[str] = set()
        self.looked_up: set[LookUp] = set()
        self._wanted = wanted

    def __dir__(self) -> list[str]:
        return dir(self.noted)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.noted, name)
        if not callable(found):
            return found
        noting = vars(self)[name] = self._noting(name, found)
        return noting

    @property
    def left(self) -> int:
        """How many of the wanted look-ups were never made."""
        return len(set(self._wanted or ()) - self.looked_up)

    def _noting(self, name: str, look_up: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(look_up)

        def noting(*args: Any, **kwargs: Any) -> Any:
            with suppress(TypeError, ValueError, RecursionError):  # asked as no look-up is: it says so itself
                self._note(look_up_of(name, signature.bind(*args, **kwargs).arguments))
            value = look_up(*args, **kwargs)
            self.given.update(leaves(value))
            return value

        return noting

    def _note(self, asked: LookUp) -> None:
        if self._wanted is None or asked in self._wanted:
            self.looked_up.add(asked)


def look_up_of(name: str, given: Mapping[str, Any]) -> LookUp:
    """A look-up as it is noted, however its parameters were given."""
    return name, _as_json(given)
