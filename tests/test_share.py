"""No run keeps a server from the others, whatever it sends; each is answered in its own order."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from urllib.error import HTTPError
from urllib.request import Request as Ask
from urllib.request import urlopen

import pytest
from serving import Served, serving
from stand_in import HEADERS, first_body

from askless import endpoint, share
from askless.api.conversation import Request
from askless.service import Service

LONG = "x" * endpoint.LONG_BYTES


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as server:
        yield server


def begin_slow(served: Served, name: str) -> tuple[Event, Event]:
    """A run whose model takes as long as the second event is not set; the first is, once it is at work."""
    at_work, free = Event(), Event()
    run = served.runs.begin(name)
    model = served.runs._model

    def slow(request: Request):
        at_work.set()
        assert free.wait(20)
        return model(request)

    run.service = Service(slow)
    return at_work, free


def test_a_long_request_of_one_run_holds_up_no_other(served):
    at_work, free = begin_slow(served, "long")
    with ThreadPoolExecutor() as pool:
        long = pool.submit(served.post, first_body(system=LONG), "/run/long")
        assert at_work.wait(20)
        assert served.post(first_body(), "/run/short").status == 200
        free.set()
        assert long.result().status == 200


def test_a_run_is_answered_in_the_order_in_which_it_asked(served):
    at_work, free = begin_slow(served, "one")
    with ThreadPoolExecutor() as pool:
        long = pool.submit(served.post, first_body(system=LONG), "/run/one")
        assert at_work.wait(20)
        short = pool.submit(served.post, first_body(), "/run/one")
        assert served.post(first_body(), "/run/other").status == 200
        assert not short.done()
        free.set()
        assert long.result().status == short.result().status == 200
    trips = served.runs.need("one").trace(served.runs.task).round_trips
    assert ["system" in trip.fields for trip in trips] == [True, False]


@pytest.mark.parametrize(
    "target", ["/v1/messages", "/v1/messages/count_tokens", "/v1/messages/batches", "/desk/orders"]
)
def test_a_run_that_has_had_its_share_of_bytes_is_refused_with_a_way_on(served, monkeypatch, target):
    monkeypatch.setattr(share, "RUN_BYTES", 3 * len(LONG))
    body = {**first_body(system=LONG), "customer_id": LONG}
    statuses = [served.ask("POST", f"/run/one{target}", body).status for _ in range(3)]
    refused = served.post(first_body(), "/run/one")
    assert 413 not in statuses[:1]
    assert (refused.status, refused.json["error"]["type"]) == (413, "request_too_large")
    assert "PUT /run/one" in refused.json["next"]
    assert served.post(first_body(), "/run/other").status == 200
    served.ask("PUT", "/run/one")
    assert served.post(first_body(), "/run/one").status == 200


def test_what_is_told_of_a_long_run_holds_up_no_other(served, monkeypatch):
    served.post(first_body(), "/run/long")
    asked, free = Event(), Event()
    trace = served.runs.need("long").trace

    def slow(task):
        asked.set()
        assert free.wait(20)
        return trace(task)

    monkeypatch.setattr(served.runs.need("long"), "trace", slow)
    with ThreadPoolExecutor() as pool:
        told = [pool.submit(served.get, target) for target in ("/run/long/trace", "/run/long/verdict", "/run", "/")]
        assert asked.wait(20)
        assert served.post(first_body(), "/run/short").status == 200
        free.set()
        assert [each.result().status for each in told] == [200] * 4


def test_a_batch_is_ended_beside_other_runs_work(served):
    at_work, free = begin_slow(served, "batch")
    asks = {"requests": [{"custom_id": "a", "params": first_body()}]}
    made = served.ask("POST", "/run/batch/v1/messages/batches", asks, **HEADERS).json["id"]

    def ended() -> str:
        reply = served.ask("GET", f"/run/batch/v1/messages/batches/{made}", **HEADERS)
        return reply.json["processing_status"]

    with ThreadPoolExecutor() as pool:
        assert ended() == "in_progress"
        last = pool.submit(ended)
        assert at_work.wait(20)
        assert served.post(first_body(), "/run/short").status == 200
        free.set()
        assert last.result() == "ended"


def test_a_body_that_is_over_a_runs_share_is_read_so_that_its_sender_reads_why(served, monkeypatch):
    monkeypatch.setattr(share, "RUN_BYTES", 10)
    address = f"{served.address}/run/one/v1/messages"
    with pytest.raises(HTTPError) as refused:
        urlopen(Ask(address, data=b"x" * 20_000_000, headers=HEADERS))
    assert refused.value.code == 413
    assert b"PUT /run/one" in refused.value.read()


def test_the_messages_of_a_run_are_counted_however_short_they_are(served, monkeypatch):
    monkeypatch.setattr(share, "RUN_BYTES", 100 * share.MESSAGE_BYTES)
    messages = [{"role": "user", "content": "a"}] * 60
    assert served.post(first_body(messages=messages), "/run/short").status == 200
    assert served.post(first_body(messages=messages[1:]), "/run/short").status == 413


def test_a_conversation_that_grows_is_counted_once(served, monkeypatch):
    monkeypatch.setattr(share, "RUN_BYTES", 100 * share.MESSAGE_BYTES)
    for length in range(1, 30):
        messages = [{"role": "user", "content": "a"}] * length
        assert served.post(first_body(messages=messages), "/run/grows").status == 200


def test_look_ups_count_among_what_all_runs_hold(monkeypatch):
    monkeypatch.setattr("askless.serve.runs.KEPT_BYTES", 100_000)
    with serving() as small:
        for name in ("one", "two"):
            small.ask("POST", f"/run/{name}/desk/orders", {"customer_id": "x" * 60_000})
        assert [run["name"] for run in small.get("/run").json] == ["two"]
