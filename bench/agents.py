"""What the legs run: worked agents, and a client on the bare SDK."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from askless import task
from askless.ladder import Agent, load_agent
from askless.task import Task


def order_desk() -> Task:
    """The task that every figure is measured on."""
    return task.load("t01")


def worked(rung: int) -> Agent:
    """The worked agent of a rung."""
    path = order_desk().rungs[rung].worked
    assert path, f"rung {rung} has no worked version"
    return load_agent(path)


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
    return Anthropic(api_key="none", base_url="http://lab", http_client=Client(transport=transport))


def replies_of(trace: Any) -> list[bytes]:
    """The bodies of a run's replies."""
    return [json.dumps(trip.reply).encode() for trip in trace.round_trips]
