"""A desk's look-ups by name, each noted: what an agent looked up is part of the evidence."""

import inspect
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from askless.judge.room import look_ups

NOTED = 100_000  # look-ups of one run

LookUp = tuple[str, str]  # its name, and what it was given as JSON


class NoSuchError(Exception):
    """What was asked for does not exist; `next_act` says what to ask for."""

    def __init__(self, seen: str, next_act: str) -> None:
        super().__init__(seen)
        self.seen = seen
        self.next_act = next_act


class MisaskedError(NoSuchError):
    """The look-up exists and was asked in a way that it does not take."""


class Watched:
    """A desk that notes each look-up; an agent in this process can use it as it would the desk."""

    def __init__(self, desk: Any) -> None:
        self.desk = desk
        self.looked_up: dict[LookUp, None] = {}  # in order, each once
        self._parameters = _parameters(desk.__class__)

    def __getattr__(self, name: str) -> Any:
        if name not in self._parameters:
            return getattr(self.desk, name)
        names = self._parameters[name]
        return lambda *args, **kwargs: self._ask(name, {**dict(zip(names, args, strict=False)), **kwargs})

    @property
    def parameters(self) -> Mapping[str, list[str]]:
        """The look-ups and what each is given."""
        return self._parameters

    def ask(self, name: str, given: Mapping[str, Any]) -> Any:
        """What a look-up gives. NoSuchError where there is nothing, MisaskedError where it is not asked so."""
        if name not in self._parameters:
            raise NoSuchError(f"the desk has no look-up {name!r}", f"ask for one of {', '.join(self._parameters)}")
        wanted = self._parameters[name]
        if sorted(given) != sorted(wanted):
            raise MisaskedError(f"{name} was given {_named(given)}", f"give it {_named(wanted)}")
        try:
            return self._ask(name, given)
        except LookupError as error:
            missing = ", ".join(map(repr, error.args))
            raise NoSuchError(f"{name}: {missing} not found", "tell the model so, with is_error") from None
        except (TypeError, ValueError, RecursionError) as error:
            raise MisaskedError(f"{name}: {error}", f"give it {_named(wanted)}") from None

    def _ask(self, name: str, given: Mapping[str, Any]) -> Any:
        if len(self.looked_up) < NOTED:
            self.looked_up[name, json.dumps(given, sort_keys=True, default=str)] = None
        return getattr(self.desk, name)(**given)


@cache
def _parameters(desk: type) -> Mapping[str, list[str]]:
    """The look-ups of a kind of desk, and what each is given."""
    return {name: list(inspect.signature(getattr(desk, name)).parameters)[1:] for name in look_ups(desk)}


def _named(names: Any) -> str:
    return ", ".join(names) or "nothing"
