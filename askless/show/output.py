"""A cell's output: static HTML that can be replaced in place, and a widget that leaves nothing behind it."""

from typing import Any

from IPython.display import DisplayHandle, display

from askless.show.words import words

WIDGET = "application/vnd.jupyter.widget-view+json"


def put(page: str, place: DisplayHandle | None = None) -> DisplayHandle:
    """Show a page in the running cell; the handle can put another in its place, also after the cell has run."""
    place = place or DisplayHandle()
    place.display(_bundle(page), raw=True)
    return place


def replace(place: DisplayHandle, page: str) -> None:
    """Put a page where another one was."""
    place.update(_bundle(page), raw=True)


def put_widget(widget: Any) -> None:
    """Show a widget; where there is no kernel, in a copy or in print, nothing stands in its place."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    display({WIDGET: view, "text/html": "", "text/plain": ""}, raw=True)


def _bundle(page: str) -> dict[str, str]:
    return {"text/html": page, "text/plain": words(page)}
