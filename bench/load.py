"""Load on a server: so many keep-alive connections, each sending the next request once it has its response."""

import os
import selectors
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

CONNECTIONS = 32
HEADERS = "Host: 127.0.0.1\r\nContent-Type: application/json\r\nx-api-key: any\r\nanthropic-version: 2026-10-21\r\n"

Requests = Callable[[], list[bytes]]  # those of a whole run, in order


def request(path: str, body: bytes) -> bytes:
    """A POST as it goes over the wire."""
    return f"POST {path} HTTP/1.1\r\n{HEADERS}Content-Length: {len(body)}\r\n\r\n".encode() + body


@dataclass(frozen=True)
class Window:
    """What was seen of a server for a while: its CPU seconds a request, and the 99th percentile of the waits."""

    cpu_s: float
    p99_s: float


@dataclass
class _Connection:
    """One client. A server that answers anything but 200 ends the benchmark."""

    line: socket.socket
    requests: Requests
    queue: list[bytes] = field(default_factory=list)
    received: bytes = b""
    sent_s: float = 0.0

    def send(self) -> None:
        """Send the next request."""
        if not self.queue:
            self.queue = self.requests()
        self.sent_s = perf_counter()
        self.line.sendall(self.queue.pop(0))

    def receive(self) -> bool:
        """Take what came; whether the response is whole."""
        piece = self.line.recv(1 << 20)
        assert piece, "the server closed the connection"
        self.received += piece
        head, found, body = self.received.partition(b"\r\n\r\n")
        if not found or not _is_whole(head.lower(), body):
            return False
        assert head.startswith(b"HTTP/1.1 200"), self.received
        self.received = b""
        return True


def _is_whole(head: bytes, body: bytes) -> bool:
    _, sized, rest = head.partition(b"content-length:")
    return len(body) >= int(rest.partition(b"\r")[0]) if sized else body.endswith(b"0\r\n\r\n")


@dataclass(frozen=True)
class Load:
    """Clients of one server."""

    port: int
    pid: int
    requests: Requests

    def run(self, seconds: float = 0.0, count: int = 0) -> Window:
        """Go on for at least so many seconds and requests."""
        waits: list[float] = []
        with closing(self._connected()) as clients:
            began_s, cpu_s = perf_counter(), cpu_seconds(self.pid)
            while perf_counter() - began_s < seconds or len(waits) < count:
                waits += _answered(clients)
            cpu_s = cpu_seconds(self.pid) - cpu_s
            for key in clients.get_map().values():
                key.data.line.close()
        return Window(cpu_s / len(waits), sorted(waits)[len(waits) * 99 // 100])

    def _connected(self) -> selectors.BaseSelector:
        clients = selectors.DefaultSelector()
        for _ in range(CONNECTIONS):
            line = socket.create_connection(("127.0.0.1", self.port))
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = _Connection(line, self.requests)
            clients.register(line, selectors.EVENT_READ, connection)
            connection.send()
        return clients


def _answered(clients: selectors.BaseSelector) -> Iterator[float]:
    """The seconds that each client waited whose response is whole now; it has sent its next request."""
    for key, _ in clients.select(timeout=10):
        connection: _Connection = key.data
        if connection.receive():
            yield perf_counter() - connection.sent_s
            connection.send()


def cpu_seconds(pid: int) -> float:
    """The CPU seconds of a process, its threads and the kernel's work for it counted in."""
    stat = Path(f"/proc/{pid}/stat")
    if stat.exists():
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    minutes, _, seconds = subprocess.check_output(["ps", "-o", "time=", "-p", str(pid)], text=True).rpartition(":")
    return 60 * int(minutes.rpartition(":")[2]) + float(seconds)
