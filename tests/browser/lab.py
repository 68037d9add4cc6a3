"""JupyterLab as a person uses it: open the notebook, run a cell, look at what it shows."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

SLOW_MS = 120_000  # for a machine that has much else to do
NOTEBOOK = "t01_fewer_tool_calls"
CONNECTED = """() => {
  const panel = window.jupyterapp?.shell.currentWidget;
  const session = panel?.context?.sessionContext;
  const kernel = session?.session?.kernel;
  return Boolean(session?.isReady && kernel?.connectionStatus === 'connected' && kernel.status === 'idle');
}"""
SELECT = """id => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = notebook.widgets.findIndex(cell => cell.model.id === id);
  notebook.deselectAll();
  notebook.mode = 'command';
  notebook.scrollToItem(notebook.activeCellIndex);
}"""
FOCUS = """id => {
  const cell = window.jupyterapp.shell.currentWidget.content.activeCell;
  cell.node.focus();
  return cell.model.id === id && document.activeElement === cell.node;
}"""
RESTART = """() => {
  window.restarted = false;
  const kernel = window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel;
  kernel.restart().then(() => { window.restarted = true; });
}"""
SAVE = """() => {
  window.saved = false;
  window.jupyterapp.shell.currentWidget.context.save().then(() => { window.saved = true; });
}"""
THEME = "name => { window.jupyterapp.commands.execute('apputils:change-theme', {theme: name}) }"
FOCUSED = "() => document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent"
ORDER = "() => window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.id)"
FORGET = """id => {
  const cell = window.jupyterapp.shell.currentWidget.content.widgets.find(cell => cell.model.id === id);
  cell.model.executionCount = null;
}"""
DONE = """id => {
  const cell = window.jupyterapp.shell.currentWidget.content.widgets.find(cell => cell.model.id === id);
  return cell.model.executionState === 'idle' && cell.model.executionCount > 0;
}"""


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab on a copy of the repository."""

    root: Path
    address: str
    token: str
    home: Path

    @property
    def notebook(self) -> Path:
        """The lesson's notebook."""
        return self.root / "notebooks" / f"{NOTEBOOK}.ipynb"

    @property
    def record(self) -> Path:
        """The learner's progress record."""
        return self.root / "tasks" / NOTEBOOK / "learner" / ".progress.json"

    def addresses(self) -> list[str]:
        """Every address that the server, the kernels and their children looked up or connected to."""
        notes = self.home / "addresses"
        return notes.read_text("utf-8").splitlines() if notes.exists() else []

    def open(self, page: Page, name: str) -> "Sheet":
        """A copy of the notebook under a name of its own, its kernel connected."""
        self.record.unlink(missing_ok=True)
        copy = self.notebook.with_name(f"{name}.ipynb")
        shutil.copyfile(self.notebook, copy)
        sheet = Sheet(self, page, copy)
        page.on("request", lambda request: sheet.requested.append(request.url))
        page.goto(f"{self.address}/lab/tree/notebooks/{copy.name}?token={self.token}&reset")
        sheet.connected()
        return sheet


@dataclass
class Sheet:
    """One notebook, open in a page."""

    lab: Lab
    page: Page
    file: Path
    requested: list[str] = field(default_factory=list)

    def connected(self) -> None:
        """Wait for the kernel's connection; the status bar says idle before there is one."""
        self.page.wait_for_function(CONNECTED, timeout=SLOW_MS)

    def select(self, cell: str) -> None:
        """Make a cell the active one, in command mode, and give it the keyboard."""
        self.page.evaluate(SELECT, cell)
        self.page.wait_for_function(FOCUS, arg=cell)

    def run(self, *cells: str) -> None:
        """Run cells by the keyboard and wait for each."""
        for cell in cells:
            self.select(cell)
            self.page.evaluate(FORGET, cell)
            self.page.keyboard.press("Control+Enter")
            self.page.wait_for_function(DONE, arg=cell, timeout=SLOW_MS)

    def cell(self, cell: str) -> Locator:
        """A cell as it stands in the page."""
        index = self.page.evaluate(ORDER).index(cell)
        return self.page.locator(f".jp-Cell[data-windowed-list-index='{index}']")

    def output(self, cell: str) -> Locator:
        """What a cell shows."""
        return self.cell(cell).locator(".jp-Cell-outputArea")

    def field(self, name: str) -> Locator:
        """A field of the one form that is shown."""
        return self.page.get_by_label(name, exact=True)

    def button(self, name: str) -> Locator:
        """A button of that form."""
        return self.page.locator(".jp-OutputArea").get_by_role("button", name=name, exact=True)

    def tab_to(self, name: str) -> None:
        """Press Tab until what has this name has the keyboard."""
        for _ in range(20):
            self.page.keyboard.press("Tab")
            if str(self.page.evaluate(FOCUSED)).startswith(name):
                return
        raise AssertionError(f"Tab does not come to {name!r}")

    def type_into(self, name: str, text: str) -> None:
        """Tab to a field and type."""
        self.tab_to(name)
        self.page.keyboard.type(text)

    def theme(self, name: str) -> None:
        """Change the colours of all of JupyterLab."""
        self.page.evaluate(THEME, name)
        self.page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=name)

    def duplicate(self, cell: str) -> str:
        """Copy a cell below itself by the keyboard; the copy's id."""
        self.select(cell)
        self.page.keyboard.press("c")
        self.page.keyboard.press("v")
        order = self.page.evaluate(ORDER)
        return str(order[order.index(cell) + 1])

    def save(self) -> dict[str, Any]:
        """Save, and read what was stored."""
        self.page.evaluate(SAVE)
        self.page.wait_for_function("() => window.saved", timeout=SLOW_MS)
        return dict(json.loads(self.file.read_text("utf-8")))

    def reload(self) -> None:
        """Open the same notebook again, as after closing the browser."""
        self.page.goto(f"{self.lab.address}/lab/tree/notebooks/{self.file.name}?token={self.lab.token}&reset")
        self.connected()

    def reopen_changed(self, document: dict[str, Any]) -> None:
        """Open the notebook as one that came from elsewhere: JupyterLab does not know it and so does not trust it."""
        document["metadata"]["from"] = "elsewhere"
        self.file.write_text(json.dumps(document), "utf-8")
        self.reload()

    def restart(self) -> None:
        """Restart the kernel: what lived in it is gone."""
        self.page.evaluate(RESTART)
        self.page.wait_for_function("() => window.restarted", timeout=SLOW_MS)
        self.connected()

    def close(self) -> None:
        """Close the page and end the kernel."""
        self.page.evaluate("() => { window.jupyterapp.shell.currentWidget?.context.sessionContext.shutdown() }")
        self.page.wait_for_timeout(300)
        self.page.close()


def see(locator: Locator, text: str) -> None:
    """Wait until an element says something."""
    expect(locator).to_contain_text(text, timeout=SLOW_MS)
