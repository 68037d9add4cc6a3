"""grow: what the worked rungs and the learner's agent cost at 1, 10, 100 … of what a task counts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from askless.growth import Curve
    from askless.task import Task

LEARNER = "learner"
EVERY = 50  # requests between two strokes of the bar
BAR = 20


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "how the costs of the worked rungs and of your agent grow with the size of the question"
    grow = commands.add_parser("grow", help=what, description=f"{what[0].upper()}{what[1:]}.")
    grow.add_argument("task", help="a task's name, or its beginning")
    grow.add_argument("--to", type=int, default=10_000, metavar="N", help="the largest size (default: 10000)")
    grow.add_argument("--agent", nargs="+", metavar="FILE", help="agents' files, if it is not the task's own")
    grow.add_argument("--json", action="store_true", help="print the curves as JSON, and nothing else")
    grow.add_argument("--out", metavar="FILE", help="draw the curves on log axes, as an SVG file")
    grow.add_argument("--plain", action="store_true", help="no colours (as NO_COLOR=1)")
    grow.set_defaults(run=_grow)


def _grow(words: Namespace) -> int:
    from askless import growth, task

    of = task.load(words.task)
    known: dict[str, Curve] = {}
    try:
        _fill(known, of, growth.sizes(words.to), _agents(of, words))
    except KeyboardInterrupt:
        print("\nInterrupted. This is what is known so far.", file=sys.stderr)
        _show(list(known.values()), of, words)
        raise
    _show(list(known.values()), of, words)
    return max(map(_code, known.values()))


def _fill(known: dict[str, Curve], task: Task, sizes: list[int], agents: dict[str, Path]) -> None:
    """Grow one after the other; what is known when it is interrupted is in `known`."""
    from askless import growth
    from askless.judge.grown import grower
    from askless.judge.sandbox import Sandbox

    with Sandbox() as sandbox:  # it imports the SDK while the worked rungs run
        growers = [*growth.worked(task), *(grower(sandbox, task, name, file) for name, file in agents.items())]
        progress = _Progress(task, len(growers) * len(sizes))
        for number, each in enumerate(growers):
            for curve in growth.grow(task, each, sizes, progress.on):
                known[each.agent] = curve
                progress.over(curve, number * len(sizes))
        progress.clear()


def _agents(task: Task, words: Namespace) -> dict[str, Path]:
    """The agents' files, by the name that each goes by."""
    from pathlib import Path

    from askless.cli.record import near

    return {file: Path(file) for file in words.agent} if words.agent else {LEARNER: near(task.learner)}


def _code(curve: Curve) -> int:
    """1 where an agent came to a wrong end, 3 where the lab did."""
    from askless.growth import TOO_LARGE

    if curve.end is None or curve.end.id == TOO_LARGE:
        return 0
    return 3 if curve.end.id == "lab_fault" else 1


def _show(curves: list[Curve], task: Task, words: Namespace) -> None:
    import json

    from askless import growth
    from askless.cli import record
    from askless.show import text
    from askless.show.growth import lines

    record.shown(task, *(rung.name for rung in task.rungs if rung.worked))
    if words.json:
        print(json.dumps(growth.document(curves, task.unit)))
    else:
        text.show(text.console(plain=words.plain), lines(curves, task))
    if words.out and any(curve.points for curve in curves):
        _draw(curves, task, words.out)


def _draw(curves: list[Curve], task: Task, file: str) -> None:
    from pathlib import Path

    from askless.files import save
    from askless.show.curves import draw

    save(Path(file), draw(curves, task))
    print(f"{file}: the curves; open it in a browser.", file=sys.stderr)


class _Progress:
    """How far the runs are: a bar on a terminal, else a line for each run."""

    def __init__(self, task: Task, runs: int) -> None:
        self._task = task
        self._runs = runs
        self._done = 0
        self._drawn = sys.stderr.isatty()

    def on(self, agent: str, size: int, requests: int) -> None:
        """Hear of a run that is on."""
        if self._drawn and requests % EVERY == 0:
            bar = "#" * (BAR * self._done // self._runs)
            what = f"{agent}, {self._task.counted(size)}: {requests:,} requests"
            _write(f"\r\033[K[{bar:.<{BAR}}] {self._done} of {self._runs} runs; {what}")

    def over(self, curve: Curve, before: int) -> None:
        """Hear of a run that is over, with all before it."""
        self._done = before + len(curve.points)
        if not self._drawn and not curve.end:
            last = curve.points[-1]
            _write(f"{curve.agent}, {self._task.counted(last.size)}: {last.round_trips:,} round trips\n")

    def clear(self) -> None:
        """Leave nothing of the bar."""
        _write("\r\033[K" if self._drawn else "")


def _write(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
