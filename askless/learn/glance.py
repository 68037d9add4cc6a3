"""A glance at the progress record, for a command that must start fast: what it holds of hints, and no more.

Where the record is not as expected it says so, and progressfile.py is there to say why.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from askless.files import save
from askless.lock import alone

SCHEMA = "askless.progress/1"
FILE = ".progress.json"
LOCK = ".progress.lock"


class Glance(NamedTuple):
    """What chooses the next hint: the last practice run, and how many hints of each step were shown."""

    rung: str  # empty where there was none
    verdict: str
    highest: str | None
    findings: tuple[str, ...]
    hints: dict[str, int]


def read(folder: Path) -> Glance | None:
    """What the record in a learner's folder holds; None where it takes a longer look."""
    try:
        return _glance(json.loads((folder / FILE).read_text("utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def count(folder: Path, step: str, shown: int) -> bool:
    """Store how many hints of a step were shown; false where that was not to be. A Problem on a full disk."""
    try:
        with alone(folder / LOCK):
            document = json.loads((folder / FILE).read_text("utf-8"))
            _glance(document).hints[step] = shown
            save(folder / FILE, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False
    return True


def _glance(document: Any) -> Glance:
    if document["schema"] != SCHEMA:
        raise ValueError(document["schema"])
    last = document["last"] or {"rung": "", "verdict": "", "highest": None, "findings": ()}
    return Glance(last["rung"], last["verdict"], last["highest"], tuple(last["findings"]), document["hints"])
