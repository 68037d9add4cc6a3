"""A conversation written down by hand, as a Trace."""

import json
from typing import Any

from bodies import call

from askless.api.wire import Wire
from askless.record import Exchange, Recorder
from askless.trace import Trace

TOOL = {"name": "price", "description": "The price of one fruit.", "input_schema": {"type": "object"}}


class Talk:
    """Say what the user sends and what the model replies; each reply is one exchange."""

    def __init__(self, question: str = "What do a pear and a plum cost?", *tools: dict[str, Any]) -> None:
        self._wire, self._recorder = Wire(), Recorder()
        self._messages: list[Any] = [{"role": "user", "content": question}]
        self._tools = list(tools) or [TOOL]

    def asks(self, *calls: dict[str, Any]) -> "Talk":
        """The model replies with calls."""
        return self._reply(list(calls), "tool_use")

    def says(self, text: str = "done") -> "Talk":
        """The model replies with its final text."""
        return self._reply([{"type": "text", "text": text}], "end_turn")

    def refuses(self, **error: Any) -> "Talk":
        """The API refuses the request."""
        return self._record({"type": "error", "error": error}, 400)

    def fails(self, status: int, reply: dict[str, Any]) -> "Talk":
        """The service fails, or the connection does."""
        return self._record(reply, status)

    def gives(self, *results: dict[str, Any]) -> "Talk":
        """All results in one user message."""
        self._messages.append({"role": "user", "content": list(results)})
        return self

    def gives_apart(self, *results: dict[str, Any]) -> "Talk":
        """Each result in a user message of its own."""
        for one in results:
            self.gives(one)
        return self

    def adds(self, text: str) -> "Talk":
        """The user says something."""
        self._messages.append({"role": "user", "content": text})
        return self

    def makes_up(self, *calls: dict[str, Any]) -> "Talk":
        """History of calls that no reply held."""
        self._messages.append({"role": "assistant", "content": list(calls)})
        return self

    def trace(self, *, right: bool | None = True, answer: str | None = None) -> Trace:
        """What was recorded."""
        return self._recorder.trace(answer_right=right, answer=answer)

    def _reply(self, content: list[dict[str, Any]], stop_reason: str) -> "Talk":
        self._record({"content": content, "stop_reason": stop_reason, "usage": {"output_tokens": 9}}, 200)
        self._messages.append({"role": "assistant", "content": content})
        return self

    def _record(self, reply: dict[str, Any], status: int) -> "Talk":
        body = {"model": "m", "max_tokens": 9, "messages": self._messages, "tools": self._tools}
        request = self._wire.read(json.dumps(body).encode())
        self._recorder.record(Exchange(request, status, reply))
        return self


def price(number: int, fruit: str, name: str = "price") -> dict[str, Any]:
    """A call for one fruit."""
    return call(number, name, fruit=fruit)


def prices(number: int, *fruits: str, name: str = "prices") -> dict[str, Any]:
    """A call for a list of fruits."""
    return call(number, name, fruits=list(fruits))
