"""The page by two judges from npm: html-validate on every page's markup, and Lighthouse. `npm ci` brings them.

Lighthouse times the page as well; on a busy machine those times are the machine's, and are not held to anything.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from tests.browser.site import LESSON, TASK, built

if TYPE_CHECKING:
    from collections.abc import Iterator

BIN = Path(__file__).parent.parent.parent / "node_modules" / ".bin"
LEAST = 0.95
RULES = {"extends": ["html-validate:standard"], "rules": {"doctype-style": "off", "long-title": "off"}}
TIMED = ("first-contentful-paint", "largest-contentful-paint", "speed-index", "total-blocking-time")
PAGES = ["index.html", LESSON, f"{TASK}/lessons/prompt_cache.html", f"{TASK}/traces/v0-v1.html"]

pytestmark = pytest.mark.skipif(not BIN.is_dir(), reason="npm ci was not run, so neither judge is here")


class Packed(BaseHTTPRequestHandler):
    """Pages as a static host sends them: compressed."""

    def __init__(self, folder: Path, *rest: object) -> None:
        self.folder = folder
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
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


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Packed, built())) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_markup_is_valid(tmp_path: Path) -> None:
    (tmp_path / ".htmlvalidate.json").write_text(json.dumps(RULES), "utf-8")
    shutil.copytree(built(), tmp_path / "site")
    command = [str(BIN / "html-validate"), "--formatter", "text", "site/**/*.html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout == ""
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", PAGES)
def test_lighthouse_has_little_to_say(path: str, address: str, chromium: str) -> None:
    flags = "--headless=new --no-sandbox"
    command = [str(BIN / "lighthouse"), f"{address}/{path}", "--quiet", "--output=json", "--no-enable-error-reporting"]
    command += [f"--chrome-flags={flags}", "--throttling-method=simulate"]
    environment = {**os.environ, "CHROME_PATH": chromium}
    done = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=300)
    report = json.loads(done.stdout)
    scores = {name: category["score"] for name, category in report["categories"].items()}
    assert scores["accessibility"] >= LEAST
    assert scores["best-practices"] >= LEAST
    poor = [
        name for name in ("cumulative-layout-shift", "server-response-time") if report["audits"][name]["score"] < LEAST
    ]
    assert poor == []
    if os.getloadavg()[0] < 1:
        assert scores["performance"] >= LEAST, {name: report["audits"][name]["displayValue"] for name in TIMED}
