"""A desk that notes what it is asked and what it gives: what was looked up is part of the evidence."""

import inspect
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

from askless.check.evidence import leaves

MOST = 100_000  # look-ups that are noted where it is not known which are wanted

LookUp = tuple[str, str]  # its name, and what it was given: JSON by parameter

_as_json = json.JSONEncoder(sort_keys=True, default=str).encode


class Noted:
    """A desk as an agent sees it.

    `given` is every string that a look-up gave, `looked_up` each look-up that was made: of the `wanted` ones
    where they are known, so that a stranger's look-ups cannot fill the memory.
    """

    def __init__(self, desk: Any, wanted: Collection[LookUp] | None = None) -> None:
        self.noted = desk
        self.given: set[str] = set()
        self.looked_up: dict[LookUp, None] = {}  # in order, each once
        self._wanted = wanted
        self._made_by: dict[str, int] = {}  # the model's last words -> the look-ups made before it first said them

    def __dir__(self) -> list[str]:
        return dir(self.noted)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.noted, name)
        if not callable(found):
            return found
        noting = vars(self)[name] = self._noting(name, found)
        return noting

    def ended(self, words: str) -> None:
        """The model has ended its turn: what is looked up from here on is no part of what it said."""
        self._made_by.setdefault(words, len(self.looked_up))

    def left(self, words: str | None) -> int:
        """How many wanted look-ups were not made before the model said this; None: before it last ended its turn."""
        return len(self.unmade(self._wanted or (), words))

    def unmade(self, wanted: Iterable[LookUp], words: str | None) -> list[LookUp]:
        """Which look-ups were not made by then."""
        made = max(self._made_by.values(), default=0) if words is None else self._made_by.get(words, 0)
        before = set(islice(self.looked_up, made))
        return [look_up for look_up in wanted if look_up not in before]

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
        if len(self.looked_up) < MOST if self._wanted is None else asked in self._wanted:
            self.looked_up[asked] = None


def look_up_of(name: str, given: Mapping[str, Any]) -> LookUp:
    """A look-up as it is noted, however its parameters were given."""
    return name, _as_json(given)
