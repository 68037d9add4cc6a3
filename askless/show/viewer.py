"""The trace viewer: any trace, or a pair of them, as one file that needs no other and runs nothing that it holds."""

from dataclasses import asdict
from itertools import zip_longest
from typing import Any

from askless import difference
from askless.show import site, walked
from askless.show.segments import NAMES
from askless.trace import Trace

Pair = tuple[Trace, Trace]


def one(trace: Trace, name: str, root: str | None = None) -> str:
    """A trace as a page; on the site, `root` leads from it to the site's folder."""
    runs = [_run(trace, name, "a", walked.widest_of(trace), set())]
    return site.render("viewer.html.jinja", site.VIEWER, title=name, runs=runs, pair=None, root=root)


def two(traces: Pair, names: tuple[str, str], root: str | None = None) -> str:
    """Two traces side by side, what both have in common set back."""
    widest = walked.widest_of(*traces)
    same = _same(traces)
    runs = [_run(trace, name, side, widest, same) for trace, name, side in zip(traces, names, "ab", strict=True)]
    parting = difference.first_difference(*traces)
    pair = {
        "totals": difference.totals(*traces),
        "kinds": difference.chars_by_kind(*traces),
        "names": NAMES,
        "parting": parting,
        "parted": _parted(traces, parting) if parting else [],
    }
    title = f"{names[0]} and {names[1]}"
    return site.render("viewer.html.jinja", site.VIEWER, title=title, runs=runs, pair=pair, root=root)


def _run(trace: Trace, name: str, side: str, widest: int, same: set[tuple[int, str]]) -> dict[str, Any]:
    return {
        "trace": trace,
        "name": name,
        "side": side,
        "requests": walked.requests(trace, widest),
        "totals": asdict(trace.totals),
        "same": same,
        "answer": walked.text(trace.answer or "none"),
        "question": walked.text(trace.question),
        "bodies": [_body(trace, index) for index in range(len(trace.round_trips))],
    }


def _body(trace: Trace, index: int) -> dict[str, Any]:
    """A request as the fields that surround its messages, and which messages it adds to those of another."""
    trip = trace.round_trips[index]
    return {"fields": trip.fields, "extends": trip.extends, "kept": trip.kept, "added": trip.added}


def _same(traces: Pair) -> set[tuple[int, str]]:
    """The parts, by request and label, that are the same in both."""
    found = set()
    for index in range(min(len(trace.round_trips) for trace in traces)):
        ours, theirs = ({sent.part.label: sent.part.digest for sent in trace.parts(index)} for trace in traces)
        found |= {(index, label) for label, digest in ours.items() if theirs.get(label) == digest}
    return found


def _parted(traces: Pair, parting: difference.Parting) -> list[tuple[str, walked.Text | None]]:
    """The first part that differs, on either side; None where there is no such part."""
    sides = zip_longest(traces, (parting.left, parting.right))
    return [
        (part.label if part else "", walked.text(difference.part_value(trace, parting.index, part)) if part else None)
        for trace, part in sides
    ]
