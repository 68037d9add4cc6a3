"""A stranger's agent on ever larger desks: each run in the sandbox, through the real SDK."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from askless.api.parts import CHARS_PER_TOKEN
from askless.check.target import NEXT, Finding
from askless.growth import EndedError, Grower, uncut
from askless.judge.ending import Ran, endings
from askless.judge.practice import read
from askless.judge.process.crash import ANSWER_CHARS
from askless.judge.room import Outcome, Room
from askless.judge.sandbox import Sandbox
from askless.model.scripted import Scripted
from askless.record import Recorder
from askless.service import Service
from askless.share import RUN_BYTES
from askless.task import Task
from askless.trace import Trace

# A run sends this before it has used up its share; one that grows as the square would take hours for the next size.
MOST_TOKENS = RUN_BYTES // (CHARS_PER_TOKEN + 1)
FEW_REQUESTS, REQUESTS_EACH = 200, 10  # the most that a run may send: some, and some for each thing asked about
TIMEOUT_S = 300.0

WRONG = Finding("answer_right", "the answer is wrong", NEXT["answer_right"])
SMALLER = "look for a loop that never ends, or grow it less far: --to N"


def grower(sandbox: Sandbox, task: Task, name: str, agent: Path) -> Grower:
    """An agent's file as something to be grown. Raises Problem where it cannot be read."""
    return Grower(name, partial(_run, sandbox, task, agent, read(agent)), MOST_TOKENS)


def _run(sandbox: Sandbox, task: Task, agent: Path, source: bytes, size: int, recorder: Recorder) -> Trace:
    desk = task.grown(size)
    service = Service(uncut(Scripted(task.script())), windows=False)
    room = Room(str(agent), source, desk, service, FEW_REQUESTS + REQUESTS_EACH * size, TIMEOUT_S, recorder)
    end = sandbox.run(room)
    outcome = room.outcome or Outcome()
    answer = outcome.text if outcome.text is not None and len(outcome.text) <= ANSWER_CHARS else None
    trace = recorder.trace(
        task=task.name, model="scripted", question=desk.question, answer=answer,
        answer_right=answer is not None and task.is_right(desk, answer),
    )  # fmt: skip
    ran = Ran(agent.name, room, end, outcome, trace, {}, ())
    ended = next(endings(ran), None if trace.answer_right else WRONG)
    if ended:
        raise EndedError(replace(ended, next=SMALLER) if end.how == "timed_out" else ended)
    return trace
