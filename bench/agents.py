"""What the legs run: worked agents with the token limit lifted, desks of any size, and a client on the bare SDK."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from askless import task
from askless.task import Task

LIMIT, LIFTED = "max_tokens=1024", "max_tokens=100_000_000"
WAIT_S = 600.0  # named, so that the SDK does not refuse a large max_tokens without a stream

Agent = Callable[[Any, Any, str], str]


def order_desk() -> Task:
    """The task that every figure is measured on."""
    return task.load("t01")


def worked(rung: int) -> Agent:
    """The worked agent of a rung, free to write as many tokens as it likes."""
    path = order_desk().rungs[rung].worked
    assert path, f"rung {rung} has no worked version"
    source = path.read_text("utf-8")
    assert LIMIT in source, f"{path.name} no longer sets {LIMIT}"
    module = ModuleType(path.stem)
    exec(compile(source.replace(LIMIT, LIFTED), path, "exec"), module.__dict__)
    agent: Agent = module.answer
    return agent


def desk(customers: int) -> Any:
    """A desk that asks for so many customers with two open orders each."""
    names = [f"C{number}" for number in range(1, customers + 1)]
    orders = {name: {f"ord-{10 * at}": "packed", f"ord-{10 * at + 1}": "shipped"} for at, name in enumerate(names, 100)}
    return type(order_desk().desk(None))(orders, tuple(names))


@dataclass
class Canned:
    """A transport that answers with the next of some replies, and says how it reads a request's bytes."""

    replies: Iterator[bytes]
    read: Callable[[bytes], Any]

    def __call__(self, request: Any) -> Any:
        """One HTTP exchange."""
        from httpx2 import Response

        self.read(request.content)
        return Response(200, content=next(self.replies), headers={"content-type": "application/json"})


def bare_sdk(replies: list[bytes], read: Callable[[bytes], Any] = len) -> Any:
    """The SDK's client over a fake transport; `len` neither parses nor records."""
    from anthropic import Anthropic
    from httpx2 import Client, MockTransport

    transport = MockTransport(Canned(iter(replies), read))
    return Anthropic(api_key="none", base_url="http://lab", http_client=Client(transport=transport), timeout=WAIT_S)


def replies_of(trace: Any) -> list[bytes]:
    """The bodies of a run's replies."""
    return [json.dumps(trip.reply).encode() for trip in trace.round_trips]
