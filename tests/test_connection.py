"""HTTP as it comes off a socket: in pieces, several at once, malformed, too large, too slow."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from echo import BIG, LAST, MOST_BYTES, Echo, all_of, asked, post

from askless import connection
from askless.listening import at_port
from askless.server import Server


@pytest.fixture
def start() -> Iterator[Callable[..., socket.socket]]:
    """Starts a server, and gives the way to connect to it."""
    with ExitStack() as stack:

        def begin(**limits: Any) -> Callable[[], socket.socket]:
            listener, address = at_port("127.0.0.1", 0)
            server = Server(Echo(), listener, connection.Limits(**limits))
            stack.callback(server.close)
            port = int(address.rpartition(":")[2])
            return lambda: stack.enter_context(closing(socket.create_connection(("127.0.0.1", port), timeout=20)))

        yield begin


@pytest.fixture
def line(start: Any) -> socket.socket:
    return start()()


def test_a_request_is_heard_whole(line):
    status, (method, target, headers, body) = asked(line, post(b"hello", b"X-One: \xe9", LAST))
    assert (status, method, target, body) == (200, "POST", "/a?b=1", "hello")
    assert (headers["host"], headers["x-one"]) == ("a", "é")


def test_it_may_come_byte_by_byte(line):
    for at in post(b"hello", LAST):
        line.sendall(bytes([at]))
    assert asked(line, b"")[1][3] == "hello"


def test_its_body_may_come_in_chunks(line):
    chunks = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert asked(line, chunks + b"3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n")[1][3] == "hello"


def test_several_requests_at_once_are_answered_in_order(line):
    line.sendall(post(b"1") + post(b"2") + post(b"3", LAST))
    received = all_of(line)
    assert [received.index(f'"{number}"]'.encode()) for number in (1, 2, 3)] == sorted(
        received.index(f'"{number}"]'.encode()) for number in (1, 2, 3)
    )
    assert received.count(b"HTTP/1.1 200") == 3


def test_a_connection_is_kept_as_its_client_asks(start):
    connect = start()
    for version, header, kept in (
        (b"1.1", b"", True),
        (b"1.0", b"", False),
        (b"1.0", b"Connection: keep-alive\r\n", True),
    ):
        line = connect()
        line.sendall(b"GET / HTTP/" + version + b"\r\nHost: a\r\n" + header + b"\r\n")
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 200")
        line.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert (b"HTTP/1.1 200" in all_of(line)) is kept


def test_a_client_that_waits_to_send_its_body_is_told_to_go_on(line):
    head, body = post(b"hello", b"Expect: 100-continue", LAST).split(b"\r\n\r\n")
    line.sendall(head + b"\r\n\r\n")
    assert line.recv(1 << 16) == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert asked(line, body)[1][3] == "hello"


def test_a_client_that_would_rather_speak_another_protocol_is_answered_in_this_one(line):
    line.sendall(post(b"hello", b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABk"))
    assert b"hello" in line.recv(1 << 16)
    assert asked(line, post(b"again", LAST))[1][3] == "again"


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nno colon here\r\n\r\n",
        b"GET / HTTP/1.1\r\nA: b\x00c\r\n\r\n",
        bytes(range(256)) * 8,
    ],
)
def test_what_is_not_http_is_refused_and_the_connection_ended(line, garbage):
    assert asked(line, garbage)[0] == 400


def test_after_garbage_nothing_more_is_answered(line):
    line.sendall(b"hello\r\n\r\n" + post(b"hello"))
    assert all_of(line).count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("announced", [True, False])
def test_a_long_body_is_refused_and_its_sender_comes_to_read_why(line, announced):
    body = BIG
    if announced:
        request = post(body)
    else:
        chunk = b"%x\r\n%s\r\n" % (len(BIG), BIG)
        request = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n"
    assert asked(line, request) == (413, f"the body is over {MOST_BYTES:,} bytes long")


def test_a_body_as_long_as_may_be_is_taken(line):
    assert asked(line, post(b"x" * MOST_BYTES, LAST))[0] == 200


def test_endless_headers_are_refused(line):
    status, _ = asked(line, b"GET / HTTP/1.1\r\n" + b"X-More: and more\r\n" * 6000)
    assert status == 431


def test_an_endless_stream_after_a_refusal_is_cut(line, monkeypatch):
    monkeypatch.setattr(connection, "DRAINED_BYTES", 1_000_000)
    line.sendall(b"POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n")
    with pytest.raises(ConnectionError):
        line.sendall(b"x" * 100_000_000)


def test_a_request_that_stops_half_way_is_told_so_and_cut(start):
    line = start(request_s=0.2, idle_s=60)()
    assert asked(line, b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhel") == (
        408,
        "the request did not arrive within 0.2 seconds",
    )


def test_a_slow_drip_does_not_buy_time(start):
    line = start(request_s=0.3, idle_s=60)()
    line.settimeout(0.02)
    received = b""
    for at in b"GET / HTTP/1.1\r\nX: " + b"y" * 3000:
        line.sendall(bytes([at]))
        try:
            received = line.recv(100)
            break
        except TimeoutError:
            continue
    assert received.startswith(b"HTTP/1.1 408")


def test_an_idle_connection_is_closed_without_a_word(start):
    line = start(request_s=60, idle_s=0.2)()
    line.sendall(post(b"hello"))
    assert line.recv(1 << 16).startswith(b"HTTP/1.1 200")
    assert line.recv(1) == b""


def test_a_client_that_does_not_take_its_response_is_cut(start):
    line = start(request_s=0.3, idle_s=60)()
    line.sendall(post(b"", target=b"/big"))
    time.sleep(2)
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


def test_a_connection_too_many_is_turned_away(start):
    connect = start(connections=3)
    taken = [connect() for _ in range(3)]
    for line in taken:
        line.sendall(post(b"x"))
        assert line.recv(1 << 16)
    assert asked(connect(), b"")[0] == 503


def test_a_response_may_be_to_break_the_connection(line):
    line.sendall(post(b"", target=b"/drop") + post(b"hello"))
    assert all_of(line) == b""


def test_a_bug_costs_one_request(line):
    line.sendall(post(b"", target=b"/broken"))
    assert b"500" in line.recv(1 << 16)
    assert asked(line, post(b"hello", LAST))[0] == 200


def test_a_client_that_leaves_early_costs_nothing(start):
    connect = start()
    for cut in range(0, 60, 7):
        with socket.create_connection(connect().getpeername()) as leaving:
            leaving.sendall(post(b"hello")[:cut])
    assert asked(connect(), post(b"hello", LAST))[0] == 200
