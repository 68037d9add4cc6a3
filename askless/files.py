"""Writing a file whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from askless.errors import Problem


def save(path: Path, text: str) -> None:
    """Write a text under a temporary name beside the file, then rename it; a Problem leaves what was there.

    A device or a pipe is written to as it is.
    """
    path = path.resolve()  # a link stays a link
    special = path.exists() and not path.is_file()
    beside = path if special else path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_text(text, "utf-8")
        if not special:
            beside.replace(path)
    except OSError as error:
        if not special:
            with suppress(OSError):
                beside.unlink()
        raise Problem(f"{path} could not be written: {error.strerror}.", "name another file, or make room.") from None
