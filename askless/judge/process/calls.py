"""Calls of Linux that no agent needs and that would lead past a run's limits: refused by a filter in the kernel.

They are memory that belongs to no process, sockets that no namespace holds (a virtual machine's to its host), keys of
the kernel's, namespaces and mounts of a run's own (a control group's files end what runs outside), and ways to make
calls that a filter does not see. It needs no rights, and stays in all that a run starts.
"""

import ctypes
import errno
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from askless.judge.process import linux

SOCKETS = (1, 2, 10, 16)  # UNIX, IPv4, IPv6; netlink, which name resolution asks for interfaces

NAMESPACES = 0x7E020000  # among the flags of a new process
CLONE_3 = 435  # on every machine; without it the C library makes processes by a call whose flags a filter sees

_LOAD, _IF_EQUAL, _IF_LEAST, _IF_ANY, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # instructions of a filter
_NUMBER_AT, _MACHINE_AT, _ARGUMENT_AT = 0, 4, 16  # in what it is given of a call
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_OTHER_NUMBERS = 0x40000000  # from here on x86 counts its calls once more

Step = tuple[int, int, int, int]  # an instruction; how many to skip where it holds, and where not; its number


@dataclass(frozen=True)
class Machine:
    """A kind of processor: its name to the kernel, and its numbers of calls."""

    audit: int
    socket: int
    clone: int
    refused: Mapping[str, int]


EVERYWHERE = {  # newer calls have one number
    "io_uring_setup": 425,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "memfd_secret": 447,
}
MACHINES = {
    "x86_64": Machine(
        audit=0xC000003E,
        socket=41,
        clone=56,
        refused={
            "shmget": 29,
            "semget": 64,
            "msgget": 68,
            "pivot_root": 155,
            "mount": 165,
            "umount2": 166,
            "mq_open": 240,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "setns": 308,
            "memfd_create": 319,
            "bpf": 321,
            "userfaultfd": 323,
            **EVERYWHERE,
        },
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        socket=198,
        clone=220,
        refused={
            "umount2": 39,
            "mount": 40,
            "pivot_root": 41,
            "unshare": 97,
            "mq_open": 180,
            "msgget": 186,
            "semget": 190,
            "shmget": 194,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "perf_event_open": 241,
            "setns": 268,
            "memfd_create": 279,
            "bpf": 280,
            "userfaultfd": 282,
            **EVERYWHERE,
        },
    ),
}


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Instruction)))


def allowed() -> str | None:
    """Why these calls cannot be refused here, None where they can."""
    return linux.tried(refuse) if sys.platform == "linux" else "only Linux filters calls"


def refuse() -> None:
    """Refuse them from here on, to this process and all that it starts; OSError where the kernel has no filters."""
    linux.gain_nothing()
    machine = MACHINES.get(platform.machine())
    if machine is None:
        raise OSError(errno.ENOSYS, "this processor's calls have no table")
    steps = [_Instruction(*step) for step in _steps(machine)]
    program = _Program(len(steps), (_Instruction * len(steps))(*steps))
    linux.filter_calls(ctypes.byref(program))


def _steps(machine: Machine) -> Iterator[Step]:
    yield _LOAD, 0, 0, _MACHINE_AT
    yield _IF_EQUAL, 1, 0, machine.audit
    yield _refused(errno.EPERM)
    yield _LOAD, 0, 0, _NUMBER_AT
    yield _IF_LEAST, 0, 1, _OTHER_NUMBERS
    yield _refused(errno.EPERM)
    for number in machine.refused.values():
        yield _IF_EQUAL, 0, 1, number
        yield _refused(errno.EPERM)
    yield _IF_EQUAL, 0, 1, CLONE_3
    yield _refused(errno.ENOSYS)
    yield _IF_EQUAL, 0, 4, machine.clone
    yield _LOAD, 0, 0, _ARGUMENT_AT
    yield _IF_ANY, 0, 1, NAMESPACES
    yield _refused(errno.EPERM)
    yield _RETURN, 0, 0, _ALLOW
    yield _IF_EQUAL, 0, 2 + len(SOCKETS), machine.socket
    yield _LOAD, 0, 0, _ARGUMENT_AT
    for at, family in enumerate(SOCKETS):
        yield _IF_EQUAL, len(SOCKETS) - at, 0, family
    yield _refused(errno.EAFNOSUPPORT)
    yield _RETURN, 0, 0, _ALLOW


def _refused(error: int) -> Step:
    return _RETURN, 0, 0, _REFUSE | error
