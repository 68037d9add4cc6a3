"""A request as the prompt cache sees it: blocks in a row, each with a key of everything up to it.

The messages' blocks are a fold, so along an append-only conversation only what
is new is read; those of tools and system prompt are kept by the frame's JSON text.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from askless.api import cache_marks
from askless.api.conversation import Fold, Message, Request
from askless.api.messages import MESSAGES
from askless.api.parts import SEPARATOR_CHARS, as_json, tokens
from askless.api.remembered import remembered

BRACKETS_CHARS = len("[]")
LIFETIMES_S = {"5m": 300, "1h": 3_600}
RUNS = ("tool_use", "tool_result")  # neighbours of one of these kinds share a position
UNMARKABLE = ("thinking", "redacted_thinking")
FIELD = "cache_control"
IMAGE = '"type": "image"'

Key = tuple[bytes, bytes]  # of what stands before the messages, and of the messages


class Block(NamedTuple):
    """The end of a prefix."""

    key: bytes
    chars: int  # of the prefix, marks left out
    position: int


class Mark(NamedTuple):
    """A block whose prefix is to be cached."""

    block: int
    lifetime_s: int


@dataclass
class Path:
    """Some blocks in a row, and what a further one needs to know of them."""

    blocks: list[Block] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    key: bytes = b""
    chars: int = 0
    kind: str = ""  # of the last block
    images: bool = False
    markable: int | None = None  # the last block that may be marked

    def add(self, block: dict[str, Any], spoken_by: str = "", chars: int | None = None) -> None:
        """Put a block at the end; `chars` where it was sent in another form than a block's."""
        text = as_json(block)
        lifetimes = _lifetimes(block) if FIELD in text else []
        text = as_json(_bare(block)) if lifetimes else text
        self.key = digest(self.key, spoken_by, text)
        self.chars += len(text) if chars is None else chars
        self.images = self.images or IMAGE in text
        self._place(block.get("type") or "", lifetimes)

    def _place(self, kind: str, lifetimes: list[int]) -> None:
        at = len(self.blocks)
        runs_on = at > 0 and kind in RUNS and kind == self.kind
        position = self.blocks[-1].position + (not runs_on) if at else 0
        self.kind = kind
        self.blocks.append(Block(self.key, self.chars, position))
        self.marks += [Mark(at, max(lifetimes))] if lifetimes else []
        self.markable = self.markable if kind in UNMARKABLE else at


@dataclass(frozen=True)
class Prefixes:
    """Every prefix of one request, by the number of its last block: tools, system prompt, messages."""

    before: Path
    messages: Path
    salt: bytes  # of what messages must have in common besides
    marks: tuple[Mark, ...]

    def block(self, at: int) -> Block:
        """A block by its number; its position and characters count from the request's beginning."""
        held = len(self.before.blocks)
        if at < held:
            return self.before.blocks[at]
        key, chars, position = self.messages.blocks[at - held]
        return Block(key, chars + self.before.chars, position + held)

    def key(self, at: int) -> Key:
        """What equal prefixes share, and only they."""
        block = self.block(at)
        return (block.key, b"") if at < len(self.before.blocks) else (self.salt, block.key)

    def tokens(self, at: int) -> int:
        """The tokens of a prefix."""
        return tokens(self.block(at).chars)

    def back_from(self, at: int, positions: int) -> Iterator[int]:
        """The blocks from one on backwards, as far as so many positions reach."""
        first = self.block(at).position - positions + 1
        while at >= 0 and self.block(at).position >= first:
            yield at
            at -= 1


def marked(request: Request) -> bool:
    """Whether a request that the rules let through marks anything; cheap where it does not."""
    return _names_it(request.frame) or request.read(MESSAGES).marks.found > 0


@remembered(64)
def _names_it(frame: str) -> bool:
    return FIELD in frame


def prefixes(request: Request) -> Prefixes:
    """Every prefix of a request, and its marks in order."""
    before, messages = _before(request.frame), request.read(_PATH)
    held = len(before.blocks)
    marks = [*before.marks, *(Mark(mark.block + held, mark.lifetime_s) for mark in messages.marks)]
    return Prefixes(before, messages, _salt(request.fields, before, messages), (*marks, *_automatic(request, marks)))


def _automatic(request: Request, marks: list[Mark]) -> Iterator[Mark]:
    """The mark that `cache_control` at the top of a request sets on its last block (catalog: cache-automatic)."""
    held, last = len(_before(request.frame).blocks), request.read(_PATH).markable
    found = cache_marks.mark(FIELD, request.fields)
    if found and last is not None and all(mark.block != last + held for mark in marks):
        yield Mark(last + held, LIFETIMES_S[found.ttl])


@remembered(64)
def _before(frame: str) -> Path:
    """Tools and system prompt, in the order that counts; not to be changed."""
    fields = json.loads(frame)
    path = Path(key=digest(b"", "model", fields["model"]))
    _add_all(path, fields.get("tools") or [])
    path.key = digest(path.key, "system", as_json(fields.get("speed") or "standard"))
    system = fields.get("system") or []
    if isinstance(system, str):
        path.add({"type": "text", "text": system}, chars=len(as_json(system)))
    else:
        _add_all(path, system)
    return path


def _add_all(path: Path, blocks: list[dict[str, Any]], spoken_by: str = "") -> None:
    for at, block in enumerate(blocks):
        path.chars += SEPARATOR_CHARS if at else BRACKETS_CHARS
        path.add(block, spoken_by)


def _hear(path: Path, index: int, message: Message) -> Path:
    role, content = message["role"], message["content"]
    path.chars += SEPARATOR_CHARS if index else 0
    if isinstance(content, str):
        path.add({"type": "text", "text": content}, role, len(as_json(message)))
    else:
        path.chars += len(as_json({**message, "content": ""})) - BRACKETS_CHARS
        _add_all(path, content, role)
    return path


_PATH = Fold(Path, _hear)


def _salt(fields: dict[str, Any], before: Path, messages: Path) -> bytes:
    choice = {name: value for name, value in (fields.get("tool_choice") or {}).items() if value is not False}
    besides = [choice or {"type": "auto"}, fields.get("thinking"), fields.get("output_config"), messages.images]
    return digest(before.key, "messages", as_json(besides))


def _lifetimes(block: dict[str, Any]) -> list[int]:
    """The lifetimes that the marks on a block, and on those inside a tool result, ask for."""
    held = [block, *_inner(block)]
    return [LIFETIMES_S[mark.ttl] for mark in (cache_marks.mark("", each) for each in held) if mark]


def _bare(block: dict[str, Any]) -> dict[str, Any]:
    """The block without its marks."""
    bare = _unmarked(block)
    return {**bare, "content": [_unmarked(each) for each in _inner(block)]} if _inner(block) else bare


def _unmarked(block: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in block.items() if name != FIELD}


def _inner(block: dict[str, Any]) -> list[dict[str, Any]]:
    content = block.get("content") if block.get("type") == "tool_result" else None
    return content if isinstance(content, list) else []


def digest(before: bytes, *words: str) -> bytes:
    """A digest of words and of what came before them."""
    text = as_json(words).encode("utf-8", "surrogatepass")
    return blake2b(text, key=before, digest_size=16).digest()
