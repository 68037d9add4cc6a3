"""A desk's look-ups by name, as HTTP asks for them."""

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any

from askless.judge.noted import Noted
from askless.judge.room import look_ups


class NoSuchError(Exception):
    """What was asked for does not exist; `next_act` says what to ask for."""

    def __init__(self, seen: str, next_act: str) -> None:
        super().__init__(seen)
        self.seen = seen
        self.next_act = next_act


class MisaskedError(NoSuchError):
    """The look-up exists and was asked in a way that it does not take."""


def parameters(desk: Noted) -> Mapping[str, list[str]]:
    """A desk's look-ups and what each is given."""
    return _parameters(desk.noted.__class__)


def ask(desk: Noted, name: str, given: Mapping[str, Any]) -> Any:
    """What a look-up gives. NoSuchError where there is nothing, MisaskedError where it is not asked so."""
    known = parameters(desk)
    if name not in known:
        raise NoSuchError(f"the desk has no look-up {name!r}", f"ask for one of {', '.join(known)}")
    if sorted(given) != sorted(known[name]):
        raise MisaskedError(f"{name} was given {_named(given)}", f"give it {_named(known[name])}")
    try:
        return getattr(desk, name)(**given)
    except LookupError as error:
        missing = ", ".join(map(repr, error.args))
        raise NoSuchError(f"{name}: {missing} not found", "tell the model so, with is_error") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise MisaskedError(f"{name}: {error}", f"give it {_named(known[name])}") from None


@cache
def _parameters(desk: type) -> Mapping[str, list[str]]:
    return {name: list(inspect.signature(getattr(desk, name)).parameters)[1:] for name in look_ups(desk)}


def _named(names: Any) -> str:
    return ", ".join(names) or "nothing"
