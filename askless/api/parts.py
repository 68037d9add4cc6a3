"""A request split into parts, and the characters and tokens of each.

Characters are those of the body as JSON with Python's default separators;
tokens are characters divided by four, rounded down. They show the shape of a
cost, they are no bill (catalog: glossary-tokens, chars-per-token-new).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Literal

from askless.api.conversation import Fold, Message, Request
from askless.api.remembered import remembered

CHARS_PER_TOKEN = 4
SEPARATOR_CHARS = len(", ")

Kind = Literal["user", "assistant", "results", "system", "tools", "rest"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a request as sent: where it stood, what it is, its size, and a digest to know it by."""

    label: str  # messages.0, system, tools, rest
    kind: Kind
    chars: int
    digest: bytes = field(repr=False, default=b"")


def _encoder() -> Callable[[Any], str]:
    """JSON with Python's default separators, by the C encoder that `JSONEncoder.encode` makes for each value."""
    plain = json.JSONEncoder(ensure_ascii=False)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # this is not CPython
        return plain.encode
    chunks = make(None, plain.default, json.encoder.encode_basestring, None, ": ", ", ", False, False, True)
    return lambda value: "".join(chunks(value, 0))


as_json = _encoder()  # the JSON text that is counted


def tokens(chars: int) -> int:
    """Characters to tokens."""
    return chars // CHARS_PER_TOKEN


def output_chars(content: list[dict[str, Any]]) -> int:
    """The characters of a reply's content blocks."""
    return len(as_json(content))


def kind_of(message: Message) -> Kind:
    """Who speaks in a message; a user message that holds tool results is `results`."""
    if message.get("role") == "assistant":
        return "assistant"
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            return "results"
    return "user"


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _joined(*digests: bytes) -> bytes:
    return blake2b(b"".join(digests), digest_size=16).digest()


def _part(label: str, kind: Kind, value: Any) -> Part:
    text = as_json(value)
    return Part(label, kind, len(text), _digest(text))


@dataclass
class _Measured:
    """Of some messages, for each: where it ends in characters, those before it counted in, and its digest."""

    ends: list[int] = field(default_factory=lambda: [0])
    digests: list[bytes] = field(default_factory=list)
    chain: bytes = b""  # a digest of all those digests


def _measure(measured: _Measured, index: int, message: Message) -> _Measured:
    text = as_json(message)
    digest = _digest(text)
    measured.ends.append(measured.ends[-1] + len(text))
    measured.digests.append(digest)
    measured.chain = _joined(measured.chain, digest)
    return measured


MEASURED = Fold(_Measured, _measure)


def message_parts(request: Request, start: int = 0) -> list[Part]:
    """The parts of a request's messages from `start` on."""
    measured, messages = request.conversation.read(MEASURED), request.conversation.messages
    return [_message_part(measured, at, messages[at]) for at in range(start, request.length)]


def _message_part(measured: _Measured, at: int, message: Any) -> Part:
    kind = kind_of(message) if isinstance(message, dict) else "user"
    return Part(f"messages.{at}", kind, measured.ends[at + 1] - measured.ends[at], measured.digests[at])


@remembered(64)
def _frame_parts(frame: str) -> tuple[Part, ...]:
    """The parts of a frame's JSON text, for a body of no messages; a run sends few different ones."""
    fields = json.loads(frame)
    named: list[Literal["system", "tools"]] = [name for name in ("system", "tools") if name in fields]
    parts = [_part(name, name, fields.pop(name)) for name in named]
    rest = _part("rest", "rest", fields)
    return (*parts, replace(rest, chars=len(frame) - sum(part.chars for part in parts)))


def frame_parts(request: Request) -> list[Part]:
    """What surrounds the messages: the system prompt if any, the tools if any, and the rest."""
    *named, rest = _frame_parts(request.frame)
    return [*named, Part(rest.label, rest.kind, rest.chars + _between(request), rest.digest)]


def _between(request: Request) -> int:
    return max(0, request.length - 1) * SEPARATOR_CHARS


def split(request: Request) -> list[Part]:
    """Every part of a request, in the order shown; their characters add up to the whole."""
    return message_parts(request) + frame_parts(request)


def message_chars(request: Request) -> int:
    """The characters of a request's messages, without what stands between them."""
    return request.conversation.read(MEASURED).ends[request.length]


def chars(request: Request) -> int:
    """The characters of a whole request."""
    return message_chars(request) + _between(request) + len(request.frame)


def input_tokens(request: Request) -> int:
    """The tokens of a whole request."""
    return tokens(chars(request))


def digest(request: Request) -> str:
    """A digest of a whole request, 24 hexadecimal digits; equal bodies have equal ones."""
    frame = (part.digest for part in frame_parts(request))
    return _joined(request.read(MEASURED).chain, *frame).hex()[:24]
