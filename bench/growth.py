"""How time and memory grow with the number of customers, in plain dicts; and whether the count is exact."""

import json
import resource
from collections.abc import Iterator
from functools import partial
from math import log
from pathlib import Path
from time import process_time

from askless import growth
from askless.api import parts
from askless.api.conversation import Conversation, Request
from askless.record import Recorder
from askless.trace import Trace
from bench.agents import bare_sdk, order_desk, replies_of, worked
from bench.figure import Figure, fresh, in_turn, middle

SMALL, LARGE, EXACT = 1_000, 10_000, 400
ROUNDS = 3
MOST_BYTES = 300_000_000


def figures() -> Iterator[Figure]:
    """v0 with two orders a customer: 2 n + 2 requests."""
    runs = in_turn(ROUNDS, {f"{n:,} customers": partial(fresh, measure, n) for n in (SMALL, LARGE)})
    small, large = runs.values()

    def exponent(key: str) -> float:
        return log(middle(large, key) / middle(small, key), LARGE / SMALL)

    span = f"{SMALL:,} to {LARGE:,} customers, as an exponent"
    yield Figure("v0 in plain dicts, time", exponent("seconds"), 1.1, span)
    yield Figure("v0 in plain dicts, memory", exponent("bytes"), 1.1, span)
    yield Figure(f"v0 at {LARGE:,} customers, memory", middle(large, "peak") / MOST_BYTES, 1.0, "300 MB")
    share = middle(large, "counting") / middle(large, "seconds")
    yield Figure("counting", share, 0.25, f"the whole run of {LARGE:,} customers")
    counted, sent = fresh(exactness, EXACT)
    yield Figure("characters counted wrong", abs(counted - sent) / sent, 0.0, f"those sent by the SDK at {EXACT}")


def run(customers: int) -> Trace:
    """v0 on a large desk, as `askless grow` runs it: answered by the scripted model without the SDK."""
    lowest = next(growth.worked(order_desk()))
    return lowest.run(customers, Recorder())


def measure(customers: int) -> dict[str, float]:
    """One run: its CPU seconds, its bytes, the program's bytes at the peak, and the CPU seconds of counting alone."""
    run(1)
    before, start = _peak_bytes(), process_time()
    trace = run(customers)
    seconds, peak = process_time() - start, _peak_bytes()
    start = process_time()
    count(trace)
    return {"seconds": seconds, "bytes": peak - before, "peak": peak, "counting": process_time() - start}


def count(trace: Trace) -> int:
    """The characters of a run, counted again from its messages."""
    conversation, total = Conversation([]), 0
    for trip in trace.round_trips:
        conversation.messages.extend(trip.added)
        total += parts.chars(Request(trip.fields, conversation, len(conversation.messages)))
    return total


def exactness(customers: int) -> tuple[int, int]:
    """The characters counted in a run, and those of the bodies that the SDK sends in the same run."""
    trace, big, sent = run(customers), order_desk().grown(customers), 0

    def read(body: bytes) -> None:
        nonlocal sent
        sent += len(parts.as_json(json.loads(body)))

    worked(0)(bare_sdk(replies_of(trace), read), big, big.question)
    return sum(trip.chars for trip in trace.round_trips), sent


def _peak_bytes() -> int:
    """The most this interpreter has held; on Linux, `ru_maxrss` knows its parent's peak as well."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) * 1024 for line in status.open() if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
