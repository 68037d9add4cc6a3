"""Whole commands from a cold start, against `import anthropic` and against Python doing nothing."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.agents import order_desk
from bench.figure import Figure, fresh, in_turn

ROUNDS = 9
RERUNS = 5
LIMIT_MB = 60
MISSED = 1  # the exit code of practice on the learner's file as shipped
HEAVY = ("anthropic", "httpx2", "IPython", "ipywidgets", "matplotlib")

# Runs practice as `python -m askless` does; as it leaves, standard error has what the parent imported and needed.
PARENT = """
import os, sys
def leave(code, leave=os._exit):
    status = open("/proc/self/status").read()
    peak_kb = int(status.partition("VmHWM:")[2].split()[0])
    print("PARENT", peak_kb, *[name for name in {heavy} if name in sys.modules], file=sys.stderr, flush=True)
    leave(code)
os._exit = leave
from askless.cli import main
leave(main(["practice", {task!r}]))
"""


def figures() -> Iterator[Figure]:
    """Wall-clock seconds: what a person waits."""
    with TemporaryDirectory() as folder:
        task = _copied(Path(folder))
        yield from _practice(task)
        yield from _light_commands(task)
        yield from _parent(task)


def _copied(folder: Path) -> str:
    """The task in a folder of its own, so that nobody's progress is touched."""
    task = order_desk()
    for part in ("tasks", "worked"):
        shutil.copytree(task.folder.parent.parent / part / task.name, folder / part / task.name)
    agent = folder / "tasks" / task.name / "learner" / "agent.py"
    shutil.copy(folder / "worked" / task.name / "v0.py", agent)
    return str(agent.parent.parent)


def _practice(task: str) -> Iterator[Figure]:
    legs = {
        "practice": partial(_seconds, "-m", "askless", "practice", task, code=MISSED),
        "practice again": partial(fresh, again, task),
        "import anthropic": partial(_seconds, "-c", "import anthropic"),
    }
    practice, rerun, floor = (median(seconds) for seconds in in_turn(ROUNDS, legs).values())
    yield Figure("practice, cold", practice / floor, 1.0, "python -c 'import anthropic'")
    yield Figure("practice again, as --watch does", rerun / practice, 0.05, "practice, cold")


def again(folder: str) -> float:
    """The seconds of another run in the same sandbox; the wait for the save is not in it."""
    from askless import task
    from askless.judge.practice import practise
    from askless.judge.process.launcher import launcher
    from askless.judge.sandbox import Sandbox

    lesson, started = task.load(folder), launcher()
    with Sandbox(started) as sandbox:
        seconds = [
            _timed(partial(practise, sandbox, lesson, lesson.rung(3), lesson.learner)) for _ in range(1 + RERUNS)
        ]
    started.close()
    return median(seconds[1:])


def _timed(act: Callable[[], Any]) -> float:
    start = perf_counter()
    act()
    return perf_counter() - start


def _light_commands(task: str) -> Iterator[Figure]:
    commands = {"--help": ["--help"], "rules": ["rules"], "hint": ["hint", task], "reset": ["reset", task]}
    legs = {name: partial(_seconds, "-m", "askless", *words) for name, words in commands.items()}
    floor, *seconds = in_turn(3 * ROUNDS, {"pass": partial(_seconds, "-c", "pass"), **legs}).values()
    for name, own in zip(commands, seconds, strict=True):
        yield Figure(f"askless {name}", median(own) / median(floor), 4.0, "python -c pass")


def _parent(task: str) -> Iterator[Figure]:
    program = PARENT.format(heavy=HEAVY, task=task)
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    _, peak_kb, *heavy = next(line for line in done.stderr.splitlines() if line.startswith("PARENT")).split()
    yield Figure("practice's parent, peak memory", int(peak_kb) / 1024 / LIMIT_MB, 1.0, f"{LIMIT_MB} MB")
    yield Figure("practice's parent, heavy imports", len(heavy), 0, ", ".join(HEAVY))


def _seconds(*words: str, code: int = 0) -> float:
    start = perf_counter()
    done = subprocess.run([sys.executable, *words], check=False, capture_output=True)
    seconds = perf_counter() - start
    assert done.returncode == code, done.stderr.decode()
    return seconds
