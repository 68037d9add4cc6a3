"""An application over real HTTP, on a UNIX socket or a TCP port: uvicorn, with bounds of the lab's own."""

import gc
import signal
import socket
from pathlib import Path
from threading import Thread

import uvicorn
from starlette.types import ASGIApp

from askless.connection import Connection

LONGEST_SOCKET_PATH = 100  # bytes; macOS takes 103, Linux 107
WAIT_S = 30  # for a client to send a request, to take a response, and between two requests
PATIENCE_S = 1_000_000


def listen(folder: Path | None) -> tuple[socket.socket, str]:
    """A listening socket and its address: `unix:PATH` in the folder where that can be, else `http://127.0.0.1:PORT`."""
    path = str(folder / "socket") if folder else ""
    if hasattr(socket, "AF_UNIX") and 0 < len(path.encode()) <= LONGEST_SOCKET_PATH:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        return listener, f"unix:{path}"
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


class Server:
    """An application, served by a thread of its own until `close`; by itself it waits for a client for ever."""

    def __init__(self, application: ASGIApp, listener: socket.socket, wait_s: int = PATIENCE_S) -> None:
        self._server = uvicorn.Server(_config(application, wait_s))
        Thread(target=self._server.run, args=([listener],), daemon=True).start()

    def close(self) -> None:
        """Stop serving: within a fifth of a second open connections are cut."""
        self._server.should_exit = True


def serve(application: ASGIApp, listener: socket.socket) -> None:
    """Serve an application until KeyboardInterrupt: Ctrl-C, or a polite kill. Its connections are cut then."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    gc.freeze()  # what was loaded stays; looking through it again would hold up every client
    uvicorn.Server(_config(application, WAIT_S)).run([listener])


def _config(application: ASGIApp, wait_s: int) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        http=Connection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="critical",  # its warnings are of clients' mistakes
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=wait_s,
    )
