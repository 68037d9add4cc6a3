"""A good request spoilt in one place: the tools to do so, and what is expected of the refusal."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

from bodies import page_bodies

Body = dict[str, Any]
Spoil = Callable[[Body], object]


class Fault(NamedTuple):
    """The rule that is broken, where, what the API says ("@" stands for the place), and how a request gets there.

    It starts from the page's second request: a question, four calls, four results.
    """

    rule: str
    place: str
    message: str
    spoil: Spoil
    options: dict[str, bool] = {}  # noqa: RUF012

    @property
    def body(self) -> Body:
        """The spoilt request."""
        body = deepcopy(page_bodies()[1])
        self.spoil(body)
        return body


def parent(body: Any, path: str) -> tuple[Any, Any]:
    """What holds the thing at a path such as messages.1.content.0, and its last step."""
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
    for step in steps:
        body = body[step]
    return body, last


def put(path: str, value: Any) -> Spoil:
    """Set what stands at a path."""

    def spoil(body: Body) -> None:
        holder, last = parent(body, path)
        holder[last] = value

    return spoil


def drop(path: str) -> Spoil:
    """Remove what stands at a path."""

    def spoil(body: Body) -> None:
        holder, last = parent(body, path)
        del holder[last]

    return spoil


def insert(path: str, value: Any) -> Spoil:
    """Insert an item into a list; the path ends with its index."""

    def spoil(body: Body) -> None:
        holder, last = parent(body, path)
        holder.insert(last, value)

    return spoil


def each(*spoils: Spoil) -> Spoil:
    """One change after the other."""
    return lambda body: [spoil(body) for spoil in spoils]


def strict(properties: Body, count: int = 1, **schema: Any) -> Spoil:
    """Strict tools of one schema; all its properties are required unless it says otherwise."""
    whole = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return put("tools", [{"name": f"t{n}", "strict": True, "input_schema": {**whole, **schema}} for n in range(count)])
