"""The calls of Linux that a run's isolation needs and Python 3.11 lacks. Each raises OSError with the call's name."""

import ctypes
import os
from collections.abc import Callable
from typing import Any, Never

NEW_FILES = 0x00020000
NEW_NAMES = 0x04000000  # of the host
NEW_QUEUES = 0x08000000  # System V's and POSIX' messages between processes
NEW_USER = 0x10000000
NEW_PROCESSES = 0x20000000
NEW_NETWORK = 0x40000000

READ_ONLY, NO_SUID, NO_DEVICES = 1, 2, 4  # of a mount
_BIND, _RECURSIVE, _PRIVATE, _DETACH = 1 << 12, 1 << 14, 1 << 18, 2
_MOUNT_SETATTR = 442  # on every architecture; libraries older than it have no name for it
_HERE, _AND_BELOW = -100, 0x8000
_DEATH_SIGNAL, _DUMPABLE, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 4, 36, 38
_FILTER_CALLS, _BY_PROGRAM = 22, 2
_CAPABILITIES_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: Any, of: str = "") -> None:
    plain = [os.fsencode(argument) if isinstance(argument, str) else argument for argument in arguments]
    if getattr(_libc, name)(*plain) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{of or name}: {os.strerror(number)}")


def tried(attempt: Callable[[], None]) -> str | None:
    """Why something cannot be done here, None where it can: it is done in a process that ends with it."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        _try(attempt, writer)
    os.close(writer)
    with open(reader, "rb") as words:
        said = words.read().decode(errors="replace")
    os.waitpid(pid, 0)
    return None if said == "good" else said or "the trial ended without a word"


def _try(attempt: Callable[[], None], writer: int) -> Never:
    said = "good"
    try:
        attempt()
    except Exception as error:  # this process must not go on as the one that forked it
        said = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
    os.write(writer, said.encode())
    os._exit(0)


def unshare(spaces: int) -> None:
    """Leave the namespaces that this process shares with others; of processes, its next children do."""
    _call("unshare", spaces)


def rejoin(space: int, kind: int) -> None:
    """Enter the namespace of an open descriptor."""
    _call("setns", space, kind)


def keep_mounts() -> None:
    """What is mounted from here on is seen in this namespace alone."""
    _call("mount", None, "/", None, _RECURSIVE | _PRIVATE, None)


def mount_memory(at: str, options: str) -> None:
    """A file system that lives in memory and ends with its last user."""
    _call("mount", "tmpfs", at, "tmpfs", NO_SUID | NO_DEVICES, options)


def bind(what: str, at: str, attributes: int) -> None:
    """Show a file or folder at another place, with all that is mounted below it."""
    _call("mount", what, at, None, _BIND | _RECURSIVE, None)
    _restrict(at, attributes, _AND_BELOW)


def make_read_only(at: str) -> None:
    """What is mounted there, but not below it, changes no more."""
    _restrict(at, READ_ONLY, 0)


def _restrict(at: str, attributes: int, how_far: int) -> None:
    wanted = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    _call("syscall", _MOUNT_SETATTR, _HERE, at, how_far, wanted, size, of="mount_setattr")


def change_root(folder: str) -> None:
    """Make a mounted folder the root and the working folder; nothing of the old root is left."""
    os.chdir(folder)
    _call("pivot_root", ".", ".")
    _call("umount2", ".", _DETACH)
    os.chdir("/")


def unmount(at: str) -> None:
    """Take a mount away, whoever uses it."""
    _call("umount2", at, _DETACH)


def name_host(name: str) -> None:
    """What this namespace calls the machine."""
    _call("sethostname", name, len(name))


def drop_capabilities() -> None:
    """Be no more than an unprivileged user of the namespace."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())


def gain_nothing() -> None:
    """No program that is started from here on has more rights than this one."""
    _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def filter_calls(program: Any) -> None:
    """Let a program in the kernel look at each call from here on; see `gain_nothing`, without which it takes none."""
    _call("prctl", _FILTER_CALLS, _BY_PROGRAM, program, 0, 0)


def end_with_parent(signal: int) -> None:
    """Get this signal when the process ends that started this one."""
    _call("prctl", _DEATH_SIGNAL, signal, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ended."""
    _call("prctl", _SUBREAPER, 1, 0, 0, 0)


def hide_memory(name: str) -> None:
    """Let nobody read a variable of this process's environment from outside, and others of the user none of its memory.

    `os.environ` keeps the value; what the kernel shows of the environment, and what a child inherits, is stars.
    """
    _call("prctl", _DUMPABLE, 0, 0, 0, 0)
    at = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(("getenv", _libc))(name.encode())
    if at:
        ctypes.memset(at, ord("*"), len(ctypes.string_at(at)))
