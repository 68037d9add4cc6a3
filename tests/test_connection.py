"""What a stranger may take of a server's connections: what uvicorn leaves to a proxy in front of it."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from echo import BIG, ECHO, LAST, MOST_BYTES, all_of, asked, post

from askless import connection, endpoint
from askless.listening import at_port
from askless.server import Server

PATIENT_S, HASTY_S = 60, 0.3


@pytest.fixture
def start() -> Iterator[Callable[..., socket.socket]]:
    """Starts a server, and gives the way to connect to it."""
    with ExitStack() as stack:

        def begin(wait_s: float = PATIENT_S) -> Callable[[], socket.socket]:
            listener, address = at_port("127.0.0.1", 0)
            stack.callback(Server(ECHO, listener, wait_s).close)
            port = int(address.rpartition(":")[2])
            return lambda: stack.enter_context(closing(socket.create_connection(("127.0.0.1", port), timeout=20)))

        yield begin


@pytest.fixture
def line(start: Any) -> socket.socket:
    return start()()


OFFER = (b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABk")


@pytest.mark.parametrize("cut", range(0, len(post(b"hello", *OFFER)), 7))
def test_a_client_that_would_rather_speak_another_protocol_is_answered_in_this_one(line, cut):
    offer = post(b"hello", *OFFER)
    for piece in filter(None, (offer[:cut], offer[cut:])):
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.sendall(piece)
        time.sleep(0.01)
    assert b"hello" in line.recv(1 << 16)
    assert asked(line, post(b"again", LAST))[1][3] == "again"


def test_offers_may_follow_each_other_at_once(line):
    line.sendall(post(b"one", *OFFER) + post(b"two", *OFFER) + post(b"three", LAST))
    heard = all_of(line)
    assert [word in heard for word in (b"one", b"two", b"three")] == [True] * 3


@pytest.mark.parametrize("said", [b"CONNECT a:1 HTTP/1.1\r\n\r\n", b"nonsense\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n"])
def test_what_is_no_request_here_is_refused(line, said):
    line.sendall(said)
    assert all_of(line).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("announced", [True, False])
def test_a_long_body_is_refused_and_its_sender_comes_to_read_why(line, announced):
    if announced:
        request = post(BIG)
    else:
        chunk = b"%x\r\n%s\r\n" % (len(BIG), BIG)
        request = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n"
    line.sendall(request)
    refusal = line.recv(1 << 16)
    assert refusal.startswith(b"HTTP/1.1 413")
    assert b'"request_too_large"' in refusal
    assert asked(line, post(b"short", LAST))[1][3] == "short"


def test_a_client_that_sends_a_long_body_and_then_closes_reads_why_it_is_refused(start):
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"http://127.0.0.1:{start()().getpeername()[1]}/", data=b"x" * 33_000_000))
    assert refused.value.code == 413
    assert b"request_too_large" in refused.value.read()


def test_a_body_that_does_not_end_is_cut(line, monkeypatch):
    monkeypatch.setattr(endpoint, "OVERLONG_BYTES", 100_000)
    line.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 999999999999\r\n\r\n")
    with pytest.raises(ConnectionError):
        repeat(line, b"x" * 100_000)


def test_a_body_as_long_as_may_be_is_taken(line):
    assert asked(line, post(b"x" * MOST_BYTES, LAST))[0] == 200


def repeat(line: socket.socket, piece: bytes, *, pause_s: float = 0.0) -> None:
    for _ in range(300):
        line.sendall(piece)
        time.sleep(pause_s)


def test_endless_headers_are_refused(line):
    line.sendall(b"GET / HTTP/1.1\r\n")
    with pytest.raises(ConnectionError):
        repeat(line, b"X-More: and more\r\n" * 1000)


@pytest.mark.parametrize(
    ("begun", "answered"), [(b"", 0), (b"\r\n", 0), (post(b"hello")[:-1], 0), (post(b"hello") + post(b"hello")[:9], 1)]
)
def test_who_has_not_sent_a_whole_request_in_time_is_cut(start, begun, answered):
    line = start(HASTY_S)()
    line.sendall(begun)
    received = b""
    with suppress(ConnectionResetError):
        while piece := line.recv(1 << 16):
            received += piece
    assert received.count(b"HTTP/1.1 200") == answered


def test_a_slow_drip_does_not_buy_time(start):
    line = start(HASTY_S)()
    line.sendall(b"GET / HTTP/1.1\r\nX: ")
    with pytest.raises(ConnectionError):
        repeat(line, b"y", pause_s=0.01)


def test_an_idle_connection_is_closed(start):
    line = start(HASTY_S)()
    line.sendall(post(b"hello"))
    assert line.recv(1 << 16).startswith(b"HTTP/1.1 200")
    assert line.recv(1) == b""


def test_a_client_that_does_not_take_its_response_is_cut(start):
    line = start(HASTY_S)()
    line.sendall(post(b"", target=b"/big"))
    time.sleep(1.5)
    assert len(all_of(line)) < len(BIG)


def test_a_long_response_arrives_whole(line):
    line.sendall(post(b"", LAST, target=b"/big"))
    assert all_of(line).endswith(b"\r\n\r\n" + BIG)


def test_a_slow_client_holds_up_nobody_else(start):
    connect = start()
    slow = [connect() for _ in range(20)]
    for line in slow:
        line.sendall(post(b"hello")[:-1])
    assert asked(connect(), post(b"quick", LAST))[1][3] == "quick"
    slow[0].sendall(b"o")
    assert b"hello" in slow[0].recv(1 << 16)


def test_nobody_keeps_others_out_by_holding_connections(start, monkeypatch):
    monkeypatch.setattr(connection, "CONNECTIONS", 4)
    connect = start()
    silent, used, begun = connect(), connect(), connect()
    used.sendall(post(b"x"))
    answer = b""
    while not answer.endswith(b'"x"]'):
        answer += used.recv(1 << 16)
    begun.sendall(post(b"hello")[:-1])
    flood = [connect() for _ in range(20)]
    assert asked(connect(), post(b"x", LAST))[0] == 200
    assert silent.recv(1) == used.recv(1) == flood[0].recv(1) == b""


def test_who_waits_for_a_response_keeps_the_connection(start, monkeypatch):
    monkeypatch.setattr(connection, "CONNECTIONS", 4)
    connect = start()
    waiting = connect()
    waiting.sendall(post(b"", LAST, target=b"/slow"))
    time.sleep(0.05)
    flood = [connect() for _ in range(20)]
    assert flood[0].recv(1) == b""
    assert all_of(waiting).endswith(b"at last")


def test_a_response_may_be_to_break_the_connection(line):
    line.sendall(post(b"", target=b"/drop") + post(b"hello"))
    assert all_of(line) == b""


def test_a_bug_costs_one_connection(start):
    connect = start()
    status, said = asked(connect(), post(b"", target=b"/broken"))
    assert (status, said["error"]["message"]) == (500, "a fault of the lab: RuntimeError: a bug")
    assert asked(connect(), post(b"hello", LAST))[0] == 200


def test_a_client_that_leaves_early_costs_nothing(start):
    connect = start()
    for cut in range(0, 60, 7):
        with socket.create_connection(connect().getpeername()) as leaving:
            leaving.sendall(post(b"hello")[:cut])
    assert asked(connect(), post(b"hello", LAST))[0] == 200
