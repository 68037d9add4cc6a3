"""python -m tests.verdicts JOBS AGENT…: the verdicts of these agents as JSON lines, so many judged at once."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from askless import task
from askless.judge.practice import practise
from askless.judge.sandbox import Sandbox
from askless.show.verdict import as_json

TASK = task.load("t01_fewer_tool_calls")
TIMEOUT_S = 120.0


def judged(sandbox: Sandbox, agent: str) -> str:
    """One verdict; an agent whose name says that it loops is given half a second."""
    timeout_s = 0.5 if "loops" in agent else TIMEOUT_S
    return as_json(practise(sandbox, TASK, TASK.rung("v3"), Path(agent), timeout_s=timeout_s).verdict)


if __name__ == "__main__":
    with Sandbox() as sandbox, ThreadPoolExecutor(int(sys.argv[1])) as pool:
        print(*pool.map(lambda agent: judged(sandbox, agent), sys.argv[2:]), sep="\n")
