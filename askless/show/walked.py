"""A trace as a page shows it: bars by who first sent what, and each request part by part, with its reply.

A message that an earlier request has sent already is not written out again: it says where it stands. So a page
is as long as what was sent for the first time, however often it was sent.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from askless.api.parts import Kind
from askless.show.segments import NAMES
from askless.trace import NO_RESPONSE, RoundTrip, Sent, Trace

SPEAKERS: dict[Kind, str] = {
    "user": "your program says",
    "assistant": "the model said",
    "results": "your program answers its calls",
    "system": "system prompt",
    "tools": "tools offered",
    "rest": "the rest",
}
REST = "the model's name, limits, field names, and the brackets and commas between messages"
FIRST_CHARS = 2_000  # of a long text that are shown at once
CHUNK_CHARS = 20_000  # in which the rest of it is laid out, each only when it comes into sight
LOOKS = 8  # fillings of bars; they begin again after the eighth request

# Control characters and those that turn text around: they would hide what stands there.
HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True)
class Text:
    """A text as it may be shown: what is seen at once, and the rest in pieces."""

    first: str
    rest: tuple[str, ...]
    chars: int


@dataclass(frozen=True)
class Block:
    """A piece of a message: text, a call, a result, a tool; `head` names it."""

    kind: str
    head: str
    text: Text
    error: bool = False


@dataclass(frozen=True)
class Part:
    """A part of a request; `stands` is where its blocks are written out, None where they are here.

    `replied` is the request whose reply said the same, word for word.
    """

    kind: Kind
    label: str
    title: str
    chars: int
    first_sent: int
    blocks: tuple[Block, ...]
    stands: int | None
    replied: int | None = None

    @property
    def name(self) -> str:
        """Its kind in a word or two."""
        return NAMES[self.kind]


@dataclass(frozen=True)
class Piece:
    """A piece of a bar, in tokens and as shares of the figure's widest bar."""

    first_sent: int
    look: int
    tokens: int
    left_percent: float
    wide_percent: float


@dataclass(frozen=True)
class Request:
    """One round trip."""

    index: int
    trip: RoundTrip
    parts: tuple[Part, ...]
    pieces: tuple[Piece, ...]
    reply: tuple[Block, ...]
    results: tuple[Block, ...]
    refusal: tuple[tuple[str, str], ...]

    @property
    def anchor(self) -> str:
        """Its place on the page, below the run's own name."""
        return f"{self.trip.n}" if self.trip.attempt == 1 else f"{self.trip.n}-{self.trip.attempt}"

    @property
    def number(self) -> str:
        """Its number, and the attempt where it is a retry."""
        return f"{self.trip.n}" if self.trip.attempt == 1 else f"{self.trip.n}, attempt {self.trip.attempt}"


def requests(trace: Trace, widest: int | None = None) -> tuple[Request, ...]:
    """Every request of a run; `widest` is the figure's largest number of tokens, else the run's own."""
    widest = widest or widest_of(trace)
    return tuple(_request(trace, index, widest) for index in range(len(trace.round_trips)))


def widest_of(*traces: Trace) -> int:
    """The tokens of the largest request, which is drawn as wide as there is room."""
    return max([trip.input_tokens for trace in traces for trip in trace.round_trips] or [1]) or 1


def _request(trace: Trace, index: int, widest: int) -> Request:
    trip = trace.round_trips[index]
    return Request(
        index,
        trip,
        tuple(_parts(trace, index)),
        tuple(_pieces(trace.new_tokens(index), widest)),
        () if trip.failed else tuple(blocks(trip.reply.get("content"))),
        tuple(_result(call.id, call.result, call.is_error) for call in trip.calls),
        tuple(_refusal(trip)) if trip.failed else (),
    )


def _pieces(counts: list[int], widest: int) -> Iterator[Piece]:
    left = 0
    for first_sent, tokens in enumerate(counts, 1):
        if tokens:
            look = (first_sent - 1) % LOOKS + 1
            yield Piece(first_sent, look, tokens, round(100 * left / widest, 3), round(100 * tokens / widest, 3))
        left += tokens


def _parts(trace: Trace, index: int) -> Iterator[Part]:
    trip = trace.round_trips[index]
    messages = iter(trace.messages(index))
    for sent in trace.parts(index):
        message = next(messages) if sent.part.label.startswith("messages.") else None
        kind = sent.part.kind
        old = kind != "rest" and (sent.first_sent < trip.n or trip.attempt > 1)
        title = REST if kind == "rest" else SPEAKERS[kind]
        held = () if old or kind == "rest" else tuple(_held(trip, sent, message))
        stands = sent.first_sent if old else None
        replied = _replied(trace, index, message) if kind == "assistant" and not old else None
        yield Part(kind, sent.part.label, title, sent.part.chars, sent.first_sent, held, stands, replied)


def _replied(trace: Trace, index: int, message: Any) -> int | None:
    """The request before this one whose reply the message repeats; None where it was changed, or made up."""
    said = field(message, "content")
    before = reversed(trace.round_trips[:index])
    return next((trip.n for trip in before if not trip.failed and trip.reply.get("content") == said), None)


def _held(trip: RoundTrip, sent: Sent, message: Any) -> Iterator[Block]:
    """What a part says."""
    if sent.part.kind == "tools":
        tools = trip.fields.get("tools")
        yield from (_tool(tool) for tool in (tools if isinstance(tools, list) else []))
    elif sent.part.kind == "system":
        yield from blocks(trip.fields.get("system"))
    else:
        yield from blocks(field(message, "content"))


def blocks(content: Any) -> Iterator[Block]:
    """A message's content, of whatever shape."""
    if not isinstance(content, list):
        yield Block("text", "text", text(content))
        return
    for block in content:
        kind = field(block, "type")
        if kind == "text":
            yield Block("text", "text", text(field(block, "text")))
        elif kind == "tool_use":
            called = f"{field(block, 'name')}({_json(field(block, 'input'))})"
            yield Block("call", f"call {field(block, 'id')}", text(called))
        elif kind == "tool_result":
            yield _result(field(block, "tool_use_id"), field(block, "content"), bool(field(block, "is_error")))
        else:
            yield Block("other", f"{kind or 'content'}", text(block))


def _result(call_id: Any, content: Any, is_error: bool) -> Block:
    shown = "(none came back)" if content is None else content
    return Block("result", f"result of {call_id}", text(shown), is_error)


def _tool(tool: Any) -> Block:
    schema = field(tool, "input_schema")
    taken = field(schema, "properties")
    takes = ", ".join(taken) if isinstance(taken, dict) else ""
    return Block("tool", f"{field(tool, 'name')}({takes})", text(field(tool, "description") or ""))


def text(value: Any) -> Text:
    """A text, or anything else as JSON, with everything made visible that would hide what stands there."""
    shown = HIDDEN.sub(_visible, value if isinstance(value, str) else _json(value))
    rest = range(FIRST_CHARS, len(shown), CHUNK_CHARS)
    return Text(shown[:FIRST_CHARS], tuple(shown[at : at + CHUNK_CHARS] for at in rest), len(shown))


def _visible(found: re.Match[str]) -> str:
    return f"\N{LEFT CEILING}U+{ord(found[0]):04X}\N{RIGHT FLOOR}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def field(value: Any, name: str) -> Any:
    """A field of an object, in a request of any shape; None where there is none."""
    return value.get(name) if isinstance(value, dict) else None


def _refusal(trip: RoundTrip) -> Iterator[tuple[str, str]]:
    """Why a request failed, in pairs of a name and what it says."""
    if trip.status == NO_RESPONSE:
        yield ("no reply", "The connection broke.")
        return
    error = field(trip.reply, "error")
    yield (f"{trip.status} {field(error, 'type')}", f"{field(error, 'message')}")
    details = field(error, "details")
    if isinstance(details, dict):
        yield from ((name, value if isinstance(value, str) else _json(value)) for name, value in details.items())
