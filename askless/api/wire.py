"""Bodies off the wire; of an appended-to conversation, only what is new is parsed.

An agent resends its whole conversation each time. Its bytes up to the last known
message are compared, not parsed, and the messages already read are used again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecoder
from math import isfinite
from typing import Any, NoReturn

from askless.api.conversation import Conversation, Request
from askless.api.depth import is_too_deep
from askless.api.remembered import remembered

REMEMBERED = 8  # conversations at once; an agent that interleaves more is read afresh, not wrongly


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _refuse_constant(digits)


_decoder = JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


@dataclass(frozen=True)
class _Tip:
    """A body's bytes up to the end of its last message, and what they were read as."""

    prefix: bytes
    head: str  # what stands before the messages
    conversation: Conversation
    length: int


class Wire:
    """Reads the request bodies of one run. Its owner keeps other threads out."""

    def __init__(self) -> None:
        self._tips: list[_Tip] = []

    def read(self, data: bytes) -> Request:
        """A request from its bytes.

        Raises ValueError (JSON and UTF-8 errors are kinds of it) where they hold no JSON object.
        """
        try:
            return self._continue(data) or self._begin(data) or _whole(data)
        except RecursionError:
            raise ValueError("nested too deeply") from None

    def new_bytes(self, data: bytes) -> int:
        """How many bytes of a body were not read before, as far as can be told at once."""
        return len(data) - max((len(tip.prefix) for tip in self._tips_of(data)), default=0)

    def _tips_of(self, data: bytes) -> Iterator[_Tip]:
        return (tip for tip in reversed(self._tips) if data.startswith(tip.prefix))

    def _continue(self, data: bytes) -> Request | None:
        """A request that adds to a known conversation."""
        for tip in self._tips_of(data):
            if tip.length == len(tip.conversation.messages):
                rest = data[len(tip.prefix) :].decode().lstrip()
                if rest.startswith((",", "]")):
                    return self._read_rest(data, f"[null{rest}", tip)
        return None

    def _begin(self, data: bytes) -> Request | None:
        """A request that begins a conversation, where its messages stand in the body as a list."""
        before, name, after = data.decode().partition('"messages"')
        colon, bracket, rest = after.partition("[")
        if not name or colon.strip() != ":" or not bracket:
            return None
        return self._read_rest(data, f"[null,{rest}", _Tip(b"", before, Conversation([]), 0))

    def _read_rest(self, data: bytes, text: str, tip: _Tip) -> Request | None:
        """The rest of a body: `text` is its new messages as a list that opens with a null, and the fields after it."""
        try:
            (_, *added), end = _decoder.raw_decode(text)
            around = _around(tip.head, text[end:])
        except ValueError:  # the name of the messages stood inside another value, or a field is given twice
            return None
        if is_too_deep(text, added):
            raise RecursionError
        tip.conversation.messages.extend(added)
        self._remember(data[: len(data) - len(text[end - 1 :].encode())].rstrip(), tip)
        return around.with_messages(tip.conversation)

    def _remember(self, prefix: bytes, tip: _Tip) -> None:
        others = [other for other in self._tips if other.conversation is not tip.conversation]
        newest = _Tip(prefix, tip.head, tip.conversation, len(tip.conversation.messages))
        self._tips = [*others, newest][-REMEMBERED:] if newest.length else others


@remembered(32)
def _around(head: str, tail: str) -> Request:
    """The body around a list of messages, as a request of none. A run sends few different ones; they are shared."""
    before, after = _object(f'{head}"messages": []}}'), _object(f'{{"messages": null{tail}')
    if after.keys() & before.keys() != {"messages"} or after.pop("messages") is not None:
        raise ValueError("a field is given twice")
    return Request({**before, **after}, Conversation([]), 0)


def _whole(data: bytes) -> Request:
    return Request.of(_object(data.decode()))


def _object(text: str) -> dict[str, Any]:
    value = _decoder.decode(text)
    if is_too_deep(text, value):
        raise RecursionError
    if not isinstance(value, dict):
        raise ValueError("the body is not a JSON object")
    return value
