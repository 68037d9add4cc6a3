"""A request's messages, checked as one fold: an appended conversation costs only what is new."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from askless.api import blocks
from askless.api.cache_marks import Marks
from askless.api.conversation import Fold, Message
from askless.api.pairing import Pairing
from askless.api.refusal import Refusal, refuse
from askless.api.usual import is_usual


@dataclass
class Checked:
    """What is known of some messages; the first fault of shape ends the reading."""

    shape: Refusal | None = None
    empty_last: Refusal | None = None  # the last message is an empty one of the assistant: a fault once another follows
    system_at: int = -1  # the first message of the role system
    tools_at: str = ""  # the first call or result
    references: list[tuple[str, str]] = field(default_factory=list)  # places, and the tools that results name there
    marks: Marks = field(default_factory=Marks)
    pairing: Pairing = field(default_factory=Pairing)


def _check(checked: Checked, index: int, message: Message) -> Checked:
    usual = is_usual(message)
    checked.shape = checked.shape or checked.empty_last or (None if usual else blocks.refusal(index, message))
    if checked.shape is None:
        _hear(checked, index, message, usual)
    return checked


def _hear(checked: Checked, index: int, message: Message, usual: bool) -> None:
    if not message["content"]:
        checked.empty_last = refuse("message-empty", f"messages.{index}")
    if message["role"] == "system" and checked.system_at < 0:
        checked.system_at = index
    if not checked.tools_at:
        checked.tools_at = _first_tool_block(index, message)
    if usual:
        checked.marks.pass_over()
    else:
        checked.marks.hear(index, message)
        checked.references += _references(index, message)
    checked.pairing.hear(index, message)


def _first_tool_block(index: int, message: Message) -> str:
    for at, block in enumerate(message["content"] if isinstance(message["content"], list) else ()):
        if block["type"] in ("tool_use", "tool_result"):
            return f"messages.{index}.content.{at}"
    return ""


def _references(index: int, message: Message) -> Iterator[tuple[str, str]]:
    for at, block in enumerate(message["content"] if isinstance(message["content"], list) else ()):
        content = block.get("content") if block["type"] == "tool_result" else None
        for inner, part in enumerate(content if isinstance(content, list) else ()):
            if part["type"] == "tool_reference":
                yield f"messages.{index}.content.{at}.tool_result.content.{inner}", part["tool_name"]


MESSAGES = Fold(Checked, _check)
