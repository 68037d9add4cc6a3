"""The web command: build the site into a folder, and serve it to this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    from argparse import Namespace
    from http.server import ThreadingHTTPServer
    from pathlib import Path

OUT = "web/build"
HOST = "127.0.0.1"
PORT = 8000


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "build the lessons as web pages"
    web = commands.add_parser("web", help=what, description=f"{what[0].upper()}{what[1:]}.")
    web.add_argument("--out", metavar="DIR", default=OUT, help=f"the folder to build into (default: {OUT})")
    web.add_argument("--serve", action="store_true", help="then serve it to this machine until Ctrl-C")
    web.add_argument("--port", type=int, default=PORT, help=f"where to serve it (default: {PORT}; 0: any free one)")
    web.set_defaults(run=_run)


def _run(words: Namespace) -> int:
    from pathlib import Path

    from askless.show import page

    folder = Path(words.out)
    paths = page.write(folder)
    print(f"{folder}: {len(paths)} files. Open {folder / 'index.html'} in a browser.")
    return _serve(folder, words.port) if words.serve else 0


def _serve(folder: Path, port: int) -> int:
    with _server(folder, port) as server:
        print(f"http://{HOST}:{server.server_port}/ (Ctrl-C ends it)", flush=True)
        server.serve_forever()
    return 0


def _server(folder: Path, port: int) -> ThreadingHTTPServer:
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    try:
        return ThreadingHTTPServer((HOST, port), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    except OSError as error:
        raise Problem(
            f"port {port} cannot be used: {error.strerror}.", "name another: --port 0 takes a free one"
        ) from None
