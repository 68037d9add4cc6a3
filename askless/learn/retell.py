"""A run told again as somebody imagines it: its own calls in other replies, its own requests counted in another way."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from askless.api.conversation import Message, Request
from askless.api.parts import input_tokens
from askless.record import blocks
from askless.trace import RoundTrip, Trace

Rounds = Sequence[Sequence[str]]  # one for each reply that calls tools: the ids of its calls


@dataclass(frozen=True)
class Imagined:
    """One request of an imagined run: the tool calls in its reply, and its own tokens."""

    tool_calls: int
    input_tokens: int


def as_measured(trace: Trace) -> list[Imagined]:
    """The run as it was."""
    return [Imagined(len(trip.calls), trip.input_tokens) for trip in trace.round_trips]


def numbers(run: Sequence[Imagined]) -> dict[str, int]:
    """What a run of these requests comes to, by measure."""
    return {
        "round_trips": len(run),
        "tool_calls": sum(request.tool_calls for request in run),
        "input_tokens": sum(request.input_tokens for request in run),
    }


def rounds(trace: Trace) -> list[list[str]]:
    """The ids of the calls in each reply that made any."""
    return [[call.id for call in trip.calls] for trip in trace.round_trips if trip.calls]


def failed(trace: Trace) -> list[str]:
    """The ids of the calls whose result said `is_error`."""
    return [call.id for trip in trace.round_trips for call in trip.calls if call.is_error]


def by_tool(trace: Trace) -> list[list[str]]:
    """The calls in their order; neighbours of one tool share a reply."""
    batches: list[list[str]] = []
    before = None
    for trip in trace.round_trips:
        for call in trip.calls:
            if call.name != before:
                batches.append([])
            batches[-1].append(call.id)
            before = call.name
    return batches


def results_split(trace: Trace) -> bool:
    """Whether some request brought results in more than one user message."""
    return any(len(_user_messages(trip)) > 1 for trip in trace.round_trips[1:])


def retold(trace: Trace, asked: Rounds) -> list[Imagined]:
    """The run if its replies had made these calls; the reply after the last of them is the answer.

    Calls and results are the blocks that were really sent, and split results stay split. Text beside calls is left out.
    """
    use, result = _sent(trace, "tool_use", "id"), _sent(trace, "tool_result", "tool_use_id")
    split = results_split(trace)
    messages = trace.messages(0)
    run = []
    for ids in [*asked, []]:
        run.append(Imagined(len(ids), tokens_of(trace.round_trips[0], messages)))
        messages.append({"role": "assistant", "content": [use[call] for call in ids]})
        messages.extend(_results([result[call] for call in ids if call in result], split))
    return run


def message_by_message(trace: Trace) -> list[Imagined]:
    """The run if each user message were a request of its own; the reply to a request's last one makes its calls."""
    run = []
    for index, trip in enumerate(trace.round_trips):
        whole = trace.messages(index)
        *early, _ = _user_messages(trip) or [0]
        run += [Imagined(0, tokens_of(trip, whole[: trip.kept + at + 1])) for at in early]
        run.append(Imagined(len(trip.calls), trip.input_tokens))
    return run


def tokens_of(trip: RoundTrip, messages: list[Message]) -> int:
    """What a request like this one would count with these messages."""
    return input_tokens(Request.of({**trip.fields, "messages": messages}))


def _user_messages(trip: RoundTrip) -> list[int]:
    """Where in `added` the program speaks."""
    return [at for at, message in enumerate(trip.added) if message.get("role") == "user"]


def _results(found: list[Any], split: bool) -> Iterable[Message]:
    groups = [[block] for block in found] if split else [found]
    return [{"role": "user", "content": group} for group in groups]


def _sent(trace: Trace, kind: str, key: str) -> Mapping[str, Any]:
    """The blocks of one type as they were sent, by call."""
    messages = [message for trip in trace.round_trips for message in (trip.reply, *trip.added)]
    return {block[key]: block for message in messages for block in blocks(message, kind)}
