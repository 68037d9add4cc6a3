"""A request, and the append-only conversation it carries.

Whoever reads a conversation (the counting, the refusals, the scripted model) is
a left fold over its messages. A conversation remembers how far each fold has
come, so a run of n requests reads every message once and not n times.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

LONGEST = 100_000  # messages that a request may have

Message = dict[str, Any]
State = TypeVar("State")


@dataclass(frozen=True, eq=False)
class Fold(Generic[State]):
    """A left fold over messages; `step(state, index, message)` may change the state in place."""

    start: Callable[[], State]
    step: Callable[[State, int, Message], State]


class Conversation:
    """A list of messages that only grows, and the state of each fold along it."""

    def __init__(self, messages: list[Message]) -> None:
        self.messages = messages
        self._read: dict[Fold[Any], tuple[int, Any]] = {}

    def read(self, fold: Fold[State]) -> State:
        """The fold's state after the last message; only messages that came since the last reading are read."""
        done, state = self._read.get(fold) or (0, fold.start())
        if done == len(self.messages):
            return state
        for index in range(done, len(self.messages)):
            state = fold.step(state, index, self.messages[index])
        self._read[fold] = (len(self.messages), state)
        return state


@dataclass(frozen=True, eq=False)
class Request:
    """One body of POST /v1/messages.

    `fields` is the body with an empty list where its messages stood (any other
    value of `messages` is left as sent, for the refusals to see). The first
    `length` messages of `conversation` are this request's.
    """

    fields: dict[str, Any]
    conversation: Conversation
    length: int
    known_frame: str | None = field(default=None, repr=False)  # where it is written out already

    @classmethod
    def of(cls, body: dict[str, Any]) -> "Request":
        """A request that extends no other."""
        messages = body.get("messages")
        if not isinstance(messages, list):
            return cls(body, Conversation([]), 0)
        return cls({**body, "messages": []}, Conversation(messages), len(messages))

    @property
    def messages(self) -> list[Message]:
        """This request's messages, as a list of its own."""
        return self.conversation.messages[: self.length]

    @property
    def body(self) -> dict[str, Any]:
        """The whole body, as it was sent."""
        return {**self.fields, "messages": self.messages} if self.fields.get("messages") == [] else self.fields

    @cached_property
    def frame(self) -> str:
        """The body without its messages, as the JSON text that is counted."""
        return self.known_frame or json.dumps(self.fields, ensure_ascii=False)

    def with_messages(self, conversation: Conversation) -> "Request":
        """The same fields around all messages of a conversation."""
        return Request(self.fields, conversation, len(conversation.messages), self.frame)

    def read(self, fold: Fold[State]) -> State:
        """The fold's state after this request's messages; afresh when the conversation has gone on without it."""
        if self.length == len(self.conversation.messages):
            return self.conversation.read(fold)
        return Conversation(self.messages).read(fold)
