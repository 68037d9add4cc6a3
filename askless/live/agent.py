"""An agent to be run live, and one run of it: always the sandbox's, whose process holds no key."""

from dataclasses import dataclass
from pathlib import Path

from askless.errors import Problem
from askless.judge.ending import Ran
from askless.judge.practice import REQUESTS, read
from askless.judge.process.crash import ANSWER_CHARS
from askless.judge.room import TIMEOUT_S, Outcome, Room
from askless.judge.sandbox import End
from askless.live.access import hide
from askless.service import Serving
from askless.share import Share
from askless.task import Task
from askless.trace import Source

LEARNER = "learner"


@dataclass(frozen=True)
class Agent:
    """An agent's file, read once: every run is of the same source."""

    task: Task
    name: str  # v1, or learner
    path: Path
    source: bytes

    def room(self, service: Serving, timeout_s: float = TIMEOUT_S, share: Share | None = None) -> Room:
        """Where a run finds the shown desk, and this service."""
        desk = self.task.desk()
        return Room(str(self.path), self.source, desk, service, REQUESTS, timeout_s, share=share or Share())

    def ran(self, room: Room, end: End, model: Source) -> Ran:
        """A run that ended, as far as it was recorded."""
        outcome = room.outcome or Outcome()
        answer = hide(outcome.text) if outcome.text is not None and len(outcome.text) <= ANSWER_CHARS else None
        trace = room.recorder.trace(
            task=self.task.name,
            rung="" if self.name == LEARNER else self.name,
            model=model,
            question=room.desk.question,
            answer=answer,
            answer_right=answer is not None and self.task.is_right(room.desk, answer),
        )
        return Ran(self.name, room, end, outcome, trace, {}, ())


def find(task: Task, name: str) -> Agent:
    """The learner's agent, or a worked rung's. A Problem where there is no such file."""
    if name == LEARNER:
        return Agent(task, LEARNER, task.learner, read(task.learner))
    rung = task.rung(name)
    if rung.worked is None:
        raise Problem(f"rung {rung.number} has no worked version.", f"name a rung below it, or {LEARNER}.")
    return Agent(task, rung.name, rung.worked, read(rung.worked))
