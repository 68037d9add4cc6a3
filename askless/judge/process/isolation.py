"""What a run sees of the machine, where Linux allows it: no network, no process but its own, and a root of its own.

In that root are the interpreter, askless' own code and the agent, all read-only, the socket to the model, and a home in
memory. As root a run also becomes a user that nobody else is.
"""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Never

from askless.judge.process import linux

HOME_BYTES = 64 << 20
HOME_FILES = 10_000
STRANGER = 1 << 30  # user ids from here on are given to runs
STRANGERS = 1 << 8  # by each process that forks them

IN_A_FOLDER = "agent.py"  # an agent of this name has its folder to itself

READABLE = linux.READ_ONLY | linux.NO_SUID | linux.NO_DEVICES
ROOM = "mode=755,size=1m"
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/etc/ld.so.cache")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LAB = str(Path(__file__).parents[2])


def refusal() -> str | None:
    """Why runs cannot be isolated here, None where they can."""
    return linux.tried(_isolate) if sys.platform == "linux" else "only Linux has namespaces"


def _isolate() -> None:
    enter()
    isolation = Isolation(os.path.dirname(__file__), "/home", ())  # its root hides nothing that is wanted here
    isolation.open_space()
    isolation.confine(f"{LAB}/__init__.py")
    for folder in (LAB, sys.prefix, sys.base_prefix):
        os.listdir(folder)


def enter() -> None:
    """Go on as the first process of namespaces of its own; the process that calls this only waits for that one."""
    user, group = os.geteuid(), os.getegid()
    spaces = linux.NEW_PROCESSES | linux.NEW_FILES
    try:
        linux.unshare(spaces)
    except PermissionError:
        linux.unshare(spaces | linux.NEW_USER)
        _be_known_as(user, group)
    pid = os.fork()
    if pid:
        _stand_by(pid)
    linux.end_with_parent(signal.SIGKILL)
    linux.keep_mounts()


def _be_known_as(user: int, group: int) -> None:
    """Keep one's names in a new namespace of users."""
    for file, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        Path(f"/proc/self/{file}").write_text(line)


def _strangers() -> Iterator[int]:
    """For root, user ids that nobody else has: the kernel holds root to no number of processes."""
    ids = int(Path("/proc/self/uid_map").read_text().split()[2])
    if os.geteuid() or ids < 2 * STRANGER:
        return iter(())
    first = STRANGER + int(os.readlink("/proc/self")) % (STRANGER // STRANGERS) * STRANGERS
    return cycle(range(first, first + STRANGERS))


def _stand_by(pid: int) -> Never:
    """Wait for the first process; told to end, end it."""
    signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGKILL))
    os.waitpid(pid, 0)
    os._exit(0)


class Isolation:
    """The root of runs, made at a folder of the process that forks them; `home` is where a run may write."""

    def __init__(self, root: str, home: str, shown: tuple[str, ...]) -> None:
        sleep = shutil.which("sleep")
        if not sleep:
            raise FileNotFoundError(2, "the program sleep is not installed")
        self._first = sleep
        self._root = root
        self._home = home
        self._agents = f"{home}-agent"
        self._strangers = _strangers()
        self._stranger: int | None = None
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY)
        linux.mount_memory(root, ROOM)
        for path in (*_code(), *shown):
            self._show(path)
        for device in DEVICES:
            self._show(device, linux.READ_ONLY | linux.NO_SUID)
        for folder in (self._home, self._agents):
            os.makedirs(root + folder)
        linux.make_read_only(root)

    def _show(self, path: str, attributes: int = READABLE) -> None:
        place = self._root + path
        if os.path.islink(path) and path in SYSTEM:
            os.symlink(os.readlink(path), place)
        elif os.path.exists(path):
            _make_like(path, place)
            linux.bind(path, place, attributes)

    def open_space(self) -> int:
        """A namespace for the processes forked from here on; they all end with the one whose id this is."""
        linux.rejoin(self._own, linux.NEW_PROCESSES)
        linux.unshare(linux.NEW_PROCESSES)
        self._stranger = next(self._strangers, None)
        return os.posix_spawn(self._first, ["sleep", "2147483647"], {})

    def confine(self, file: str) -> str:
        """Enter the root for good, with no more rights than a stranger; an agent's file is shown at this path."""
        linux.unshare(linux.NEW_FILES | linux.NEW_NETWORK | linux.NEW_QUEUES | linux.NEW_NAMES)
        linux.name_host("askless")
        with suppress(OSError):  # the first to go when memory is short
            Path("/proc/self/oom_score_adj").write_text("1000")
        self._show_agent(file)
        linux.mount_memory(self._root + self._home, f"mode=1777,size={HOME_BYTES},nr_inodes={HOME_FILES}")
        linux.change_root(self._root)
        self._drop_rights()
        return os.path.join(self._agents, os.path.basename(file))

    def _show_agent(self, file: str) -> None:
        """With its folder where that is its own, which the file's name says; else beside it may stand other agents."""
        folder, name = os.path.split(file)
        place = self._root + self._agents
        if name == IN_A_FOLDER and folder != os.path.expanduser("~"):
            linux.bind(folder, place, READABLE)
            self._hide(place)
            return
        linux.mount_memory(place, ROOM)
        Path(place, name).touch()
        linux.bind(file, f"{place}/{name}", READABLE)
        linux.make_read_only(place)

    def _hide(self, place: str) -> None:
        """Of a folder that is shown: what its owner hides, as keys are, and at whose other end may be somebody."""
        for entry in _hidden(place):
            if entry.is_dir(follow_symlinks=False):
                linux.mount_memory(entry.path, ROOM)
                linux.make_read_only(entry.path)
            elif not entry.is_symlink():
                linux.bind("/dev/null", entry.path, READABLE)

    def _drop_rights(self) -> None:
        if self._stranger:
            os.setgroups([])
            os.setresgid(*[self._stranger] * 3)
            os.setresuid(*[self._stranger] * 3)
        else:
            with suppress(OSError):  # its processes are counted apart from those of other runs
                linux.unshare(linux.NEW_USER)
        linux.drop_capabilities()

    def close(self) -> None:
        """Take the root away."""
        linux.unmount(self._root)


def _code() -> list[str]:
    """The paths of the system's programs, of the interpreter and of askless, none of them within another."""
    packages = [path for path in sys.path if path != os.path.dirname(LAB) or path.endswith("-packages")]
    named = [path for path in (sys.prefix, sys.base_prefix, LAB, *packages) if os.path.isabs(path)]
    paths = {*SYSTEM, *named, *map(os.path.realpath, named)}
    return sorted(path for path in paths if not any(f"{path}/".startswith(f"{other}/") for other in paths - {path}))


def _hidden(folder: str) -> Iterator[os.DirEntry[str]]:
    """What begins with a dot in a folder and all below it; and sockets, pipes and devices."""
    folders = [folder]
    while folders:
        with suppress(PermissionError):  # what cannot be read here, a run cannot read, either
            for entry in os.scandir(folders.pop()):
                if entry.name.startswith("."):
                    yield entry
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif not entry.is_file(follow_symlinks=False) and not entry.is_symlink():
                    yield entry


def _make_like(path: str, place: str) -> None:
    """An empty folder or file for another one to be shown there."""
    if os.path.isdir(path):
        os.makedirs(place)
    else:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        Path(place).touch()
