"""`askless serve` as a process: where it listens, what it prints, how it ends; and curl against it."""

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

import httpx2
import pytest
from stand_in import first_body

from askless import cli
from askless.listening import LONGEST_SOCKET_PATH

Serve = Callable[..., tuple["subprocess.Popen[str]", str]]
MISSING_CURL = shutil.which("curl") is None and "CI" not in os.environ


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a server with these words; gives its process and its address."""
    with ExitStack() as stack:

        def start(*words: str) -> tuple["subprocess.Popen[str]", str]:
            command = [sys.executable, "-m", "askless", "serve", "t01", "--json", *words]
            process = stack.enter_context(
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            )
            stack.callback(process.kill)
            assert process.stdout
            return process, json.loads(process.stdout.readline())["address"]

        yield start


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short enough for a socket."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What wrong usage says."""
    assert cli.main(["serve", "t01", *words]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    assert "\nNext: " in seen.err
    return seen.err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_answers_and_stops_cleanly(serve, how):
    process, address = serve("--port", "0")
    with urlopen(f"{address}/run/ann/question") as response:
        assert response.read().startswith(b"For customers")
    process.send_signal(how)
    rest = process.communicate(timeout=30)
    assert (process.returncode, *rest) == (0, "", "")


def test_it_stops_with_a_client_connected(serve):
    process, address = serve("--port", "0")
    with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as client:
        client.sendall(b"POST / HTTP/1.1\r\n")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


def test_for_a_person_it_prints_what_to_set_and_to_open():
    command = [sys.executable, "-m", "askless", "serve", "t01", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(6)]
        process.send_signal(signal.SIGINT)
    assert lines[0].startswith("Serving t01_fewer_tool_calls at http://127.0.0.1:")
    assert "/run/NAME " in lines[1]
    assert "verdict?rung=3&form=text" in lines[4]


def test_a_port_in_use_is_said_with_what_to_do(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = told(capsys, "--port", str(taken.getsockname()[1]))
    assert "in use" in said
    assert "--port 0" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--port", "x"), "--port x"),
        (("--port", "70000"), "65,535"),
        (("--port", "-1"), "--port"),
        (("--host", "192.0.2.1", "--port", "0"), "no address of this machine"),
        (("--host", "no host", "--port", "0"), "no address of this machine"),
        (("--keep", "0"), "--keep 0"),
        (("--uds", "/nowhere/at/all"), "No such file"),
        (("--uds", "/" + "x" * LONGEST_SOCKET_PATH), "too long"),
    ],
)
def test_wrong_usage_is_said_with_what_to_do(words, says, capsys):
    assert says in told(capsys, *words)


def test_a_unix_socket_is_its_owners_alone_and_is_gone_after(serve, short):
    path = short / "s"
    process, address = serve("--uds", str(path))
    assert address == f"unix:{path}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with httpx2.Client(transport=httpx2.HTTPTransport(uds=str(path))) as client:
        assert client.get("http://any/run/ann/question").text.startswith("For customers")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    assert not path.exists()


def test_a_socket_in_use_is_left_alone_and_one_left_behind_is_replaced(serve, short, capsys):
    path = short / "s"
    process, _ = serve("--uds", str(path))
    assert "listens" in told(capsys, "--uds", str(path))
    process.kill()
    process.wait()
    assert path.is_socket()
    assert serve("--uds", str(path))[1] == f"unix:{path}"


def test_a_file_is_never_taken_for_a_socket(short, capsys):
    file = short / "mine"
    file.write_text("mine")
    assert "is there already" in told(capsys, "--uds", str(file))
    assert file.read_text() == "mine"


def test_whoever_lets_others_in_is_warned(serve):
    process, address = serve("--port", "0", "--host", "0.0.0.0")
    with urlopen(f"http://127.0.0.1:{address.rpartition(':')[2]}/run") as response:
        assert json.load(response) == []
    process.send_signal(signal.SIGINT)
    assert "Anybody who reaches 0.0.0.0" in process.communicate(timeout=30)[1]


def test_a_dropped_run_is_told_of(serve):
    process, address = serve("--port", "0", "--keep", "1")
    for name in ("one", "two"):
        with urlopen(f"{address}/run/{name}/question") as response:
            response.read()
    process.send_signal(signal.SIGINT)
    assert "'one' was dropped" in process.communicate(timeout=30)[1]


@pytest.mark.skipif(MISSING_CURL, reason="curl is not installed: apt-get install curl")
class TestCurl:
    HEADERS = ("-H", "x-api-key: any", "-H", "anthropic-version: 2026-10-21", "-H", "content-type: application/json")

    def curl(self, *words: str, data: bytes | None = None) -> bytes:
        sent = () if data is None else ("--data-binary", "@-")
        done = subprocess.run(
            ["curl", "-sS", *self.HEADERS, *words, *sent], input=data, capture_output=True, check=True
        )
        return done.stdout

    def test_a_message_as_json_and_as_a_stream(self, serve: Any) -> None:
        _, address = serve("--port", "0")
        url = f"{address}/run/curl/v1/messages"
        whole = json.loads(self.curl(url, data=json.dumps(first_body()).encode()))
        assert [block["name"] for block in whole["content"]] == ["get_orders"] * 4
        stream = self.curl("-N", url, data=json.dumps(first_body(stream=True)).encode()).decode()
        kinds = [line.removeprefix("event: ") for line in stream.splitlines() if line.startswith("event: ")]
        assert (kinds[0], kinds[-2:]) == ("message_start", ["message_delta", "message_stop"])
        counted = self.curl(f"{url}/count_tokens", data=json.dumps({**first_body(), "max_tokens": None}).encode())
        assert json.loads(counted)["error"]["type"] == "invalid_request_error"

    def test_a_body_of_over_32_mb_is_refused_in_the_apis_words(self, serve: Any) -> None:
        _, address = serve("--port", "0")
        refused = self.curl("-i", f"{address}/v1/messages", data=b" " * (33 << 20))
        assert b"413 Content Too Large" in refused or b"413 Request Entity Too Large" in refused
        assert b'"request_too_large"' in refused
