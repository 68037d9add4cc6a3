"""The real JupyterLab on a copy of this repository, in a headless Chromium. Nothing of the reader's own is touched.

These tests want a process of their own (`pytest tests/browser`): Playwright leaves an event loop running.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from shipped import copy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext

    from tests.browser.lab import Lab, Sheet

ROOT = Path(__file__).parent.parent.parent
COPIED = ("askless", "notebooks", "tasks", "web", "worked")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TOKEN = "askless"
READY_S = 120
SETTINGS = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}

# Put in front of every Python process of the lab: it notes each address that is looked up or connected to.
WATCHER = """
import os, sys

def note(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        address = args[0] if event == "socket.getaddrinfo" else args[1]
        with open(os.environ["ASKLESS_WATCHED"], "a", encoding="utf-8") as notes:
            print(event, repr(address), file=notes)

sys.addaudithook(note)
"""


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Left out where they were not asked for by name."""
    return None if any("browser" in str(name) for name in config.args) else True


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser is. On a machine without one these tests are skipped; where CI=true they fail."""
    found = [path for name in BROWSERS if (path := shutil.which(name))]
    if not found and os.environ.get("CI") == "true":
        pytest.fail("No Chromium was found. Next: apt-get install chromium")
    if not found:
        pytest.skip("no Chromium was found, so the notebook was not tried in a browser")
    return found[0]


@pytest.fixture(scope="session")
def lab(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab on a copy of the repository, as `make lab` starts it, with settings and records of its own."""
    home = tmp_path_factory.mktemp("home")
    root = tmp_path_factory.mktemp("ask léss")
    copy(COPIED, root)
    (home / "sitecustomize.py").write_text(WATCHER, "utf-8")
    port = free_port()
    log = (home / "server.log").open("wb")
    server = subprocess.Popen(
        command(root, port), env=environment(home, root), stdout=log, stderr=log, start_new_session=True
    )
    from tests.browser.lab import Lab

    lab = Lab(root, f"http://127.0.0.1:{port}", TOKEN, home)
    try:
        wait_for(lab, server)
        yield lab
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)
        log.close()


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def command(root: Path, port: int) -> list[str]:
    options = {
        "--ServerApp.ip": "127.0.0.1",
        "--ServerApp.port": f"{port}",
        "--ServerApp.port_retries": "0",
        "--ServerApp.root_dir": f"{root}",
        "--IdentityProvider.token": TOKEN,
        "--LabApp.news_url": "None",
        "--LabApp.check_for_updates_class": "jupyterlab.handlers.announcements.NeverCheckForUpdate",
        "--LabApp.extension_manager": "readonly",
    }
    flags = ["--allow-root", "--no-browser", "--expose-app-in-browser"]
    return [sys.executable, "-m", "jupyterlab", *flags, *(f"{name}={value}" for name, value in options.items())]


def environment(home: Path, root: Path) -> dict[str, str]:
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(SETTINGS), "utf-8")
    own = {
        "HOME": "",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
        "MPLCONFIGDIR": "matplotlib",
        "ASKLESS_WATCHED": "addresses",
    }
    paths = {name: str(home / folder) for name, folder in own.items()}
    return {**os.environ, **paths, "PYTHONPATH": f"{home}{os.pathsep}{root}", "JUPYTER_NO_CONFIG": "1"}


def wait_for(lab: Lab, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + READY_S
    while server.poll() is None and time.monotonic() < until:
        try:
            with urlopen(f"{lab.address}/api/status?token={TOKEN}", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start:\n{(lab.home / 'server.log').read_text('utf-8')}")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    from tests.browser.lab import SLOW_MS

    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(SLOW_MS)
    yield context
    context.close()


@pytest.fixture
def sheet(lab: Lab, context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Sheet]:
    """A fresh copy of the notebook, open, with a record that knows nothing yet."""
    sheet = lab.open(context.new_page(), request.node.name)
    yield sheet
    sheet.close()
