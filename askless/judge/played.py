"""An agent run on a recording in place of a model: does it still send what was sent then?"""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from askless.check.target import Finding
from askless.judge import ending
from askless.judge.noted import Noted
from askless.judge.order import Ordered
from askless.judge.practice import REQUESTS, read
from askless.judge.room import Room
from askless.judge.sandbox import Sandbox
from askless.model.replay import Parting, Replay
from askless.service import Service
from askless.task import Task
from askless.trace import Trace


@dataclass(frozen=True)
class Played:
    """A recording, the run on it, where that first parted from it, and why it came to no answer, if it did not."""

    recorded: Trace
    trace: Trace
    parted: Parting | None
    unplayed: int  # recorded round trips that nobody asked for
    endings: tuple[Finding, ...]

    @property
    def same(self) -> bool:
        """Whether question, requests and answer are as recorded; a recording without an answer takes any."""
        if self.parted or self.unplayed or self.endings or not self.same_question:
            return False
        return self.recorded.answer in (None, self.trace.answer)

    @property
    def same_question(self) -> bool:
        """Whether the question is the recorded one; a recording without a question takes any."""
        return self.recorded.question in ("", self.trace.question)

    @property
    def broken_off(self) -> bool:
        """Whether all is as recorded up to where the recorded run itself broke off."""
        on = not self.parted.part if self.parted else bool(self.endings)
        return self.recorded.answer is None and not self.unplayed and on

    @property
    def lab_fault(self) -> bool:
        """Whether the lab itself failed, which says nothing of the agent."""
        return any(finding.id == "lab_fault" for finding in self.endings)


def play(sandbox: Sandbox, task: Task, recorded: Trace, agent: Path) -> Played:
    """Run an agent on a recording and the task's shown desk. Raises Problem where its file cannot be read."""
    model, desk = Replay(recorded), task.desk()
    room = Room(str(agent), read(agent), Noted(desk), Service(model), REQUESTS, recorder=Ordered())
    run = ending.ran(task, recorded.rung, room, sandbox.run(room), partial(task.is_right, desk), task.measure)
    trace = replace(run.trace, model="replay")
    return Played(recorded, trace, model.parted, len(model.unplayed), tuple(ending.endings(run)))
