"""A client without the SDK and without HTTP, for agents that the lab trusts and runs by the thousand.

The rules, the counting and the recording are the service's own; a test holds the
traces of both ways equal.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from askless.api.conversation import Conversation, Message, Request
from askless.api.parts import MEASURED
from askless.api.wire import REMEMBERED
from askless.backend import Backend
from askless.errors import Problem
from askless.model import Model
from askless.record import Recorder


class Attributed(dict[str, Any]):
    """A JSON object whose fields are attributes, too, as the SDK's models have them."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Refused(Exception):  # noqa: N818
    """The request broke a rule; `envelope` is the API's answer."""

    def __init__(self, status: int, envelope: dict[str, Any]) -> None:
        super().__init__(f"{status}: {envelope['error']['message']}")
        self.status = status
        self.envelope = envelope


@dataclass(frozen=True)
class _Tip:
    """An agent's own list of messages, and how much of it is known already."""

    source: list[Message] | None  # None once the agent has turned the list into another conversation
    head: dict[str, Any]  # the fields that stand before the messages on the wire
    conversation: Conversation  # a list of its own, so that the agent may trim the source
    length: int

    def extended_by(self, messages: list[Message]) -> bool:
        """Whether `messages` adds to what is known; the agent's own list is looked at only where it ended."""
        if self.length != len(self.conversation.messages) or len(messages) < self.length:
            return False
        if messages is self.source:
            return messages[self.length - 1] is self.conversation.messages[-1]
        return messages[: self.length] == self.conversation.messages

    def without(self, source: list[Message] | None) -> "_Tip":
        """The same, no longer held to a list that goes another way now."""
        return replace(self, source=None) if self.source is source else self


class PlainClient:
    """`client.messages.create(**body)` over a model, recorded; the body is plain JSON values.

    An agent that appends to its list of messages pays for what is new. One that edits
    messages already sent in place goes unseen until `verify`. It serves one thread.
    """

    def __init__(self, model: Model, recorder: Recorder, *, strict_backend: bool = False) -> None:
        self._backend = Backend(model, strict_backend=strict_backend, windows=False)
        self._recorder = recorder
        self._tips: list[_Tip] = []

    @property
    def messages(self) -> "PlainClient":
        """Where `create` stands in the SDK."""
        return self

    def create(self, **body: Any) -> Attributed:
        """One request and its reply. Raises Refused; a TypeError for what only the SDK's client can do."""
        if body.get("stream") or body.get("thread"):
            raise TypeError("a plain client has no streams and no threads")
        exchange = self._backend.answer(self._request(body))
        self._recorder.record(exchange)
        if exchange.status != 200:
            raise Refused(exchange.status, exchange.reply)
        return _attributed(exchange.reply)

    def verify(self) -> None:
        """Read the latest requests afresh, once the run has ended.

        Raises Problem where an agent's list no longer holds what was sent from it.
        """
        for tip in self._tips:
            known = tip.conversation.read(MEASURED).digests
            if tip.source is not None and Conversation(tip.source[: tip.length]).read(MEASURED).digests != known:
                raise Problem(
                    "the agent edited messages that it had already sent, so the trace is not what it sent",
                    "let the agent make new messages, or run it through the SDK",
                    exit_code=3,
                )

    def _request(self, body: dict[str, Any]) -> Request:
        fields = dict(sorted(body.items(), key=_wire_order))
        messages = fields.get("messages")
        if not isinstance(messages, list):
            return Request.of(fields)
        head = {name: fields[name] for name in ("max_tokens",) if name in fields}
        tip = self._tip(head, messages)
        tip.conversation.messages.extend(messages[len(tip.conversation.messages) :])
        self._remember(_Tip(messages, head, tip.conversation, len(messages)))
        return Request({**fields, "messages": []}, tip.conversation, len(messages))

    def _tip(self, head: dict[str, Any], messages: list[Message]) -> _Tip:
        """What is known of these messages."""
        for tip in reversed(self._tips):
            if tip.head == head and tip.extended_by(messages):
                return tip
        return _Tip(messages, head, Conversation([]), 0)

    def _remember(self, newest: _Tip) -> None:
        others = [tip.without(newest.source) for tip in self._tips if tip.conversation is not newest.conversation]
        self._tips = [*others, newest][-REMEMBERED:] if newest.length else others


def _wire_order(field: tuple[str, Any]) -> tuple[bool, str]:
    """The SDK sends the required fields first."""
    return field[0] not in {"max_tokens", "messages", "model"}, field[0]


def _attributed(reply: dict[str, Any]) -> Attributed:
    usage = Attributed(reply["usage"])
    return Attributed(reply, content=list(_blocks(reply["content"])), usage=usage)


def _blocks(content: list[dict[str, Any]]) -> Iterator[Attributed]:
    """Blocks as the SDK would send them back: their fields in the order of its types."""
    return (Attributed(sorted(block.items())) for block in content)
