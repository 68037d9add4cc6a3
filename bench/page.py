"""What Lighthouse, from npm, says of the built pages; `npm ci` brings it."""

import gzip
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

from askless.show import page as site
from bench.figure import Figure, in_turn

BIN = Path(__file__).parent.parent / "node_modules" / ".bin"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ROUNDS, LEAST = 3, 0.95
PAGES = ("index.html", "t01_fewer_tool_calls/index.html")


class Packed(BaseHTTPRequestHandler):
    """Pages as a static host sends them: compressed."""

    def __init__(self, folder: Path, *rest: Any) -> None:
        self.folder = folder
        super().__init__(*rest)

    def do_GET(self) -> None:
        """One file of the folder."""
        path = self.folder / self.path.lstrip("/")
        body = gzip.compress(path.read_bytes()) if path.is_file() else b""
        self.send_response(200 if body else 404)
        if body:
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The folder on a port of this machine; gives the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Packed, folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def report(address: str, browser: str) -> Any:
    """Lighthouse's report of one page."""
    command = [str(BIN / "lighthouse"), address, "--quiet", "--output=json", "--no-enable-error-reporting"]
    command += ["--chrome-flags=--headless=new --no-sandbox", "--throttling-method=simulate"]
    environment = {**os.environ, "CHROME_PATH": browser}
    done = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=300)
    return json.loads(done.stdout)


def figures() -> Iterator[Figure]:
    """The performance that is wanted, over Lighthouse's score; nothing where Lighthouse or a browser is missing."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None or not BIN.is_dir():
        return
    with tempfile.TemporaryDirectory() as folder:
        site.write(Path(folder))
        with hosted(Path(folder)) as address:
            scores = in_turn(ROUNDS, {path: partial(_performance, f"{address}/{path}", browser) for path in PAGES})
    for path, each in scores.items():
        yield Figure(f"{path}, speed", LEAST / median(each), 1.0, "a Lighthouse performance of 95")


def _performance(address: str, browser: str) -> float:
    return float(report(address, browser)["categories"]["performance"]["score"])
