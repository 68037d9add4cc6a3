"""Where a request may mark its prefix for the prompt cache (cache_control)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from askless.api.conversation import Message
from askless.api.refusal import Refusal, Rule, invalid
from askless.api.shape import Nullable, OneOf, Record, Tagged

MARKS_AT_MOST = 4

CACHE_CONTROL = Nullable(Tagged({"ephemeral": Record({"type": OneOf(("ephemeral",))}, {"ttl": OneOf(("5m", "1h"))})}))

TOO_MANY_MARKS = invalid(
    "cache-marks",
    what="At most four blocks of a request carry cache_control; the tools, the system prompt and the messages "
    "count together, and cache_control at the top counts as one.",
    text="A maximum of 4 blocks with cache_control may be provided. Found {found}.",
    mend="Keep cache_control on at most four blocks; the last one of the conversation matters most.",
    known=("tried", "probe-messages-api", "2026-09-29"),
)
MARK_ORDER = invalid(
    "cache-ttl-order",
    what="A mark for one hour comes before every mark for five minutes, in the order tools, system, messages.",
    text="{place}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that "
    "blocks are processed in the following order: `tools`, `system`, `messages`.",
    mend="Give every mark before {place} the ttl 1h too, or this one 5m.",
    known=("reported", "report-cache-ttl-order", "2026-08-12"),
)
MARK_CONFLICT = invalid(
    "cache-ttl-conflict",
    what="cache_control at the top marks the last block; that block may not carry another ttl.",
    text="Top-level cache_control has ttl='{top}' but the target block already has cache_control with ttl='{block}'",
    mend="Give both the same ttl, or remove one of them.",
    known=("reported", "report-cache-ttl-conflict", "2026-04-03"),
)
MARK_ON_NOTHING = invalid(
    "cache-empty-text",
    what="An empty text block cannot carry cache_control.",
    text="{place}: cache_control cannot be set for empty text blocks",
    mend="Leave the empty block out, and mark the block before it.",
    known=("reported", "report-cache-empty-text", "2026-08-30"),
)
RULES: tuple[Rule, ...] = (TOO_MANY_MARKS, MARK_ORDER, MARK_CONFLICT, MARK_ON_NOTHING)


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

    def hear(self, index: int, message: Message) -> None:
        """Take in a message whose shape is right."""
        self.last = None
        content = message["content"]
        for at, block in enumerate(content if isinstance(content, list) else ()):
            self.last = mark(f"messages.{index}.content.{at}", block)
            for each in (*_inner_marks(index, at, block), self.last):
                if each:
                    self._note(each)

    def _note(self, each: Mark) -> None:
        self.found += 1
        if each.ttl == "5m":
            self.short = True
            return
        self.first_long = self.first_long or each
        if self.short:
            self.disorder = self.disorder or each


def _inner_marks(index: int, at: int, block: dict[str, Any]) -> Iterator[Mark | None]:
    """The marks inside a tool result."""
    if block["type"] == "tool_result" and isinstance(block.get("content"), list):
        for inner, each in enumerate(block["content"]):
            yield mark(f"messages.{index}.content.{at}.tool_result.content.{inner}", each)


def refusal(frame: tuple[Mark, ...], top: Any, marks: Marks) -> Refusal | None:
    """The refusal of a request's marks: those of its frame, `cache_control` at its top, and its messages'."""
    automatic = mark("cache_control", {"cache_control": top})
    if automatic and marks.last and automatic.ttl != marks.last.ttl:
        return MARK_CONFLICT.refuse("cache_control", top=automatic.ttl, block=marks.last.ttl)
    found = len(frame) + marks.found + bool(automatic and not marks.last)
    if found > MARKS_AT_MOST:
        return TOO_MANY_MARKS.refuse("", found=found)
    late = _late(frame, automatic, marks)
    return MARK_ORDER.refuse(_ttl(late)) if late else None


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
