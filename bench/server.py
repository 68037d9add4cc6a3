"""The server under load: one core, 32 keep-alive connections, whole v1 runs.

Each run has a path and ids of calls of its own, as many learners on the shown desk have; no request comes twice. What
is compared is CPU time of the server for each request, which on one busy core is its throughput turned over.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from askless import ladder
from askless.trace import Trace
from bench import servers
from bench.agents import order_desk
from bench.figure import Figure, in_turn
from bench.load import Load, Requests, Window, request
from bench.servers import Server

ROUNDS = 9
WINDOW_S = 1.0
WARM_UP = 6_000  # requests, so that node has compiled what it will
WARM_UP_LARGE = 300
LARGE_BYTES = 256 * 1024
P99_LIMIT_S = 0.005


def figures() -> Iterator[Figure]:
    """The server against a peer and against floors; then its slowest answers, and long bodies."""
    trace = ladder.run_plain(order_desk(), "v1")
    with TemporaryDirectory() as folder, ExitStack() as stack:
        small = {
            "askless": stack.enter_context(servers.askless()),
            "aimock": stack.enter_context(servers.aimock(trace, Path(folder))),
            "bare": stack.enter_context(servers.bare()),
        }
        seen = _seen(small, bodies(trace), WARM_UP)
        ours = median(window.cpu_s for window in seen["askless"])
        peer, floor = (median(window.cpu_s for window in seen[name]) for name in ("aimock", "bare"))
        yield Figure("server, v1 runs", ours / peer, 0.5, "the npm package @copilotkit/aimock with fixtures for them")
        yield Figure("server, v1 runs (floor)", ours / floor, 1 / 0.3, "uvicorn: each body parsed, one canned reply")
        slowest = min(window.p99_s for window in seen["askless"])  # whatever else the machine does only adds to it
        yield Figure("server, 99th percentile", slowest / P99_LIMIT_S, 1.0, "5 ms, in the quietest of its windows")
    with ExitStack() as stack:
        large = {
            "askless": stack.enter_context(servers.askless()),
            "starlette": stack.enter_context(servers.starlette()),
        }
        seen = _seen(large, bodies(trace, system=examples(LARGE_BYTES)), WARM_UP_LARGE)
        ours, floor = (median(window.cpu_s for window in windows) for windows in seen.values())
        yield Figure("server, bodies of 256 kB", ours / floor, 1 / 3, "starlette with the standard JSON module")


def bodies(trace: Trace, **fields: str) -> list[bytes]:
    """The bodies of a run as the SDK would send them, with further fields."""
    trips = range(len(trace.round_trips))
    return [json.dumps({**trace.body(at), **fields}, separators=(",", ":")).encode() for at in trips]


def examples(size: int) -> str:
    """A system prompt of so many characters, full of examples."""
    lines = (
        f'"Where is parcel {n}?" Look it up, then say: {{"parcel": {n}, "status": "packed"}}\n' for n in range(size)
    )
    return "".join(islice(lines, size // 50))[:size]


def runs(server: Server, sent: list[bytes]) -> Requests:
    """The same run again and again, each time with ids that were not there before."""
    numbers = count(1)

    def one() -> list[bytes]:
        number = next(numbers)
        path = f"/run/{number}/v1/messages" if server.named_runs else "/v1/messages"
        return [request(path, body.replace(b'"toolu_', b'"toolu_%dx' % number)) for body in sent]

    return one


def _seen(under_load: dict[str, Server], sent: list[bytes], warm_up: int) -> dict[str, list[Window]]:
    loads = {name: Load(server.port, server.pid, runs(server, sent)) for name, server in under_load.items()}
    for load in loads.values():
        load.run(count=warm_up)
    return in_turn(ROUNDS, {name: partial(load.run, WINDOW_S) for name, load in loads.items()})
