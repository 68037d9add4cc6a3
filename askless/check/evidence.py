"""What a trace shows of a run: where results went, what was tried first, what an input or a result holds."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import groupby
from typing import Any

from askless.api.parts import as_json, tokens
from askless.model.absence import disowns
from askless.record import blocks
from askless.trace import Call, RoundTrip, Trace

ERROR = re.compile(
    r"error|exception|traceback|\b(not found|no such|does not exist|failed|failure|unknown|invalid)\b", re.IGNORECASE
)


def calls(trace: Trace) -> Iterator[Call]:
    """Every call of a run, in order."""
    return (call for trip in trace.round_trips for call in trip.calls)


def split(trace: Trace) -> Iterator[tuple[RoundTrip, int]]:
    """Each reply whose results came back in several user messages, and in how many."""
    places = _delivered(trace)
    for trip in trace.round_trips:
        apart = len({places[call.id] for call in trip.calls if call.id in places})
        if apart > 1:
            yield trip, apart


def _delivered(trace: Trace) -> dict[str, tuple[int, int]]:
    """Where each call's result was first sent: (request, message in it)."""
    places: dict[str, tuple[int, int]] = {}
    for index, trip in enumerate(trace.round_trips):
        for at, message in enumerate(trip.added):
            for block in blocks(message, "tool_result"):
                places.setdefault(str(block.get("tool_use_id")), (index, at))
    return places


def asked_alone(trace: Trace, after: int) -> Iterator[RoundTrip]:
    """Replies past number `after` that hold one call of the tool that the reply before held one call of."""
    before = None
    for trip in trace.round_trips:
        alone = trip.calls[0].name if trip.n > after and len(trip.calls) == 1 else None
        if alone is not None and alone == before:
            yield trip
        before = alone


def resent_tokens(trace: Trace, ids: set[str]) -> int:
    """The tokens of what surrounds these calls and their results, in all requests that carried them."""
    trips = len(trace.round_trips)
    chars = 0
    for index, trip in enumerate(trace.round_trips):
        around = sum(_around_chars(call) for call in trip.calls if call.id in ids)
        chars += around * (trips - index - 1)
    return tokens(chars)


def _around_chars(call: Call) -> int:
    use = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
    return len(as_json([use, {"type": "tool_result", "tool_use_id": call.id, "content": ""}]))


def disowned(call: Call) -> bool:
    """Whether a call's result says that there is no tool of its name; one that names what was asked speaks of that."""
    said = text(call.result)
    return disowns(said, call.name) and not any(leaf in said for leaf in leaves(call.input) if leaf)


def reads_like_error(call: Call) -> bool:
    """Whether an unmarked result of a one-item call is, as a whole, an error's text or an object that holds one.

    What a call about everything or several things gives may speak of a missing one among the others.
    """
    if call.is_error or not call.input or any(_several(value) for value in call.input.values()):
        return False
    said = text(call.result)
    try:
        value = json.loads(said)
    except ValueError:
        return bool(ERROR.search(said))
    if isinstance(value, dict):
        return any(ERROR.search(key) and value[key] for key in value)
    return isinstance(value, str) and bool(ERROR.search(value))


def _several(value: Any) -> bool:
    """Whether an input's value is a list, be it of data or as one text."""
    return isinstance(value, list) or (isinstance(value, str) and "," in value)


def trials(trace: Trace) -> dict[str, tuple[RoundTrip, RoundTrip]]:
    """Tools whose first use was one item alone and whose next use was many: (first reply, next reply)."""
    uses: defaultdict[str, list[RoundTrip]] = defaultdict(list)
    for trip in trace.round_trips:
        for name in {call.name for call in trip.calls}:
            uses[name].append(trip)
    pairs = {name: (trips[0], trips[1]) for name, trips in uses.items() if len(trips) > 1}
    return {name: pair for name, pair in pairs.items() if _items(pair[0], name) == 1 < _items(pair[1], name)}


def _items(trip: RoundTrip, name: str) -> int:
    """How many things a reply asks of a tool, over all its calls."""
    inputs = [call.input for call in trip.calls if call.name == name]
    return sum(max([1, *(len(value) for value in each.values() if isinstance(value, list))]) for each in inputs)


def last_words(trace: Trace) -> list[str]:
    """The text of each reply that ended the model's turn, in order."""
    said = (ending(trip.reply) for trip in trace.round_trips)
    return [words for words in said if words is not None]


def ending(reply: Mapping[str, Any]) -> str | None:
    """The text of a reply that ended the model's turn; None of any other."""
    ended = reply.get("stop_reason") == "end_turn"
    return "".join(block["text"] for block in blocks(reply, "text")) if ended else None


def given(trace: Trace) -> str:
    """Every string in the results of calls that the model itself made; history that was made up gives nothing."""
    found: list[str] = []
    for trip, made in with_made(trace):
        own = {block["id"] for message in trip.added for block in blocks(message, "tool_use") if key(block) in made}
        results = [block for message in trip.added for block in blocks(message, "tool_result")]
        for result in (block for block in results if str(block.get("tool_use_id")) in own):
            found += [unescaped(leaf) for leaf in leaves(result.get("content"))]
    return "\n".join(found)


def with_made(trace: Trace) -> Iterator[tuple[RoundTrip, Set[str]]]:
    """Each round trip, and the calls that the model had made before it; the replies of a batch come all at once."""
    made: set[str] = set()
    for _, together in groupby(enumerate(trace.round_trips), lambda pair: pair[1].batch or pair[0]):
        trips = [trip for _, trip in together]
        yield from ((trip, made) for trip in trips)
        made.update(key(block) for trip in trips for block in blocks(trip.reply, "tool_use"))


def key(block: dict[str, Any]) -> str:
    """What makes a call the one that was made: its name and input; ids and the order of fields are a client's own."""
    return json.dumps([block.get("name"), block.get("input")], sort_keys=True)


def unescaped(said: str) -> str:
    """A JSON text without its escapes; another text as it is."""
    try:
        return as_json(json.loads(said))
    except (ValueError, RecursionError):
        return said


def described(trace: Trace) -> dict[str, int]:
    """The words in the description of each tool that was offered."""
    offered = [tool for trip in trace.round_trips for tool in _tools(trip)]
    return {str(tool["name"]): len(str(tool.get("description") or "").split()) for tool in offered}


def _tools(trip: RoundTrip) -> list[dict[str, Any]]:
    offered = trip.fields.get("tools")
    tools = offered if isinstance(offered, list) else []
    return [tool for tool in tools if isinstance(tool, dict) and "name" in tool and "input_schema" in tool]


def is_question(message: Any) -> bool:
    """Whether a message is the user's own, and no results."""
    return isinstance(message, dict) and message.get("role") == "user" and not any(blocks(message, "tool_result"))


def words(text: str) -> set[str]:
    """The words of a text or a JSON text, its punctuation left out."""
    return set(re.findall(r"[^\s\"',:;()\[\]{}]+", text))


def leaves(value: Any) -> Iterable[str]:
    """Every string within a call's input."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [leaf for each in inner for leaf in leaves(each)]


def text(result: Any) -> str:
    """A result's text, be it a string or blocks."""
    if isinstance(result, list):
        return " ".join(str(block.get("text", "")) for block in result if isinstance(block, dict))
    return result if isinstance(result, str) else ""
