"""A server of the first task's runs, in this process, and what tests ask it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from http.client import HTTPConnection
from typing import Any, NamedTuple

import anthropic
from stand_in import HEADERS

from askless import ladder, task
from askless.listening import at_port
from askless.model.scripted import Scripted
from askless.serve.alike import Alike
from askless.serve.paths import Paths
from askless.serve.runs import Runs
from askless.server import Server

TASK = task.load("t01")


class Reply(NamedTuple):
    """A response: its status, its headers by their names in lower case, its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Served:
    """A running server, and the runs that it keeps."""

    def __init__(self, runs: Runs, port: int) -> None:
        self.runs = runs
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    def ask(self, method: str, target: str, body: Any = None, **headers: str) -> Reply:
        """One request on a connection of its own; a body that is not bytes is sent as JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, target, data, headers)
            response = connection.getresponse()
            named = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, named, response.read())
        finally:
            connection.close()

    def get(self, target: str) -> Reply:
        return self.ask("GET", target)

    def post(self, body: Any, run: str = "") -> Reply:
        """A request to the Messages API of a run, as the SDK would send it."""
        return self.ask("POST", f"{run}/v1/messages", body, **HEADERS)

    def client(self, run: str = "", **options: Any) -> anthropic.Anthropic:
        return anthropic.Anthropic(api_key="k", base_url=self.address + run, **options)


@contextmanager
def serving(*, kept: int = 500) -> Iterator[Served]:
    """A server on a free port of this machine."""
    runs = Runs(TASK, Alike(Scripted(TASK.script())), kept=kept)
    listener, address = at_port("127.0.0.1", 0)
    server = Server(Paths(runs, ["127.0.0.1"]), listener)
    try:
        yield Served(runs, int(address.rpartition(":")[2]))
    finally:
        server.close()


class Desk:
    """A run's desk over HTTP, as an agent has it in this process."""

    def __init__(self, served: Served, run: str) -> None:
        self._served, self._run = served, run

    def orders(self, customer_id: str) -> Any:
        return self._look_up("orders", f"customer_id={customer_id}")

    def status(self, order_id: str) -> Any:
        return self._look_up("status", f"order_id={order_id}")

    def _look_up(self, name: str, query: str) -> Any:
        reply = self._served.get(f"{self._run}/desk/{name}?{query}")
        if reply.status == 404:
            raise KeyError(query.partition("=")[2])
        return reply.json


def work(served: Served, run: str, rung: int = 3, client: Any = None) -> str:
    """A worked rung on a run, through the real SDK; its answer."""
    worked = TASK.rungs[rung].worked
    assert worked
    agent = ladder.load_agent(worked)
    with nullcontext(client) if client else served.client(run) as sdk:
        return agent(sdk, Desk(served, run), served.get(f"{run}/question").text)
