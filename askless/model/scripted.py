"""The scripted model: the protocol's rules around a task's script.

A script says what it wants next. What holds for every task is the equipment's:

1. parallel by default      here: a reply takes every call that a script asks for
2. split results end it     here: `_Heard.split` (catalog: parallel-split-results)
3. `tool_choice`            here: `Choice`
4. tools are read           tools.py reads what is offered, reading.py what came back, plan.py chooses
5. vague costs a trial      plan.py
6. errors are read          advice.py reads them, learning.py acts on them
7. invalid input            slips.py
8. truncation               cut.py
9. the final text           the script's
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar

from askless.api.conversation import Fold, Message, Request
from askless.model import Reply
from askless.model.cut import fit
from askless.model.plan import Call
from askless.model.reading import Result
from askless.model.slips import Slips

Known = TypeVar("Known")
Definition = Mapping[str, Any]

NUMBERED = re.compile(r"[A-Za-z]+_(\d{4,18})_")  # an id that a model gave


@dataclass(frozen=True)
class Ask:
    """Calls that depend on nothing unknown, in order. They may be lazy: only those that fit the reply are taken."""

    calls: Iterable[Call]


@dataclass(frozen=True)
class Say:
    """The final text; `forced` is the call to make where the request demands one all the same."""

    text: str
    forced: Call | None = None


class Script(Protocol[Known]):
    """A task's side of the scripted model: a fold over what a conversation teaches, and what to want next."""

    def start(self) -> Known:
        """What is known before anything was said; it may be changed in place."""
        ...

    def hear(self, known: Known, text: str, fresh: bool) -> Known:
        """Take a user's text; `fresh` where it is the first since the model's last final text."""
        ...

    def read(self, known: Known, call: Call, result: Result) -> Known:
        """Take the result of one call."""
        ...

    def want(self, known: Known, tools: Sequence[Definition], parallel: bool) -> Ask | Say:
        """What to do next with the tools on offer; `known` is left as it is.

        `parallel` is whether the reply may hold several calls.
        """
        ...


@dataclass
class _Heard(Generic[Known]):
    """A conversation, as far as it has been read."""

    known: Known
    fresh: bool = True  # the next text opens a question
    number: int = 0  # the highest in an id
    open_calls: dict[str, Call] = field(default_factory=dict)  # of the last reply, by id
    result_messages: int = 0  # user messages since the last reply that held results
    split: bool = False  # results of a parallel reply came in several messages
    slips: Slips = field(default_factory=Slips)


class Scripted(Generic[Known]):
    """A Model that answers as a task's script wants; a pure function of the request."""

    def __init__(self, script: Script[Known]) -> None:
        self._script = script
        self._fold: Fold[_Heard[Known]] = Fold(lambda: _Heard(script.start()), self._hear)

    def __call__(self, request: Request) -> Reply:
        """The reply to a request that the rules have let through."""
        heard = request.read(self._fold)
        choice = Choice.of(request.fields)
        tools = choice.offered(request.fields.get("tools"))
        parallel = not choice.single and not heard.split
        wish = self._script.want(heard.known, tools, parallel)
        calls = heard.slips.inputs(_calls(wish, choice, tools), tools)
        first = next(calls, None)
        if first is None:
            return fit(_texts(wish.text if isinstance(wish, Say) else heard.slips.apology), request.fields, tools)
        inputs = chain([first], calls) if parallel else [first]
        return fit(_tool_uses(inputs, heard.number), request.fields, tools)

    def _hear(self, heard: _Heard[Known], index: int, message: Message) -> _Heard[Known]:
        if message.get("role") == "assistant":
            _hear_reply(heard, message)
        elif message.get("role") == "user":
            self._hear_user(heard, message)
        return heard

    def _hear_user(self, heard: _Heard[Known], message: Message) -> None:
        content = blocks(message)
        if "tool_result" in [block.get("type") for block in content]:
            heard.result_messages += 1
            heard.split |= heard.result_messages > 1
        for block in content:
            if block.get("type") == "text" and isinstance(block.get("text"), str):
                heard.known = self._script.hear(heard.known, block["text"], heard.fresh)
                heard.fresh = False
            elif block.get("type") == "tool_result" and block.get("tool_use_id") in heard.open_calls:
                call, result = heard.open_calls.pop(block["tool_use_id"]), Result.of(block)
                if result.is_error and _misnamed(block["tool_use_id"], call.name):
                    continue
                heard.slips.note(call, result)
                heard.known = self._script.read(heard.known, call, result)


def blocks(message: Message) -> list[dict[str, Any]]:
    """A message's content blocks; a string is one text."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _hear_reply(heard: _Heard[Known], message: Message) -> None:
    """Take one of the model's own replies."""
    calls = [block for block in blocks(message) if block.get("type") == "tool_use"]
    heard.fresh = not calls
    heard.result_messages = 0
    heard.open_calls = {call["id"]: Call(call["name"], call["input"]) for call in calls}
    for call in calls:
        match = NUMBERED.match(call["id"])
        heard.number = max(heard.number, int(match[1]) if match else 0)


def _misnamed(id_: str, name: str) -> bool:
    """Whether the model named another tool than it meant, which its id still says: an error then is no tool's word."""
    match = NUMBERED.match(id_)
    return match is not None and id_[match.end() :] != name


@dataclass(frozen=True)
class Choice:
    """What a request's `tool_choice` allows (catalog: tool-choice-options, disable-parallel)."""

    type: str  # auto, any, tool, none
    name: str | None
    single: bool  # disable_parallel_tool_use

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Choice":
        """The choice of a request's fields; without one it is auto."""
        given = fields.get("tool_choice") or {}
        return cls(given.get("type", "auto"), given.get("name"), bool(given.get("disable_parallel_tool_use")))

    @property
    def forced(self) -> bool:
        """Whether the reply must hold a call."""
        return self.type in ("any", "tool")

    def offered(self, tools: Any) -> list[Definition]:
        """The tools that may be called."""
        listed = [] if self.type == "none" else tools or []
        return [tool for tool in listed if self.type != "tool" or tool.get("name") == self.name]


def _calls(wish: Ask | Say, choice: Choice, tools: Sequence[Definition]) -> Iterator[Call]:
    """The calls that a reply is to hold."""
    if isinstance(wish, Ask):
        return iter(wish.calls)
    if not choice.forced:
        return iter(())
    return iter([wish.forced or Call(str(tools[0].get("name")), {})])


def _tool_uses(inputs: Iterable[tuple[str, dict[str, Any]]], number: int) -> Iterator[dict[str, Any]]:
    """The blocks of calls; their ids count on from the highest in the conversation."""
    for at, (name, given) in enumerate(inputs, start=number + 1):
        yield {"type": "tool_use", "id": f"toolu_{at:04d}_{name}", "name": name, "input": given}


def _texts(text: str) -> Iterator[dict[str, Any]]:
    if text:
        yield {"type": "text", "text": text}
