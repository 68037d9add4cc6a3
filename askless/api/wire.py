"""Bodies off the wire; of an appended-to conversation, only what is new is parsed.

An agent resends its whole conversation each time. Its bytes up to the last known
message are compared, not parsed, and the messages already read are used again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from json import JSONDecoder
from math import isfinite
from typing import Any, NoReturn

from askless.api.conversation import LONGEST, Conversation, Message, Request
from askless.api.depth import is_too_deep
from askless.api.remembered import remembered

SPACE = " \t\n\r"  # in JSON there is no other
NO_FIELD = r"\u0000"  # how JSON writes a name that no body gives
REMEMBERED = 8  # conversations at once; an agent that interleaves more is read afresh, not wrongly


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _refuse_constant(digits)


_decoder = JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)


@dataclass(frozen=True)
class _Tip:
    """A body's bytes up to the end of its last message, those after it, and what they were read as."""

    prefix: bytes
    suffix: bytes
    head: str  # what stands before the messages
    around: Request  # the body without its messages
    conversation: Conversation
    length: int

    @property
    def is_last(self) -> bool:
        """Whether its conversation has not gone on without it."""
        return self.length == len(self.conversation.messages)

    def between(self, data: bytes) -> bytes | None:
        """What a body that begins alike says before it ends alike; None where it does not end so."""
        end = len(data) - len(self.suffix)
        return data[len(self.prefix) : end] if data.endswith(self.suffix) and end >= len(self.prefix) else None


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
        for tip in self._tips_of(data):
            between = tip.between(data)
            return len(data) - len(tip.prefix) if between is None else len(between)
        return len(data)

    def _tips_of(self, data: bytes) -> Iterator[_Tip]:
        """The conversations that a body may add to, the last first."""
        return (tip for tip in reversed(self._tips) if data.startswith(tip.prefix) and tip.is_last)

    def _continue(self, data: bytes) -> Request | None:
        """A request that adds to a known conversation."""
        tips = self._tips_of(data)
        return next(filter(None, (self._read_between(data, tip) or self._read_after(data, tip) for tip in tips)), None)

    def _read_between(self, data: bytes, tip: _Tip) -> Request | None:
        """A body that ends as the one before: only its new messages are looked at."""
        between = tip.between(data)
        if between is None:
            return None
        text = f"[null{between.decode()}]"
        try:
            _, *added = _decoder.decode(text)
        except ValueError:
            return None
        return self._grow(data, text, added, tip)

    def _read_after(self, data: bytes, tip: _Tip) -> Request | None:
        """A body that goes on as it may: its new messages, and other fields after them."""
        rest = data[len(tip.prefix) :].decode().lstrip(SPACE)
        if not rest.startswith((",", "]")):
            return None
        return self._read_rest(data, f"[null{rest}", tip.head, tip.conversation)

    def _begin(self, data: bytes) -> Request | None:
        """A request that begins a conversation, where its messages stand in the body as a list."""
        before, name, after = data.decode().partition('"messages"')
        colon, bracket, rest = after.partition("[")
        if not name or colon.strip(SPACE) != ":" or not bracket:
            return None
        return self._read_rest(data, f"[null,{rest}", before, Conversation([]))

    def _read_rest(self, data: bytes, text: str, head: str, conversation: Conversation) -> Request | None:
        """The rest of a body: `text` is its new messages as a list that opens with a null, and the fields after it."""
        try:
            (_, *added), end = _decoder.raw_decode(text)
            around = _around(head, text[end:])
        except ValueError:  # the name of the messages stood inside another value, or a field is given twice
            return None
        tip = _Tip(b"", text[end - 1 :].encode(), head, around, conversation, 0)
        return self._grow(data, text[:end], added, tip)

    def _grow(self, data: bytes, text: str, added: list[Message], tip: _Tip) -> Request:
        """A conversation with what was `added` to it, as `text` has it; the body ends as the tip does."""
        if is_too_deep(text, added):
            raise RecursionError
        tip.conversation.messages.extend(added)
        prefix = data[: len(data) - len(tip.suffix)].rstrip()
        self._remember(replace(tip, prefix=prefix, length=len(tip.conversation.messages)))
        return tip.around.with_messages(tip.conversation)

    def _remember(self, newest: _Tip) -> None:
        others = [tip for tip in self._tips if tip.conversation is not newest.conversation]
        self._tips = [*others, newest][-REMEMBERED:] if 0 < newest.length <= LONGEST else others


@remembered(32)
def _around(head: str, tail: str) -> Request:
    """The body around a list of messages, as a request of none. A run sends few different ones; they are shared."""
    before, after = _object(f'{head}"messages": []}}'), _object(f'{{"{NO_FIELD}": null{tail}')
    del after["\0"]
    if NO_FIELD in tail or after.keys() & before.keys():
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
