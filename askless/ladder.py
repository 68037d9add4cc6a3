"""The ladder: a worked rung's run as a Trace, and the rungs as one table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from askless.errors import Problem
from askless.model import Model
from askless.model.scripted import Scripted
from askless.plain import PlainClient
from askless.record import Recorder
from askless.task import Desk, Task, execute
from askless.trace import Trace

Agent = Callable[[Any, Any, str], str]


@dataclass(frozen=True)
class Step:
    """A row of the table: one run, and the tokens it saves against the rung before."""

    name: str
    idea: str
    trace: Trace
    saved_tokens: int | None  # None for the first rung

    @property
    def saved_percent(self) -> int:
        """The tokens saved, of 100 that the rung before took, rounded."""
        saved = self.saved_tokens or 0
        return round(100 * saved / (self.trace.totals.input_tokens + saved))


def load_agent(path: Path) -> Agent:
    """The `answer` of a file that is trusted: it runs in this process."""
    agent = getattr(execute(path), "answer", None)
    if not callable(agent):
        raise Problem(f"{path} has no function `answer`.", "give it `def answer(client, desk, question: str) -> str`.")
    return agent  # type: ignore[no-any-return]


def run(task: Task, name: str, desk: Desk | None = None) -> Trace:
    """A worked rung on a desk (else the shown one), through the real SDK."""
    return _run(task, name, desk, _through_the_sdk)


def run_plain(task: Task, name: str, desk: Desk | None = None) -> Trace:
    """The same run without SDK and HTTP; its trace is equal."""
    return _run(task, name, desk, PlainClient)


def table(task: Task) -> Iterator[Step]:
    """Every worked rung, measured afresh."""
    before = None
    for rung in task.rungs:
        if rung.worked:
            trace = run(task, rung.name)
            tokens = trace.totals.input_tokens
            yield Step(rung.name, rung.idea, trace, None if before is None else before - tokens)
            before = tokens


def _through_the_sdk(model: Model, recorder: Recorder) -> Any:
    from askless.client import connect
    from askless.service import Service

    return connect(Service(model), recorder)


def _run(task: Task, name: str, desk: Desk | None, connect: Callable[[Model, Recorder], Any]) -> Trace:
    rung, desk, recorder = task.rung(name), desk or task.desk(), Recorder()
    if rung.worked is None:
        raise Problem(f"rung {rung.number} has no worked version.", "name a rung below it.")
    client = connect(Scripted(task.script()), recorder)
    answer = load_agent(rung.worked)(client, desk, desk.question)
    return recorder.trace(
        task=task.name,
        rung=rung.name,
        model="scripted",
        question=desk.question,
        answer=answer,
        answer_right=task.is_right(desk, answer),
    )
