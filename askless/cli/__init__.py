"""The command line: words in, words out. Each family of commands is a file here."""

import argparse
import errno
import os
import sys
from typing import Any, NoReturn, TypeGuard

from askless.errors import Problem

WIDTH = 80
INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it
BROKEN_PIPE = 141  # 128 + SIGPIPE


class _Parser(argparse.ArgumentParser):
    """Wrong usage in the words of every other error here; help at 80 columns."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_formatter, **options)

    def print_help(self, file: Any = None) -> None:
        """As argparse does, but a full disk is heard."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        raise Problem(f"{message[:1].lower()}{message[1:]}.", f"read {self.prog} --help")


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.HelpFormatter(prog, width=WIDTH - 2)  # asking the terminal loads five compression modules


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code: 0 good, 1 not reached, 2 wrong usage, 3 the lab's own fault."""
    try:
        _ready_streams()
        code = _run(argv)
        sys.stdout.flush()
        return code
    except Problem as problem:
        return _tell(problem)
    except ModuleNotFoundError as error:
        return _tell(Problem(f"{error.name} is not installed here.", "make install, then use .venv/bin/python"))
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return _unheard(error) if _is_unheard(error) else _tell(_fault(error))


def _ready_streams() -> None:
    """Any text can be printed; what goes to a stream that was closed is lost."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - as long as the program
        getattr(getattr(sys, name), "reconfigure", lambda **_: None)(errors="backslashreplace")


def _is_unheard(error: Exception) -> TypeGuard[OSError]:
    """Whether what was printed could not be taken: the reader left, or the disk is full."""
    return isinstance(error, OSError) and (isinstance(error, BrokenPipeError) or error.errno == errno.ENOSPC)


def _fault(error: Exception) -> Problem:
    """The lab's own fault, with the line of it."""
    import traceback

    at = traceback.extract_tb(error.__traceback__)[-1]
    seen = f"a fault of the lab: {type(error).__name__}: {error} ({at.filename}, line {at.lineno})."
    return Problem(seen, "run make install, then this again; report it if it stays.", exit_code=3)


def _unheard(error: OSError) -> int:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter tries again as it ends
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE
    return _tell(Problem("the disk is full: the output could not be written.", "make room, then run this again."))


def _tell(problem: Problem) -> int:
    print(problem, file=sys.stderr)
    return problem.exit_code


def _run(argv: list[str] | None) -> int:
    parser = _parser()
    try:
        words = parser.parse_args(argv)
    except SystemExit as done:  # --help
        return int(done.code or 0)
    if words.command is None:
        parser.print_help()
        return 0
    _need_values(sys.argv[1:] if argv is None else argv)
    return int(words.run(words))


def _need_values(argv: list[str]) -> None:
    """An empty word is most often a variable that is not set, and would pass for one that was left out."""
    for before, word in zip(["", *argv], argv, strict=False):
        option, equals, value = word.partition("=")
        name = before if not word else option if equals and not value else ""
        if not word or name.startswith("--"):
            raise Problem(f"{name if name.startswith('--') else 'a word'} is empty.", "say it, or leave it out.")


def _parser() -> argparse.ArgumentParser:
    from askless.cli import (
        feedback,
        grow,
        ladder,
        lesson,
        live,
        practice,
        predict,
        preflight,
        progress,
        replay,
        reveal,
        rules,
        serve,
        web,
    )

    parser = _Parser(prog="askless", description="Build an agent, and change it until it needs its model less.")
    commands: Any = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for family in (
        ladder,
        predict,
        reveal,
        practice,
        grow,
        live,
        preflight,
        progress,
        feedback,
        lesson,
        replay,
        serve,
        rules,
        web,
    ):
        family.add(commands)
    return parser
