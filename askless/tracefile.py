"""A trace as a file: JSON lines in which a request is what it adds to the one before, or one document of whole bodies.

A file holds what happened. Whatever follows from that (parts, tokens, calls)
is worked out again when it is read, and has to agree with what the file says.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

from askless.api.conversation import Conversation, Request
from askless.api.wire import Wire
from askless.errors import Problem
from askless.files import save
from askless.record import Exchange, Recorder
from askless.trace import SCHEMA, RoundTrip, Source, Trace

HEADER = tuple(field.name for field in fields(Trace) if field.name != "round_trips")
KINDS: dict[str, Any] = {"model": str, "answer": (str, type(None)), "answer_right": (bool, type(None))}  # others: str
STRUCTURE = ("n", "attempt", "status", "extends", "kept", "chars")
SERVED = {"delay_s": 0.0, "retry_after_s": None, "batch": None}  # how a request was served; left out where it is usual

Json = dict[str, Any]


def write(trace: Trace, path: Path) -> None:
    """Write a trace as JSON lines, as long as what was sent for the first time. Problem where that cannot be."""
    save(path, lines(trace))


def lines(trace: Trace) -> str:
    """The text of such a file."""
    rows = [_header(trace), *(_row(trace, trip) for trip in trace.round_trips)]
    return "".join(json.dumps(row) + "\n" for row in rows)


def write_whole(trace: Trace, path: Path) -> None:
    """Write a trace as one document with whole bodies."""
    save(path, json.dumps(whole(trace), indent=2) + "\n")


def whole(trace: Trace) -> Json:
    """The trace as one document: every body whole, with everything that follows from it."""
    return {**_header(trace), "round_trips": [whole_trip(trace, index) for index in range(len(trace.round_trips))]}


def whole_trip(trace: Trace, index: int) -> Json:
    """One round trip of that document."""
    trip = trace.round_trips[index]
    return {
        "n": trip.n,
        "attempt": trip.attempt,
        "status": trip.status,
        "request": trace.body(index),
        "chars": trip.chars,
        "input_tokens": trip.input_tokens,
        "new_tokens": trace.new_tokens(index),
        "parts": [
            {"label": sent.part.label, "kind": sent.part.kind, "chars": sent.part.chars, "first_sent": sent.first_sent}
            for sent in trace.parts(index)
        ],
        "reply": trip.reply,
        "usage": trip.usage,
        "calls": [asdict(call) for call in trip.calls],
        **_served(trip),
    }


def read(path: Path) -> Trace:
    """The trace in a file of either form, equal to the one written; a Problem where the file is no whole trace."""
    try:
        return _read(_text(path))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        seen = error.args[0] if isinstance(error, _NoTraceError) else "it is no trace, or a damaged one"
        raise Problem(
            f"{path}: {seen}.", "name a file that `askless trace TASK RUNG --out FILE` has written."
        ) from None


class _NoTraceError(ValueError):
    """Why a file is no trace."""


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise _NoTraceError("it is not text in UTF-8") from None
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}.", "name a trace file that you may read.") from None


def _header(trace: Trace) -> Json:
    return {"schema": SCHEMA, **{name: getattr(trace, name) for name in HEADER}, "totals": asdict(trace.totals)}


def _row(trace: Trace, trip: RoundTrip) -> Json:
    """A round trip as what it adds; fields that are those of the round trip it extends are left out."""
    known = trip.extends is not None and trip.fields == trace.round_trips[trip.extends].fields
    return {
        **{name: getattr(trip, name) for name in STRUCTURE},
        **({} if known else {"fields": trip.fields}),
        "added": list(trip.added),
        "reply": trip.reply,
        **_served(trip),
    }


def _served(trip: RoundTrip) -> Json:
    return {name: getattr(trip, name) for name, usual in SERVED.items() if getattr(trip, name) != usual}


def _read(text: str) -> Trace:
    header, rows = _parsed(text)
    _check_header(header)
    exchanges = _whole_exchanges(header["round_trips"]) if "round_trips" in header else _exchanges(rows)
    recorder = Recorder()
    for exchange in exchanges:
        recorder.record(exchange)
    trace = recorder.trace(**{name: header[name] for name in HEADER})
    held, said = asdict(trace.totals), header["totals"]
    if held["round_trips"] < said["round_trips"]:
        raise _NoTraceError(f"it is cut: it holds {held['round_trips']} of {said['round_trips']} round trips")
    _check_rows(trace, header.get("round_trips") or rows)
    for name, number in held.items():
        if said[name] != number:
            raise _NoTraceError(f"its header says {said[name]} {name}, and its round trips come to {number}")
    return trace


def _parsed(text: str) -> tuple[Json, list[Json]]:
    """The header and the rows after it; of the whole form the header is all."""
    try:
        header, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        raise _NoTraceError("it is not JSON, or it is cut") from None
    rows = []
    for number, line in enumerate(text[end:].splitlines(), text[:end].count("\n") + 1):
        try:
            rows.extend([json.loads(line)] if line.strip() else [])
        except ValueError:
            raise _NoTraceError(f"line {number} is cut, or no JSON") from None
    return header, rows


def _check_header(header: Any) -> None:
    schema = header.get("schema") if isinstance(header, dict) else None
    if schema != SCHEMA:
        raise _NoTraceError(f"its schema is {schema!r}, not {SCHEMA!r}" if schema else "it is no trace")
    for name in HEADER:
        if not isinstance(header[name], KINDS.get(name, str)):
            raise _NoTraceError(f"its {name!r} is {header[name]!r}")
    if header["model"] not in get_args(Source):
        raise _NoTraceError(f"its model is {header['model']!r}, not one of {', '.join(get_args(Source))}")


def _exchanges(rows: list[Json]) -> Iterator[Exchange]:
    requests: list[Request] = []
    for row in rows:
        before = None if row["extends"] is None else requests[row["extends"]]
        conversation = before.conversation if before else Conversation([])
        conversation.messages.extend(row["added"][len(conversation.messages) - row["kept"] :])
        sent = before.fields if before and "fields" not in row else row["fields"]
        requests.append(Request(sent, conversation, row["kept"] + len(row["added"])))
        yield _exchange(requests[-1], row)


def _whole_exchanges(trips: list[Json]) -> Iterator[Exchange]:
    wire = Wire()
    for trip in trips:
        yield _exchange(wire.read(json.dumps(trip["request"]).encode()), trip)


def _exchange(request: Request, row: Json) -> Exchange:
    told_s, batch = row.get("retry_after_s"), row.get("batch")
    return Exchange(
        request,
        row["status"],
        row["reply"],
        delay_s=float(row.get("delay_s", 0.0)),
        retry_after_s=None if told_s is None else float(told_s),
        batch=None if batch is None else str(batch),
    )


def _check_rows(trace: Trace, rows: list[Json]) -> None:
    """Each row says of its round trip what follows from the requests themselves."""
    for number, (trip, row) in enumerate(zip(trace.round_trips, rows, strict=True), 1):
        for name in STRUCTURE:
            if row.get(name, getattr(trip, name)) != getattr(trip, name):
                told = f"its {name!r} is {row[name]}, and what it holds comes to {getattr(trip, name)}"
                raise _NoTraceError(f"round trip {number} does not agree with its own request: {told}")
