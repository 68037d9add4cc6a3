"""The ladder's commands: ladder, trace, diff."""

from typing import Any


def add(commands: Any) -> None:
    """Add the commands to the parser."""
