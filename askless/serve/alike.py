"""A model that remembers its replies: conversations that say the same are answered once.

The learners of a workshop ask the same desk the same things. What differs between
their runs is the ids of calls, and a model reads no id but those it numbered itself.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from typing import Any

from askless.api.conversation import Fold, Message, Request
from askless.api.parts import as_json, frame_parts
from askless.model import Model, Reply
from askless.model.scripted import NUMBERED, blocks

REMEMBERED = 1024  # replies
SHORT_CHARS = 32 * 1024  # of a reply that is remembered


@dataclass
class _Said:
    """What some messages say to a model."""

    digest: bytes = b""
    ids: dict[str, int] = field(default_factory=dict)  # in the order in which they came


class Alike:
    """A Model that asks another where it does not remember what that one said; safe to share between threads."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._replies: OrderedDict[bytes, Reply] = OrderedDict()
        self._lock = Lock()

    def __call__(self, request: Request) -> Reply:
        """The other model's reply."""
        key = _key(request)
        with self._lock:
            known = self._replies.get(key)
            if known is not None:
                self._replies.move_to_end(key)
        return known or self._remember(key, self._model(request))

    def _remember(self, key: bytes, reply: Reply) -> Reply:
        if reply.chars <= SHORT_CHARS:
            with self._lock:
                self._replies[key] = reply
                if len(self._replies) > REMEMBERED:
                    self._replies.popitem(last=False)
        return reply


def _key(request: Request) -> bytes:
    return b"".join((request.read(_SAID).digest, *(part.digest for part in frame_parts(request))))


def _hear(said: _Said, _: int, message: Message) -> _Said:
    heard = as_json([message.get("role"), [_block(block, said.ids) for block in blocks(message)]])
    said.digest = blake2b(said.digest + heard.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return said


_SAID = Fold(_Said, _hear)


def _block(block: dict[str, Any], ids: dict[str, int]) -> list[Any]:
    """What a model reads of a block."""
    match block.get("type"):
        case "tool_use":
            return [_id(block["id"], ids), block["name"], block["input"]]
        case "tool_result":
            return [_id(block["tool_use_id"], ids), block.get("content"), block.get("is_error")]
        case kind:
            return [kind, block.get("text")]


def _id(id_: str, ids: dict[str, int]) -> str | int:
    """An id that a model numbered, or which of the others it is."""
    return id_ if NUMBERED.match(id_) else ids.setdefault(id_, len(ids))
