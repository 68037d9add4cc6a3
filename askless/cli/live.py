"""live: an agent on the real API, within a budget."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from askless.judge.sandbox import Sandbox
    from askless.live.access import Access
    from askless.live.agent import Agent
    from askless.live.carrier import Carrier
    from askless.live.purse import Purse
    from askless.live.rehearsal import Rehearsal
    from askless.live.run import Lived, Way
    from askless.live.upstream import Attempt
    from askless.show.text import Line

BUDGET_USD = "0.25"
MOST_USD = 100.0
MOST_RUNS = 100
TIMEOUT_S = "600"
LONGEST_S = 86_400.0
DECLINED = 1
AGAIN = {"answered", "not_answered"}  # after which another run is worth its money


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "run an agent on the real API, within a budget; it asks before it sends anything"
    live = commands.add_parser("live", help=what, description=f"{what[0].upper()}{what[1:]}.")
    live.usage = "askless live [TASK] RUNG|learner [--budget USD] [--repeat N] [--count-tokens] [--yes] [--json]"
    live.add_argument("what", nargs="+", metavar="RUNG|learner", help="a worked rung, or learner: your own agent")
    live.add_argument("--budget", default=BUDGET_USD, metavar="USD", help=f"the most to spend (default: {BUDGET_USD})")
    live.add_argument("--repeat", default="1", metavar="N", help="runs within that budget, for medians and spread")
    live.add_argument("--count-tokens", action="store_true", help="ask count_tokens before each request, too (free)")
    live.add_argument("--timeout", default=TIMEOUT_S, metavar="S", help=f"the seconds a run may take ({TIMEOUT_S})")
    live.add_argument("--yes", action="store_true", help="do not ask")
    live.add_argument("--json", action="store_true", help="print what it came to as JSON, and nothing else")
    live.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Say what will be sent, ask, send it, and show what it came to."""
    from askless.judge.sandbox import Sandbox
    from askless.live import access, kept
    from askless.live.carrier import Carrier

    purse, repeat, timeout_s = _options(args)
    agent = _agent(args.what)
    way_in = access.access()
    folder = kept.folder(agent.task)
    _hide_memory()
    with Sandbox() as sandbox:
        rehearsal = _rehearse(sandbox, agent, way_in, repeat, purse)
        if not agreed(args.yes):
            _say("Nothing was sent.")
            return DECLINED
        with Carrier(way_in, timeout_s) as carrier:
            way = _way(carrier, purse, timeout_s, args)
            runs = list(_runs(sandbox, agent, way, folder, repeat))
    _show(runs, rehearsal, way_in, purse, args)
    return _told(runs, purse)


def _options(args: Namespace) -> tuple[Purse, int, float]:
    from askless.live.purse import Purse

    budget_usd = _number(args.budget.removeprefix("$"), "--budget", MOST_USD)
    return (
        Purse(budget_usd),
        int(_number(args.repeat, "--repeat", MOST_RUNS, int)),
        _number(args.timeout, "--timeout", LONGEST_S),
    )


def _number(text: str, option: str, most: float, kind: type[float] = float) -> float:
    try:
        number = kind(text)
    except ValueError:
        number = 0
    if not 0 < number <= most:
        whole = "whole " if kind is int else ""
        raise Problem(f"{option} takes a {whole}number over 0, up to {most:,g}; this is {text}.", "name one.")
    return number


def _agent(words: list[str]) -> Agent:
    from askless import task as tasks
    from askless.live import agent

    *task, what = words
    if len(task) > 1:
        raise Problem(f"too many words: {' '.join(words)}.", "name one task and one rung.")
    return agent.find(tasks.load(task[0] if task else tasks.names()[0]), what)


def _hide_memory() -> None:
    """The key stands in this process's environment, which a run that is not isolated could read."""
    if sys.platform == "linux":
        from contextlib import suppress

        from askless.judge.process import linux
        from askless.live.access import KEY

        with suppress(OSError):  # a kernel that lets nobody ask for it
            linux.hide_memory(KEY)


def _rehearse(sandbox: Sandbox, agent: Agent, way_in: Access, repeat: int, purse: Purse) -> Rehearsal:
    from askless.cli import record
    from askless.live import rehearsal
    from askless.show import live

    rehearsed = rehearsal.rehearse(sandbox, agent)
    record.shown(agent.task, *rehearsed.equals(agent.task))
    _print(live.before(rehearsed, way_in.host, repeat, purse.budget_usd))
    if sandbox.exposed:
        _say(f"Runs are not isolated here ({sandbox.exposed}): run only agents that you trust.")
    if rehearsed.first_usd > purse.budget_usd:
        seen = f"the first request alone may cost ${rehearsed.first_usd:.4f}, over the budget: nothing was sent."
        raise Problem(seen, "give it more with --budget, or let the agent ask for a smaller max_tokens.")
    return rehearsed


def agreed(yes: bool) -> bool:
    """Whether to send it: asked once, on a terminal."""
    if yes:
        return True
    if sys.stdin is None or not sys.stdin.isatty():
        raise Problem("nobody is here to agree: the input is no terminal, and nothing was sent.", "add --yes")
    print("Send it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _way(carrier: Carrier, purse: Purse, timeout_s: float, args: Namespace) -> Way:
    from askless.live.run import Way
    from askless.show import live

    def tell(attempt: Attempt, number: int) -> None:
        _say(live.progress(attempt, number, purse.budget_usd))

    return Way(carrier, purse, timeout_s, args.count_tokens, tell)


def _runs(sandbox: Sandbox, agent: Agent, way: Way, folder: Path, repeat: int) -> Iterator[Lived]:
    """Run after run, each kept as soon as it ended; none after one whose cause would meet the next one, too."""
    from askless.live import run as lives

    for number in range(1, repeat + 1):
        if repeat > 1:
            _say(f"Run {number} of {repeat}")
        lived = lives.run(sandbox, agent, way)
        lived.saved = _kept(lived, folder, agent.name)
        yield lived
        if lived.how not in AGAIN:
            return


def _kept(lived: Lived, folder: Path, name: str) -> Path | None:
    """Where a run was written, if anything may have been paid for; one that cannot be kept is shown all the same."""
    from askless.cli.record import near
    from askless.live import kept
    from askless.live.carrier import OK

    if not any(trip.status == OK for trip in lived.trace.round_trips):
        return None
    try:
        return near(kept.keep(lived.trace, folder, name))
    except Problem as problem:
        _say(f"The run was not kept: {problem.seen}")
        return None


def _show(runs: list[Lived], rehearsal: Rehearsal, way_in: Access, purse: Purse, args: Namespace) -> None:
    """Everything that was counted; what the agent printed goes first, where a person reads it."""
    if args.json:
        import json

        from askless.live import document

        print(json.dumps(document.document(runs, rehearsal, way_in.host, purse), indent=2), flush=True)
        return
    from askless.show import live
    from askless.show.text import console, show

    if why := runs[-1].why:
        show(console(), [live.failed(why)])
    for lived in runs:
        if lived.output.strip():
            print(f"The agent printed:\n{way_in.hide(lived.output).rstrip()}\n")
    show(console(), live.after(runs, rehearsal, way_in.host))


def _told(runs: list[Lived], purse: Purse) -> int:
    """The exit code, once it is said what went wrong."""
    if purse.guessed:
        lost = f"Replies lost, cut off or with no usage that can be true: {purse.guessed}."
        _say(f"{lost} Nobody told their cost, so the most that it can be is counted.")
    if purse.held_usd:
        _say(f"A request was still under way. It may cost up to ${purse.held_usd:.4f} more, which is not counted.")
    last = runs[-1]
    if last.why:
        _say(str(last.why))
    return next((lived.exit_code for lived in reversed(runs) if lived.exit_code), 0)


def _print(lines: Iterable[Line]) -> None:
    """Tell a person, not a program, wrapped as a terminal has it."""
    from askless.show.text import console, show

    show(console(stderr=True), lines)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")  # at once, as several threads of an agent may have something told
    sys.stderr.flush()
