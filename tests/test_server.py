"""A service over real HTTP, on a UNIX socket and on loopback TCP, through the real SDK."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anthropic
import httpx2
import pytest
from alone import alone
from stand_in import MODEL, first_body

from askless.record import Recorder
from askless.server import LONGEST_SOCKET_PATH, Server, listen
from askless.service import Service


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short enough for a UNIX socket; pytest's own may not be."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def serve(folder: Path, recorder: Recorder) -> tuple[Server, str]:
    listener, address = listen(folder)
    return Server(alone(Service(MODEL), recorder), listener), address


def client(address: str) -> Any:
    uds = address.removeprefix("unix:") if address.startswith("unix:") else None
    http = httpx2.Client(transport=httpx2.HTTPTransport(uds=uds))
    return anthropic.Anthropic(api_key="k", base_url="http://askless" if uds else address, http_client=http)


@pytest.fixture(params=["unix", "tcp"])
def served(request: pytest.FixtureRequest, short: Path) -> Iterator[tuple[Any, Recorder, str]]:
    folder = short if request.param == "unix" else short / ("x" * LONGEST_SOCKET_PATH)
    folder.mkdir(exist_ok=True)
    recorder = Recorder()
    server, address = serve(folder, recorder)
    with client(address) as sdk:
        yield sdk, recorder, address
    server.close()


def test_the_sdk_gets_the_models_reply_and_the_server_counts_it(served):
    sdk, recorder, _ = served
    reply = sdk.messages.create(**first_body())
    trace = recorder.trace()
    assert reply.stop_reason == "tool_use"
    assert [trip.reply for trip in trace.round_trips] == [reply.to_dict()]
    assert trace.totals.input_tokens == 170


def test_a_stream_is_counted_as_the_message_that_it_comes_to(served):
    sdk, recorder, _ = served
    with sdk.messages.stream(**first_body()) as stream:
        streamed = stream.get_final_message()
    assert recorder.trace().round_trips[0].reply["content"] == streamed.to_dict()["content"]


def test_a_refusal_keeps_its_status_its_words_and_its_request_id(served):
    sdk, recorder, _ = served
    with pytest.raises(anthropic.BadRequestError) as refused:
        sdk.messages.create(**first_body(messages=[]))
    assert recorder.trace().totals.failed_requests == 1
    assert refused.value.request_id == recorder.trace().round_trips[0].reply["request_id"]


def test_without_a_place_for_a_socket_it_is_tcp_on_this_machine_alone(short):
    deep = short / ("x" * LONGEST_SOCKET_PATH)
    deep.mkdir()
    for folder in (deep, None):
        listener, address = listen(folder)
        with listener:
            assert address.startswith("http://127.0.0.1:")
    assert list(deep.iterdir()) == []
