"""replay: a recorded run played back to an agent, as a test that needs neither key nor network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from askless.task import Task
    from askless.trace import Trace


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "play a recorded run back to an agent; say where it first sends something else"
    replay = commands.add_parser("replay", help=what, description=f"{what[0].upper()}{what[1:]}.")
    replay.add_argument("recording", metavar="FILE", help="a trace file, of a live run or any other")
    replay.add_argument(
        "agent", nargs="?", metavar="AGENT", help="a worked rung or a file (else the recording's own rung, else yours)"
    )
    replay.add_argument("--plain", action="store_true", help="no colours (as NO_COLOR=1)")
    replay.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the recording: 0 where all is as recorded, 1 where it is not."""
    from pathlib import Path

    from askless import task as tasks
    from askless import tracefile
    from askless.cli.record import near
    from askless.judge.played import play
    from askless.judge.process.launcher import launcher
    from askless.judge.sandbox import Sandbox
    from askless.show import played, text

    recorded = tracefile.read(Path(args.recording))
    task = tasks.load(recorded.task or tasks.names()[0])
    agent = near(_agent(task, recorded, args.agent))
    with Sandbox(launcher()) as sandbox:
        run = play(sandbox, task, recorded, agent)
    text.show(text.console(plain=args.plain), played.lines(run, args.recording, str(agent)))
    return 3 if run.lab_fault else 0 if run.same else 1


def _agent(task: Task, recorded: Trace, word: str | None) -> Path:
    """The file that a word names; without one the worked version of the recording's rung, else the learner's."""
    from pathlib import Path

    worked = {rung.name: rung.worked for rung in task.rungs if rung.worked}
    if word is None:
        return worked.get(recorded.rung, task.learner)
    if Path(word).is_file():
        return Path(word)
    if word not in worked:
        raise Problem(f"{word} is no file, and no worked rung of {task.name}.", f"name one of: {', '.join(worked)}.")
    return worked[word]
