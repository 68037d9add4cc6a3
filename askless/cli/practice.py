"""The learner's own commands: practice; and hint and reset, which stand in learner.py."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Never

from askless.errors import Problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from askless.judge.practice import Practice
    from askless.judge.process.runs import Launcher
    from askless.judge.production import Production
    from askless.judge.sandbox import Sandbox
    from askless.learn.progress import Last, Progress
    from askless.task import Rung, Task

LONGEST_S = 86_400.0


def add(commands: Any) -> None:
    """Add the commands to the parser."""
    from askless.cli import learner

    practice = commands.add_parser("practice", help="run your agent and compare it with a rung's target")
    practice.add_argument("task", nargs="?", help="a task's name, or its beginning (else the first)")
    practice.add_argument("--agent", metavar="FILE", help="another agent's file; its verdict is no progress of yours")
    practice.add_argument("--rung", help="the rung to reach (default: 3)")
    practice.add_argument("--scenario", metavar="NAME", help="one scenario of the production rung, with its trace")
    practice.add_argument("--json", action="store_true", help="print the verdict as JSON, and nothing else")
    practice.add_argument("--watch", action="store_true", help="run again at each save, until Ctrl-C")
    practice.add_argument("--timeout", default="30", metavar="S", help="the seconds that a run may take (default: 30)")
    practice.add_argument("--junit", metavar="FILE", help="write the verdict as JUnit XML, too")
    practice.add_argument(
        "--summary", metavar="FILE", help="add it as Markdown to a file, such as $GITHUB_STEP_SUMMARY"
    )
    practice.add_argument("--require-isolation", action="store_true", help="run nothing where preflight says no")
    practice.set_defaults(run=run)
    learner.add(commands)


def run(args: argparse.Namespace) -> int:
    """Judge an agent once, or after each save."""
    from askless.judge.process.launcher import launcher

    timeout_s = _seconds(args.timeout)
    _need_folders(args.junit, args.summary)
    started = launcher()  # it imports the SDK while the rest is imported here
    try:
        return _practice(args, timeout_s, started)
    finally:
        started.close()


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_S:
        raise Problem(f"--timeout {text} is no number of seconds up to {LONGEST_S:,.0f}.", "name one, such as 30.")
    return seconds


def _need_folders(*files: str | None) -> None:
    """A report that cannot be written is told before anything runs."""
    for file in filter(None, files):
        folder = os.path.dirname(os.path.abspath(file))
        if os.path.isdir(file):
            raise Problem(f"{file} is a folder.", "name a file in it.")
        if not os.path.isdir(folder):
            raise Problem(f"{file} cannot be written: there is no folder {folder}.", "make it, or name another file.")


def _practice(args: argparse.Namespace, timeout_s: float, started: Launcher) -> int:
    from functools import partial
    from pathlib import Path

    from askless import task as tasks
    from askless.cli.record import near
    from askless.judge.sandbox import Sandbox

    task = tasks.load(args.task or tasks.names()[0])
    rung = _rung(task, args.rung, args.scenario)
    agent = Path(args.agent) if args.agent else near(task.learner)
    with Sandbox(started, isolated=args.require_isolation) as sandbox:
        judging = partial(_judge(rung, args.scenario), sandbox, task, rung, agent, timeout_s=timeout_s)
        judge = partial(_graded, judging, task, rung)
        if args.agent:
            _warn(sandbox)
        if args.watch:
            _watch(judge, task, agent, args)
        practice = judge()
        _show(practice, task, args)
    return practice.verdict.exit_code


def _warn(sandbox: Sandbox) -> None:
    """Somebody else's agent may be about to run."""
    sandbox.ready()
    if sandbox.exposed:
        _say(f"Runs are not isolated here ({sandbox.exposed}): an agent can read what you can. Next: askless preflight")


def _rung(task: Task, name: str | None, scenario: str | None) -> Rung:
    """The rung that is meant; a scenario's is the one without a worked version."""
    from askless.cli.learner import DEFAULT

    rung = task.rung(name or (DEFAULT if scenario is None else task.rungs[-1].name))
    if scenario is not None and rung.target is not None:
        raise Problem(f"rung {rung.number} has no scenarios.", "leave --rung out, or leave --scenario out.")
    return rung


def _judge(rung: Rung, scenario: str | None) -> Callable[..., Practice | Production]:
    """What judges an agent on a rung."""
    from functools import partial

    if rung.target is not None:
        from askless.judge.practice import practise

        return practise
    from askless.judge import production
    from askless.show.production import tell

    return partial(production.practise, only=scenario, ended=tell)


def _graded(
    judge: Callable[..., Practice | Production], task: Task, rung: Rung, **options: Any
) -> Practice | Production:
    """A verdict, come what may; what the learner can mend is still a Problem."""
    from askless.judge.practice import StoppedError, not_graded

    try:
        return judge(**options)
    except (Problem, StoppedError):
        raise
    except Exception as fault:
        return not_graded(task, rung, fault)


def _watch(judge: Callable[..., Practice | Production], task: Task, agent: Path, args: argparse.Namespace) -> Never:
    """Judge after each save until Ctrl-C; a save ends a run that is still on."""
    from askless.judge.practice import StoppedError
    from askless.judge.watch import Watched

    watched = Watched(agent)
    while True:
        watched.take()
        try:
            _show(judge(stop=watched.changed), task, args)
            _say(f"\nWatching {agent}: save it to run again, Ctrl-C to end.")
        except StoppedError:
            _say(f"{agent} was saved: the run is given up.")
        except Problem as problem:
            _say(f"{problem}\nWatching for {agent}: Ctrl-C to end.")
        watched.wait()


def _show(practice: Practice | Production, task: Task, args: argparse.Namespace) -> None:
    """Print the verdict, write it where it is wanted, then remember it; one that cannot be remembered stands."""
    from askless.cli import record
    from askless.show import verdict

    if args.json:
        print(verdict.as_json(practice.verdict), flush=True)
    else:
        _print(practice)
    if args.junit or args.summary:
        from askless.show import reports

        reports.write(practice, args.junit, args.summary)
    last = practice.last
    try:
        if practice.trace:
            record.keep(task, practice.trace)
        if last and not args.agent:  # what another's agent came to is no progress of one's own
            record.change(task, lambda progress: _after(progress, last, practice.rung))
        record.shown(task, *_told(practice, task))
    except Problem as problem:
        _say(f"The verdict stands, but your progress was not kept: {problem.seen}")


def _told(practice: Practice | Production, task: Task) -> list[str]:
    """The worked rungs whose numbers a verdict tells: the one that is the target, and each that the agent equals."""
    counts = [run.measured for run in practice.verdict.scenarios if any(run.measured.values())]
    return [
        rung.name
        for rung in task.rungs
        if rung.measured
        and counts
        and (rung.name == practice.rung.name or any(rung.measured.items() <= each.items() for each in counts))
    ]


def _after(progress: Progress, last: Last, rung: Rung) -> Progress:
    """The progress after a run; one on the production rung says nothing of the rungs below it."""
    from dataclasses import replace

    if rung.target is None and last.highest is None and progress.last:
        last = replace(last, highest=progress.last.highest)
    return replace(progress, last=last)


def _print(practice: Practice | Production) -> None:
    """The verdict for people; before that of a scenario alone stands its trace."""
    from askless.judge.practice import Practice
    from askless.show import production, verdict
    from askless.show.text import console, show

    if isinstance(practice, Practice):
        print(verdict.text(practice), flush=True)
        return
    if practice.single:
        show(console(), production.trace_lines(practice))
    print(production.text(practice), flush=True)


def _say(line: str) -> None:
    """Tell a person, not a program."""
    print(line, file=sys.stderr, flush=True)
