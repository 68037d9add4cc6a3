"""A request split into parts, and the characters and tokens of each.

Characters are those of the body as JSON with Python's default separators;
tokens are characters divided by four, rounded down: an estimate of the shape,
not a bill (catalog: glossary-tokens, chars-per-token-new).
"""

import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Literal

from askless.api.conversation import Fold, Message, Request

CHARS_PER_TOKEN = 4
SEPARATOR_CHARS = len(", ")

Kind = Literal["user", "assistant", "results", "system", "tools", "rest"]


@dataclass(frozen=True)
class Part:
    """A piece of a request as sent: where it stood, what it is, its size, and a digest to know it by."""

    label: str  # messages.0, system, tools, rest
    kind: Kind
    chars: int
    digest: bytes = field(repr=False, default=b"")


as_json = json.JSONEncoder(ensure_ascii=False).encode  # the JSON text that is counted


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
    blocks = content if isinstance(content, list) else []
    held = any(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks)
    return "results" if held else "user"


def _part(label: str, kind: Kind, value: Any) -> Part:
    text = as_json(value)
    return Part(label, kind, len(text), blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())


@dataclass
class _Measured:
    parts: list[Part] = field(default_factory=list)
    chars: int = 0
    chain: Any = field(default_factory=lambda: blake2b(digest_size=12))  # of the parts' digests


def _measure(measured: _Measured, index: int, message: Message) -> _Measured:
    kind = kind_of(message) if isinstance(message, dict) else "user"
    part = _part(f"messages.{index}", kind, message)
    measured.parts.append(part)
    measured.chars += part.chars
    measured.chain.update(part.digest)
    return measured


MEASURED = Fold(_Measured, _measure)


def message_parts(request: Request, start: int = 0) -> list[Part]:
    """The parts of a request's messages from `start` on."""
    return request.read(MEASURED).parts[start : request.length]


@lru_cache(maxsize=64)
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
    return [*named, replace(rest, chars=rest.chars + _between(request))]


def _between(request: Request) -> int:
    return max(0, request.length - 1) * SEPARATOR_CHARS


def split(request: Request) -> list[Part]:
    """Every part of a request, in the order shown; their characters add up to the whole."""
    return message_parts(request) + frame_parts(request)


def message_chars(request: Request) -> int:
    """The characters of a request's messages, without what stands between them."""
    return request.read(MEASURED).chars


def chars(request: Request) -> int:
    """The characters of a whole request."""
    return message_chars(request) + _between(request) + len(request.frame)


def input_tokens(request: Request) -> int:
    """The tokens of a whole request."""
    return tokens(chars(request))


def digest(request: Request) -> str:
    """A digest of a whole request, 24 hexadecimal digits; equal bodies have equal ones."""
    whole = request.read(MEASURED).chain.copy()
    whole.update(request.frame.encode("utf-8", "surrogatepass"))
    return str(whole.hexdigest())
