"""The built site in a browser: opened from a file, watched for requests to anybody and for errors."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from askless.show import page as site

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

TASK = "t01_fewer_tool_calls"
LESSON = f"{TASK}/index.html"
KEPT: list[tempfile.TemporaryDirectory[str]] = []  # until the tests end


@cache
def built() -> Path:
    """The folder with the site."""
    KEPT.append(tempfile.TemporaryDirectory(prefix="ask léss "))
    site.write(Path(KEPT[0].name))
    return Path(KEPT[0].name)


def open_page(context: BrowserContext, path: str | Path) -> Page:
    """A page of the site, or any file, from file://. It may ask nobody for anything, and its script may not fail."""
    page = context.new_page()
    page.on("request", lambda request: fail_unless(request.url.startswith(("file:", "blob:", "data:")), request.url))
    page.on("pageerror", lambda error: fail_unless(False, str(error)))
    page.on("console", lambda said: fail_unless(said.type != "error", said.text))
    page.goto((path if isinstance(path, Path) else built() / path).as_uri())
    return page


def fail_unless(holds: bool, said: str) -> None:
    """Playwright raises it from the call that was running."""
    if not holds:
        raise AssertionError(said)
