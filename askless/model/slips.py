"""Invalid input: a script may say that the model gets a tool's input wrong at first.

With `strict` it never does. Told what is wrong, it sends the right input next;
told nothing, it tries twice more and then gives up (catalog: invalid-input-retries,
strict-tools).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from askless.api.parts import as_json
from askless.model.plan import Call
from askless.model.reading import Result

TRIES = 3

_instructive = re.compile(r"must be|should be|expected|required|missing|needs? to be|not a valid", re.IGNORECASE)


@dataclass
class Slips:
    """The errors that each failed input got."""

    errors: dict[str, list[str]] = field(default_factory=dict)
    last: str = ""

    def note(self, call: Call, result: Result) -> None:
        """Take the result of a call."""
        if result.is_error:
            self.last = result.text
            self.errors.setdefault(_key(call.name, call.input), []).append(result.text)

    def inputs(self, calls: Iterable[Call], tools: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each call's name and the input that is sent; a call that was given up is left out."""
        for call in calls:
            sent = self._input(call, tools)
            if sent is not None:
                yield call.name, sent

    @property
    def apology(self) -> str:
        """The final text when every call was given up."""
        return f"I am sorry, I could not finish: the tools kept refusing my input. The last error was: {self.last}"

    def _input(self, call: Call, tools: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        if call.slip is None:
            return call.input
        tool = next((tool for tool in tools if tool.get("name") == call.name), {})
        told = self.errors.get(_key(call.name, call.slip), [])
        if tool.get("strict") is True or any(_tells_what(text, tool) for text in told):
            return call.input
        return call.slip if len(told) < TRIES else None


def _key(name: str, given: Mapping[str, Any]) -> str:
    return as_json([name, given])


def _tells_what(text: str, tool: Mapping[str, Any]) -> bool:
    """Whether an error says what is wrong with the input: it names a property, or what was expected."""
    schema = tool.get("input_schema")
    properties = schema.get("properties") or {} if isinstance(schema, Mapping) else {}
    return bool(_instructive.search(text)) or any(re.search(rf"\b{re.escape(name)}\b", text) for name in properties)
