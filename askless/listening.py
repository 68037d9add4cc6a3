"""Where a server listens: a listening socket and its address, or what to do about why there is none."""

import errno
import os
import socket
from pathlib import Path

from askless.errors import Problem

LONGEST_SOCKET_PATH = 100  # bytes; macOS takes 103, Linux 107


def at_port(host: str, port: int) -> tuple[socket.socket, str]:
    """A port of a host; port 0 is any free one. The address is `http://HOST:PORT`."""
    try:
        family, *_, where = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.create_server(where[:2], family=family)
    except OSError as error:
        raise _problem(host, port, error) from None
    shown = f"[{where[0]}]" if family == socket.AF_INET6 else host
    return listener, f"http://{shown}:{listener.getsockname()[1]}"


def _problem(host: str, port: int, error: OSError) -> Problem:
    if isinstance(error, socket.gaierror):
        return Problem(f"{host} is no address of this machine.", "name one, such as --host 127.0.0.1")
    match error.errno:
        case errno.EADDRINUSE:
            return Problem(f"port {port} of {host} is in use.", "stop what uses it, or take any free one: --port 0")
        case errno.EADDRNOTAVAIL:
            return Problem(f"{host} is no address of this machine.", "name one, such as --host 127.0.0.1")
        case errno.EACCES:
            return Problem(f"port {port} may not be used by you.", "name one from 1024 on: --port 8724")
    return Problem(f"{host}, port {port}: {error.strerror}.", "name another: --host, --port")


def at_path(path: Path) -> tuple[socket.socket, str]:
    """A UNIX socket that only its owner can use, in the place of one left behind. The address is `unix:PATH`."""
    if not hasattr(socket, "AF_UNIX"):
        raise Problem("this system has no UNIX sockets.", "name a port: --port")
    if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
        raise Problem(f"{path} is too long for a socket.", f"name a path of at most {LONGEST_SOCKET_PATH} bytes.")
    if path.is_socket():
        _replace(path)
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        seen = f"{path} is there already." if error.errno == errno.EADDRINUSE else f"{path}: {error.strerror}."
        raise Problem(seen, "name another path: --uds PATH") from None
    finally:
        os.umask(before)
    listener.listen()
    return listener, f"unix:{path}"


def _replace(path: Path) -> None:
    """Remove a socket where nobody listens any more."""
    with socket.socket(socket.AF_UNIX) as visitor:
        try:
            visitor.connect(str(path))
        except OSError:
            path.unlink(missing_ok=True)
            return
    raise Problem(f"a server listens at {path} already.", "stop it, or name another path: --uds PATH")
