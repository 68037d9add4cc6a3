"""Where a request may mark its prefix for the prompt cache (cache_control)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from askless.api.conversation import Message
from askless.api.refusal import Refusal, refuse
from askless.api.shape import Nullable, OneOf, Record, Tagged

MARKS_AT_MOST = 4

CACHE_CONTROL = Nullable(Tagged({"ephemeral": Record({"type": OneOf(("ephemeral",))}, {"ttl": OneOf(("5m", "1h"))})}))


@dataclass(frozen=True)
class Mark:
    """A block that carries cache_control."""

    place: str
    ttl: str


def mark(place: str, block: Any) -> Mark | None:
    """The mark on a block of any shape."""
    control = block.get("cache_control") if isinstance(block, dict) else None
    return Mark(place, control.get("ttl") or "5m") if isinstance(control, dict) else None


def frame_marks(fields: dict[str, Any]) -> tuple[Mark, ...]:
    """The marks on the tools and the system prompt, in the order in which they count."""
    blocks = ((f"{name}.{at}", block) for name in ("tools", "system") for at, block in enumerate(_list(fields, name)))
    return tuple(filter(None, (mark(place, block) for place, block in blocks)))


def _list(fields: dict[str, Any], name: str) -> list[Any]:
    value = fields.get(name)
    return value if isinstance(value, list) else []


@dataclass
class Marks:
    """The marks along a conversation, as far as they decide what may still come."""

    found: int = 0
    short: bool = False  # one of five minutes was seen
    first_long: Mark | None = None  # the first of an hour
    disorder: Mark | None = None  # the first of an hour after one of five minutes
    last: Mark | None = None  # the mark on the very last block

    def pass_over(self) -> None:
        """Take in a message without marks."""
        self.last = None

    def hear(self, index: int, message: Message) -> None:
        """Take in a message whose shape is right."""
        self.last = None
        content = message["content"]
        for at, block in enumerate(content if isinstance(content, list) else ()):
            for each in _inner_marks(index, at, block) if isinstance(block.get("content"), list) else ():
                self._note(each)
            self.last = mark(f"messages.{index}.content.{at}", block) if block.get("cache_control") else None
            self._note(self.last)

    def _note(self, each: Mark | None) -> None:
        if each is None:
            return
        self.found += 1
        if each.ttl == "5m":
            self.short = True
            return
        self.first_long = self.first_long or each
        if self.short:
            self.disorder = self.disorder or each


def _inner_marks(index: int, at: int, block: dict[str, Any]) -> Iterator[Mark | None]:
    """The marks inside a tool result whose content is a list."""
    for inner, each in enumerate(block["content"] if block["type"] == "tool_result" else ()):
        yield mark(f"messages.{index}.content.{at}.tool_result.content.{inner}", each)


def refusal(frame: tuple[Mark, ...], top: Any, marks: Marks) -> Refusal | None:
    """The refusal of a request's marks: those of its frame, `cache_control` at its top, and its messages'."""
    automatic = mark("cache_control", {"cache_control": top})
    if automatic and marks.last and automatic.ttl != marks.last.ttl:
        return refuse("cache-ttl-conflict", "cache_control", top=automatic.ttl, block=marks.last.ttl)
    found = len(frame) + marks.found + bool(automatic and not marks.last)
    if found > MARKS_AT_MOST:
        return refuse("cache-marks", "", found=found)
    late = _late(frame, automatic, marks)
    return refuse("cache-ttl-order", _ttl(late)) if late else None


def _late(frame: tuple[Mark, ...], automatic: Mark | None, marks: Marks) -> Mark | None:
    """The first mark for an hour that comes after one for five minutes."""
    short = False
    for each in frame:
        if each.ttl == "1h" and short:
            return each
        short = short or each.ttl == "5m"
    if short and marks.first_long:
        return marks.first_long
    if marks.disorder:
        return marks.disorder
    return automatic if automatic and automatic.ttl == "1h" and (short or marks.short) else None


def _ttl(late: Mark) -> str:
    return f"{late.place}.ttl" if late.place == "cache_control" else f"{late.place}.cache_control.ttl"
