"""A file watched by looking at it: a save is any change of its time, size, identity or content."""

import time
from hashlib import sha256
from pathlib import Path

POLL_S = 0.2
SETTLE_S = 0.05  # an editor may still be writing

Sight = tuple[int, int, int, bytes] | None  # None while there is no file


class Watched:
    """A file, and how it looked when it was last taken up."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._taken: Sight = None

    def look(self) -> Sight:
        """How the file looks now."""
        try:
            seen = self._path.stat()
            return seen.st_mtime_ns, seen.st_size, seen.st_ino, sha256(self._path.read_bytes()).digest()
        except OSError:
            return None

    def take(self) -> None:
        """What is there now is no longer news."""
        self._taken = self.look()

    def changed(self) -> bool:
        """Whether the file was saved since it was taken up; one that is gone was not saved."""
        seen = self.look()
        return seen is not None and seen != self._taken

    def wait(self) -> None:
        """Until it is saved, and the writing has settled."""
        while not self.changed():
            time.sleep(POLL_S)
        before: Sight = None
        while (now := self.look()) is None or now != before:
            before = now
            time.sleep(SETTLE_S)
