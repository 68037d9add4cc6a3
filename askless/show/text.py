"""A trace as text: each request part by part, its reply, its calls and their results."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from askless.api.parts import Part
from askless.check.target import WORDS, counted
from askless.trace import NO_RESPONSE, Call, RoundTrip, Sent, Trace

if TYPE_CHECKING:
    from rich.console import Console

NOTE = (
    "Tokens are characters divided by four, rounded down: an estimate of the shape, not a bill. "
    "JSON, tool schemas and non-Latin text cost more in reality."
)
HANG = 4  # columns by which a wrapped line is indented
SHOWN_CHARS = 200  # of a block of a kind that has no line of its own
SHOWN_TERMS = 10  # of a sum

REST = "model, limits, field names, brackets and commas"


@dataclass(frozen=True)
class Line:
    """A line of text before it is wrapped; `style` is rich's. One that is `whole`, as an address is, is not wrapped."""

    indent: int
    text: str
    style: str = ""
    whole: bool = False


def console(*, plain: bool = False, stderr: bool = False) -> "Console":
    """Standard output, or standard error, with colours only on a terminal where neither --plain nor NO_COLOR is set."""
    from rich.console import Console

    out = sys.stderr if stderr else sys.stdout
    colours = out.isatty() and not plain and not os.environ.get("NO_COLOR")
    return Console(stderr=stderr, color_system="auto" if colours else None, highlight=False, markup=False, emoji=False)


def show(out: "Console", lines: Iterable[Line]) -> None:
    """Print lines, each wrapped to the width of the console under a hanging indent."""
    from rich.text import Text

    for line in lines:
        text = Text(printable(line.text), line.style)
        if line.whole:
            out.print(Text(" " * line.indent) + text, soft_wrap=True)
            continue
        hang = HANG if line.indent and text.cell_len > out.width - line.indent else 0
        for number, part in enumerate(text.wrap(out, max(HANG, out.width - line.indent - hang)) or [text]):
            part.rstrip()
            out.print(Text(" " * (line.indent + (hang if number else 0))) + part)


def trace_lines(trace: Trace, n: int | None = None) -> Iterator[Line]:
    """The whole run, or its request n alone with every attempt at it."""
    yield from _head(trace)
    for index, trip in enumerate(trace.round_trips):
        if n in (None, trip.n):
            yield Line(0, "")
            yield from request_lines(trace, index)
    if n is None:
        yield Line(0, "")
        yield from _answer(trace)
    yield Line(0, "")
    yield Line(0, NOTE, "dim")


def request_lines(trace: Trace, index: int) -> Iterator[Line]:
    """One request part by part, and its reply."""
    yield from _request(trace, index)
    yield from _reply(trace.round_trips[index])


def quoted(value: Any, limit: int | None = None) -> str:
    """Text as it is in quotes, anything else as JSON, cut at a number of characters."""
    text = f'"{value}"' if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if limit is None or len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def printable(text: str) -> str:
    """The text with everything escaped that would steer a terminal; a trace may hold a stranger's words."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def sum_of(numbers: Iterable[int]) -> str:
    """173 + 432 + 75."""
    return " + ".join(f"{number:,}" for number in numbers)


def _head(trace: Trace) -> Iterator[Line]:
    totals = trace.totals
    yield Line(0, " ".join(filter(None, [trace.task, trace.rung, f"({trace.model} model)"])), "bold")
    if trace.question:
        yield Line(0, f"question: {quoted(trace.question)}")
    counts = ", ".join(counted(getattr(totals, measure), words) for measure, words in WORDS.items())
    failed = f", {totals.failed_requests} failed" if totals.failed_requests else ""
    cached = sum(trip.read_tokens for trip in trace.round_trips)
    read = f" ({cached:,} read from the prompt cache)" if cached else ""
    yield Line(0, f"{counts}{read}, {totals.output_tokens:,} output tokens{failed}")
    if trace.model == "live":
        yield Line(0, f"the API counted {_told(trace.round_trips)}")


def _request(trace: Trace, index: int) -> Iterator[Line]:
    trip, parts = trace.round_trips[index], trace.parts(index)
    again = f", attempt {trip.attempt}" if trip.attempt > 1 else ""
    yield Line(0, f"Request {trip.n}{again}: {trip.input_tokens:,} input tokens", "bold")
    messages = iter(trace.messages(index))
    for sent in parts:
        old = "dim" if sent.first_sent < trip.n else ""
        yield Line(2, _title(sent, trip.n), old or "cyan")
        held = next(messages) if sent.part.label.startswith("messages.") else trip.fields.get(sent.part.kind)
        yield from (Line(4, text, old) for text in _content(sent.part, held))
    yield Line(2, f"{sum_of(sent.part.chars for sent in parts)} = {trip.chars:,} characters")
    yield Line(2, f"{trip.chars:,} / 4, rounded down: {trip.input_tokens:,} input tokens")
    if trace.model == "live" and trip.usage:
        yield Line(2, f"the API counted {_told([trip])}")
    if trip.n > 1:
        yield Line(2, f"by the request that first sent them: {_first_sent(trace.new_tokens(index))} tokens")
    if trip.read_tokens or trip.written_tokens:
        kinds = {"read": trip.read_tokens, "written": trip.written_tokens, "plain": trip.plain_tokens}
        counts = " + ".join(f"{tokens:,} {kind}" for kind, tokens in kinds.items())
        yield Line(2, f"by the prompt cache: {counts} = {sum(kinds.values()):,} input tokens")


def _first_sent(tokens: Sequence[int]) -> str:
    """The tokens first sent by each request; of many, those that are some, each with its request."""
    if len(tokens) <= SHOWN_TERMS:
        return sum_of(tokens)
    return " + ".join(f"{some:,} (request {n})" for n, some in enumerate(tokens, 1) if some)


def _told(trips: Iterable[RoundTrip]) -> str:
    """What the API itself counted, and how many times the estimate of the same requests that is."""
    told = [trip for trip in trips if trip.usage]
    if not told:
        return "no tokens that are known"
    tokens = sum(trip.plain_tokens + trip.read_tokens + trip.written_tokens for trip in told)
    estimated = sum(trip.input_tokens for trip in told)
    times = f", {tokens / estimated:.2f} times the estimate" if estimated else ""
    return f"{tokens:,} input tokens{times}"


def _title(sent: Sent, n: int) -> str:
    names = {"user": "user message", "assistant": "assistant message", "results": "user message, tool results"}
    names |= {"system": "system prompt", "tools": "tools offered", "rest": f"the rest ({REST})"}
    since = f", first sent by request {sent.first_sent}" if sent.first_sent < n and sent.part.kind != "rest" else ""
    return f"{names[sent.part.kind]}: {sent.part.chars:,} characters{since}"


def _content(part: Part, held: Any) -> Iterator[str]:
    """What a part says, a line for each block or tool."""
    if part.kind == "rest":
        return
    if part.kind == "tools":
        tools = held if isinstance(held, list) else []
        yield from (f"{_field(tool, 'name')}: {quoted(_field(tool, 'description'))}" for tool in tools)
    elif part.kind == "system":
        yield quoted(held)
    else:
        yield from _blocks(_field(held, "content"))


def _blocks(content: Any) -> Iterator[str]:
    if not isinstance(content, list):
        yield f"text: {quoted(content)}"
        return
    for block in content:
        yield _block(block)


def _block(block: Any) -> str:
    kind = _field(block, "type")
    if kind == "text":
        return f"text: {quoted(_field(block, 'text'))}"
    if kind == "tool_use":
        return f"call {_field(block, 'id')}: {_field(block, 'name')}({quoted(_field(block, 'input'))})"
    if kind == "tool_result":
        return _result(_field(block, "tool_use_id"), _field(block, "content"), bool(block.get("is_error")))
    return quoted(block, SHOWN_CHARS)


def _result(call_id: Any, content: Any, is_error: bool) -> str:
    return f"result of {call_id}{', is_error' if is_error else ''}: {quoted(content)}"


def _field(value: Any, name: str) -> Any:
    """A field of an object in a request of any shape; None where there is none."""
    return value.get(name) if isinstance(value, dict) else None


def _reply(trip: RoundTrip) -> Iterator[Line]:
    if trip.failed and not trip.cut:
        yield from _failure(trip)
        return
    if trip.cut:
        yield Line(2, "Reply: cut off, the stream ended before its stop reason. What had arrived:", "red")
    else:
        stopped = f"stop_reason {trip.reply.get('stop_reason')}"
        yield Line(2, f"Reply: {stopped}, {trip.output_tokens:,} output tokens", "bold")
    yield from (Line(4, text, "green") for text in _blocks(trip.reply.get("content", [])))
    if trip.calls:
        yield from _results(trip.calls)


def _results(calls: Sequence[Call]) -> Iterator[Line]:
    if all(call.result is None for call in calls):
        yield Line(2, "Sent back: nothing.", "bold")
        return
    yield Line(2, "Sent back, a result for each call:", "bold")
    for call in calls:
        yield Line(
            4, f"result of {call.id}: none" if call.result is None else _result(call.id, call.result, call.is_error)
        )


def _failure(trip: RoundTrip) -> Iterator[Line]:
    if trip.status == NO_RESPONSE:
        yield Line(2, "No reply: the connection broke.", "red")
        return
    error = _field(trip.reply, "error")
    yield Line(2, f"Refused: {trip.status} {_field(error, 'type')}: {quoted(_field(error, 'message'))}", "red")
    details = _field(error, "details")
    if isinstance(details, dict):
        yield from (Line(4, f"{name}: {quoted(value)}") for name, value in details.items())


def _answer(trace: Trace) -> Iterator[Line]:
    judged = {True: " (right)", False: " (wrong)", None: ""}[trace.answer_right]
    yield Line(0, f"Answer{judged}:", "bold")
    yield from (Line(2, line) for line in (trace.answer or "none").splitlines())
