"""Things still to be asked about, in order, grouped by what was tried with them.

Every step costs the same whatever the number of things, so that a run over ten
thousand of them costs what is new at each request.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple


class Path(NamedTuple):
    """What has been tried for a fact about a thing."""

    tried: frozenset[str] = frozenset()  # tools that were asked, and are not asked again
    word: str | None = None  # the tool whose answer closed it, if that tool's word is good
    advised: tuple[str, ...] = ()  # names in an error that told what else to try


FRESH = Path()


class Queue:
    """Things in the order they came, each on one path."""

    def __init__(self) -> None:
        self._groups: dict[Path, OrderedDict[str, None]] = {}
        self._paths: dict[str, Path] = {}

    def __contains__(self, thing: str) -> bool:
        return thing in self._paths

    def groups(self) -> Iterator[tuple[Path, OrderedDict[str, None]]]:
        """The paths, and the things on each."""
        return iter(self._groups.items())

    def path(self, thing: str) -> Path:
        """The path that a thing is on."""
        return self._paths.get(thing, FRESH)

    def put(self, thing: str, path: Path = FRESH) -> None:
        """Put a thing at the end of a path; it leaves the one it was on."""
        self.drop(thing)
        self._paths[thing] = path
        group = self._groups.get(path)
        if group is None:
            group = self._groups[path] = OrderedDict()
        group[thing] = None

    def drop(self, thing: str) -> None:
        """Take a thing out."""
        path = self._paths.pop(thing, None)
        if path is not None:
            del self._groups[path][thing]
            if not self._groups[path]:
                del self._groups[path]

    def clear(self) -> None:
        """Take everything out."""
        self._groups.clear()
        self._paths.clear()
