"""A service over real HTTP: starlette and uvicorn around `Service`, on a UNIX socket or on a loopback TCP port."""

import socket
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from askless.record import Exchange
from askless.service import Service

LONGEST_SOCKET_PATH = 100  # bytes; macOS takes 103, Linux 107


async def answer(service: Service, path: str, request: Request, record: Callable[[Exchange], None]) -> Response:
    """Answer one POST to the Messages API, and record it before the client can see the reply."""
    answered = service.post(path, dict(request.headers), await request.body())
    if answered.exchange is not None:
        record(answered.exchange)
    return Response(answered.body, answered.status, dict(answered.headers))


def listen(folder: Path | None) -> tuple[socket.socket, str]:
    """A listening socket and its address: `unix:PATH` in the folder where that can be, else `http://127.0.0.1:PORT`."""
    path = str(folder / "socket") if folder else ""
    if hasattr(socket, "AF_UNIX") and 0 < len(path.encode()) <= LONGEST_SOCKET_PATH:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(128)
        return listener, f"unix:{path}"
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


class Server:
    """An application, served by a thread of its own until `close`."""

    def __init__(self, app: ASGIApp, listener: socket.socket) -> None:
        quiet = {"log_config": None, "access_log": False, "server_header": False, "date_header": False}
        lean = {"lifespan": "off", "ws": "none", "http": "h11", "loop": "asyncio"}
        self._server = uvicorn.Server(uvicorn.Config(app, **quiet, **lean))  # type: ignore[arg-type]
        self._thread = Thread(target=self._server.run, args=([listener],), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving; open connections are cut within a tenth of a second."""
        self._server.force_exit = True
        self._server.should_exit = True
