"""serve: the scripted model over real HTTP, until Ctrl-C."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    import argparse
    from socket import socket

    from askless.serve.paths import Paths
    from askless.task import Task

PORT = 8724
LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "answer as the Messages API over HTTP, for agents in any language"
    serve = commands.add_parser("serve", help=what, description=f"{what[0].upper()}{what[1:]}.")
    serve.add_argument("task", help="a task's name, or its beginning")
    serve.add_argument("--port", default=str(PORT), metavar="N", help=f"the port (default: {PORT}; 0: any free one)")
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine alone)")
    serve.add_argument("--uds", metavar="PATH", help="a UNIX socket, in place of host and port")
    serve.add_argument("--keep", default="500", metavar="N", help="runs to keep, the oldest dropped (default: 500)")
    serve.add_argument("--json", action="store_true", help="print one line of JSON with the address, and nothing else")
    serve.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from pathlib import Path

    from askless import server
    from askless import task as tasks

    task = tasks.load(args.task)
    application = _application(args, task)
    listener, address = _listen(args)
    if not _local(args):
        _say(f"Anybody who reaches {args.host} can use this server; it asks for no key.")
    try:
        with listener:
            _say_ready(args, task, address)
            server.serve(application, listener)
    except KeyboardInterrupt:
        pass
    finally:
        if args.uds:
            Path(args.uds).unlink(missing_ok=True)
    return 0


def _application(args: argparse.Namespace, task: Task) -> Paths:
    from askless.model.scripted import Scripted
    from askless.serve.alike import Alike
    from askless.serve.paths import Paths
    from askless.serve.runs import Runs

    kept = _number(args.keep, "--keep", 1, 100_000)
    hosts = LOOPBACK if _local(args) and not args.uds else ()
    return Paths(Runs(task, Alike(Scripted(task.script())), kept=kept, tell=_tell_dropped), frozenset(hosts))


def _listen(args: argparse.Namespace) -> tuple[socket, str]:
    from pathlib import Path

    from askless import listening

    if args.uds:
        return listening.at_path(Path(args.uds))
    return listening.at_port(args.host, _number(args.port, "--port", 0, 65_535))


def _local(args: argparse.Namespace) -> bool:
    return bool(args.uds) or args.host in LOOPBACK


def _number(text: str, option: str, least: int, most: int) -> int:
    if not text.isdecimal() or not least <= int(text) <= most:
        raise Problem(f"{option} {text} is no number from {least:,} to {most:,}.", f"name one: {option} {most // 10}")
    return int(text)


def _say_ready(args: argparse.Namespace, task: Task, address: str) -> None:
    import json

    said = json.dumps({"task": task.name, "address": address}) if args.json else _in_words(task.name, address)
    print(said, flush=True)


def _in_words(task: str, address: str) -> str:
    at = "" if address.startswith("unix:") else address
    return "\n".join(
        (
            f"Serving {task} at {address}. Ctrl-C stops.",
            f"  a client's base URL   {at}/run/NAME   (any name, any key)",
            f"  the question          {at}/run/NAME/question",
            f"  the desk              {at}/run/NAME/desk",
            f"  the verdict           {at}/run/NAME/verdict?rung=3&form=text",
            f"  every run             {at}/",
        )
    )


def _tell_dropped(name: str) -> None:
    _say(f"The run {name!r} was dropped to make room: --keep keeps more.")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
