"""What a field may hold: checks that are put together into tables of fields.

A check takes the place of a value, as the API writes places, and the value; it
gives the refusal, or None. It never raises, whatever the value is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from askless.api.refusal import Refusal, refuse

Check = Callable[[str, Any], Refusal | None]


def anything(place: str, value: Any) -> None:
    """A field that is not looked into."""


def text(place: str, value: Any) -> Refusal | None:
    """A string."""
    return None if isinstance(value, str) else refuse("field-value", place, expected="a valid string")


def flag(place: str, value: Any) -> Refusal | None:
    """True or false."""
    return None if isinstance(value, bool) else refuse("field-value", place, expected="a valid boolean")


def mapping(place: str, value: Any) -> Refusal | None:
    """An object of any fields."""
    return None if isinstance(value, dict) else refuse("field-value", place, expected="a valid dictionary")


def whole(place: str, value: Any) -> Refusal | None:
    """A whole number; true and false are none."""
    fits = isinstance(value, int) and not isinstance(value, bool)
    return None if fits else refuse("field-value", place, expected="a valid integer")


@dataclass(frozen=True)
class OneOf:
    """One of some strings."""

    values: tuple[str, ...]

    def __call__(self, place: str, value: Any) -> Refusal | None:
        if isinstance(value, str) and value in self.values:
            return None
        *others, last = map(repr, self.values)
        return refuse("field-value", place, expected=f"{', '.join(others)} or {last}" if others else last)


@dataclass(frozen=True)
class Nullable:
    """Null, or what the check takes."""

    check: Check

    def __call__(self, place: str, value: Any) -> Refusal | None:
        return None if value is None else self.check(place, value)


@dataclass(frozen=True)
class TextOr:
    """A string, or a list that the check takes."""

    check: Check

    def __call__(self, place: str, value: Any) -> Refusal | None:
        if isinstance(value, list):
            return self.check(place, value)
        return None if isinstance(value, str) else refuse("text-value", place)


@dataclass(frozen=True)
class Items:
    """A list, and what each of its items may be."""

    check: Check

    def __call__(self, place: str, value: Any) -> Refusal | None:
        if not isinstance(value, list):
            return refuse("field-value", place, expected="a valid list")
        for at, item in enumerate(value):
            fault = self.check(f"{place}.{at}", item)
            if fault:
                return fault
        return None


@dataclass(frozen=True)
class Record:
    """An object with known fields, and what others may hold (None where there may be none).

    The names of the root's fields stand alone as places; others follow their object's place.
    """

    required: Mapping[str, Check]
    optional: Mapping[str, Check]
    others: Check | None = None

    @cached_property
    def fields(self) -> dict[str, Check]:
        """Every field it may have."""
        return {**self.required, **self.optional}

    def __call__(self, place: str, value: Any) -> Refusal | None:
        if not isinstance(value, dict):
            return refuse("field-value", place, expected="a valid dictionary")
        prefix = f"{place}." if place else ""
        for name in self.required:
            if name not in value:
                return refuse("field-required", prefix + name)
        for name, item in value.items():
            check = self.fields.get(name, self.others)
            fault = check(prefix + name, item) if check else refuse("field-unknown", prefix + name)
            if fault:
                return fault
        return None


@dataclass(frozen=True)
class Tagged:
    """An object whose `type` says which fields it has; the type becomes part of the places within, as in the API."""

    kinds: Mapping[str, Check]
    default: str | None = None

    def __call__(self, place: str, value: Any) -> Refusal | None:
        if not isinstance(value, dict):
            return refuse("field-value", place, expected="a valid dictionary")
        tag = self.default if value.get("type") is None else value["type"]
        if tag is None:
            return refuse("field-required", f"{place}.type")
        if not isinstance(tag, str):
            return refuse("field-value", f"{place}.type", expected="a valid string")
        if tag in self.kinds:
            return self.kinds[tag](f"{place}.{tag}", value)
        return refuse("type-unknown", place, tag=tag, tags=", ".join(map(repr, self.kinds)))
