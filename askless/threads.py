"""Message threads: conversations that the service holds, so that a request sends only what is new.

The SDK's `tool_runner` uses them by default. A request with `thread` stands for a
full one; that one is checked, answered and counted (DESIGN 3).
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from askless.api.conversation import Conversation, Message, Request

HELD = 4096  # replies at once; an older one is `thread_not_found`, upon which the SDK sends the whole again

CREATE_ONLY = ("system", "tools")  # taken from the thread; a continuing request may not repeat them
PINNED = ("model", "thinking", "tool_choice", "cache_control")  # a continuing request must repeat them unchanged


class ThreadError(Exception):
    """A `thread` that cannot be followed: the rule it breaks, where, and what the rule's text is filled with."""

    def __init__(self, rule: str, place: str, **values: str) -> None:
        super().__init__(rule, place)
        self.rule = rule
        self.place = place
        self.values = values


@dataclass(frozen=True)
class _Turn:
    """A reply that may be continued, and the full request that it answered."""

    request: Request
    reply: Message


class Threads:
    """The replies of one service that may be continued. Its owner keeps other threads of execution out.

    A reply may be continued more than once, unlike the API's: two clients that ask
    the same get the same id from a model that is a pure function of the request.
    """

    def __init__(self) -> None:
        self._turns: OrderedDict[str, _Turn] = OrderedDict()

    def expand(self, request: Request) -> Request:
        """The full request that a request stands for; itself when it has no `thread`. Raises ThreadError."""
        match request.fields.get("thread"):
            case None:
                return without_thread(request)
            case {"type": "create"}:
                return without_thread(request)
            case {"type": "continue", "previous_message_id": str(previous)}:
                return self._continue(request, previous)
        raise ThreadError("field-value", "thread", expected="of type create, or continue with a previous_message_id")

    def keep(self, request: Request, reply: dict[str, Any]) -> None:
        """Remember a reply to a full request, for a later request to continue from."""
        self._turns[reply["id"]] = _Turn(request, {"role": "assistant", "content": reply["content"]})
        if len(self._turns) > HELD:
            self._turns.popitem(last=False)

    def _continue(self, request: Request, previous: str) -> Request:
        turn = self._turns.get(previous)
        if turn is None:
            raise ThreadError("thread-lost", "thread.previous_message_id", id=previous)
        _check_fields(request.fields, turn.request.fields)
        held = {name: turn.request.fields[name] for name in CREATE_ONLY if name in turn.request.fields}
        conversation = _extended(turn.request, [turn.reply, *request.messages])
        fields = {**without_thread(request).fields, **held}
        return Request(fields, conversation, turn.request.length + 1 + request.length)


def without_thread(request: Request) -> Request:
    """The request without that field."""
    if "thread" not in request.fields:
        return request
    fields = {name: value for name, value in request.fields.items() if name != "thread"}
    return Request(fields, request.conversation, request.length)


def _check_fields(sent: dict[str, Any], held: dict[str, Any]) -> None:
    for name in CREATE_ONLY:
        if name in sent:
            raise ThreadError("field-unknown", name)
    for name in PINNED:
        if sent.get(name) != held.get(name):
            raise ThreadError("thread-changed", name)


def _extended(request: Request, added: list[Message]) -> Conversation:
    """The request's conversation with messages added; a branch of its own where it has gone on in another way."""
    conversation = request.conversation
    beyond = conversation.messages[request.length :]
    if not beyond:
        conversation.messages.extend(added)
    elif beyond != added:
        return Conversation([*request.messages, *added])
    return conversation
