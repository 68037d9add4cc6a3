"""Planned faults, the prompt cache and batches over real HTTP: the SDK meets what it meets in process."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anthropic
import httpx2
import pytest
from alone import alone
from cached import SHORT, body, said, user
from stand_in import MODEL
from test_batches import asks, ended
from test_client_faults import ask, stream, tries

from askless.api.faults import STATUSES, Fault, Plan
from askless.record import Recorder
from askless.server import Server, listen
from askless.service import Service
from askless.trace import Trace

PLANS = [
    *(Plan((Fault(1, "status", status=status, delay_s=1),)) for status in STATUSES),
    Plan((Fault(1, "status", status=429, retry_after_s=30), Fault(2, "status", status=529))),
    Plan((Fault(1, "drop"),)),
    Plan((Fault(1, "cut_stream", after_events=4),)),
    Plan((Fault(1, "refusal", category="bio"),)),
    Plan((Fault(1, "max_tokens"),)),
    Plan((Fault(1, "unknown_tool"),)),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Its path is short enough for a UNIX socket; pytest's own may not be."""
    with TemporaryDirectory() as name:
        yield Path(name)


def met(folder: Path, act: Callable[[Any], Any], plan: Plan, **options: Any) -> tuple[Any, Trace]:
    """What an agent gets over HTTP, and the server's trace of it."""
    recorder = Recorder()
    listener, address = listen(folder)
    server = Server(alone(Service(MODEL, faults=plan), recorder), listener)
    http = httpx2.Client(transport=httpx2.HTTPTransport(uds=address.removeprefix("unix:")))
    with anthropic.Anthropic(api_key="k", base_url="http://askless", http_client=http, **options) as client:
        try:
            got = act(client)
        except anthropic.AnthropicError as error:
            got = error
    server.close()
    return got, recorder.trace()


def in_process(act: Callable[[Any], Any], plan: Plan, **options: Any) -> tuple[Any, Trace]:
    from test_client_faults import met as met_in_process

    return met_in_process(act, *plan.faults, **options)


@pytest.mark.parametrize("act", [ask, stream])
@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_a_fault_over_http_is_the_fault_in_process(folder: Path, plan: Plan, act: Callable[[Any], Any]) -> None:
    retries = {"max_retries": 0} if plan.faults[0].kind in ("drop", "cut_stream") else {}
    got, trace = met(folder, act, plan, **retries)
    known, same = in_process(act, plan, **retries)
    assert tries(trace) == tries(same)
    assert trace == same
    assert type(got) is type(known)
    if isinstance(got, anthropic.APIStatusError):
        assert (got.status_code, got.body, got.request_id) == (known.status_code, known.body, known.request_id)
    elif not isinstance(got, anthropic.APIConnectionError):
        assert got.to_dict() == known.to_dict()


def test_a_retry_over_http_waits_for_nothing_and_can_read_what_it_was_told(folder: Path) -> None:
    plan = Plan((Fault(1, "status", status=429, retry_after_s=600),))
    got, _ = met(folder, ask, plan, max_retries=0)
    assert got.response.headers["retry-after"] == "600"
    assert got.response.headers["retry-after-ms"] == "1"


def test_a_batch_over_http_is_a_batch_in_process(folder: Path) -> None:
    def act(client: anthropic.Anthropic) -> Any:
        made = client.messages.batches.create(requests=asks("a", "b", "c"))
        client.messages.batches.cancel(client.messages.batches.create(requests=asks("d")).id)
        ended(client, made.id)
        lines = [line.to_dict() for line in client.messages.batches.results(made.id)]
        client.messages.batches.delete(made.id)
        return lines, [batch.to_dict() for batch in client.messages.batches.list(limit=1)]

    assert met(folder, act, Plan()) == in_process(act, Plan())


def test_the_prompt_cache_over_http_is_the_one_in_process(folder: Path) -> None:
    def act(client: anthropic.Anthropic) -> Any:
        marked: Any = body(user(said("q")), cache_control=SHORT)
        return [client.messages.create(**marked).usage.to_dict() for _ in range(2)]

    usages, trace = met(folder, act, Plan())
    assert (usages, trace) == in_process(act, Plan())
    assert usages[1]["cache_read_input_tokens"] == usages[0]["cache_creation_input_tokens"] > 0
