"""The page by two judges from npm: html-validate on every page's markup, and Lighthouse. `npm ci` brings them.

Lighthouse times the page as well. Those times are the machine's, so `make bench ARGS=page` holds them and no test does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from bench.page import BIN, LEAST, hosted, report
from tests.browser.site import LESSON, TASK, built

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RULES = {"extends": ["html-validate:standard"], "rules": {"doctype-style": "off", "long-title": "off"}}
PAGES = ["index.html", LESSON, f"{TASK}/lessons/prompt_cache.html", f"{TASK}/traces/v0-v1.html"]

pytestmark = pytest.mark.skipif(
    not BIN.is_dir() and not os.environ.get("CI"), reason="neither judge is here. Next: npm ci"
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with hosted(built()) as address:
        yield address


def test_the_markup_is_valid(tmp_path: Path) -> None:
    (tmp_path / ".htmlvalidate.json").write_text(json.dumps(RULES), "utf-8")
    shutil.copytree(built(), tmp_path / "site")
    command = [str(BIN / "html-validate"), "--formatter", "text", "site/**/*.html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout == ""
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", PAGES)
def test_lighthouse_has_little_to_say(path: str, address: str, chromium: str) -> None:
    said = report(f"{address}/{path}", chromium)
    scores = {name: category["score"] for name, category in said["categories"].items()}
    assert scores["accessibility"] >= LEAST
    assert scores["best-practices"] >= LEAST
    poor = [
        name for name in ("cumulative-layout-shift", "server-response-time") if said["audits"][name]["score"] < LEAST
    ]
    assert poor == []
