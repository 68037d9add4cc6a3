"""The runs of one server: each under its name, the oldest dropped where there are too many."""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import islice

from askless.check.evidence import ending, last_words
from askless.judge.noted import Noted
from askless.model import Model
from askless.record import Exchange, Recorder
from askless.service import Service
from askless.share import Share
from askless.task import Task
from askless.trace import Trace

DEFAULT = "default"  # the run of clients whose base URL names none
KEPT = 500  # runs
KEPT_BYTES = 256 * 1024 * 1024  # that they all sent and were sent
REMEMBERED = 10_000  # names of dropped runs
LONGEST_NAME = 100  # characters


@dataclass
class Run:
    """One agent at work: its model, its desk, and what was seen of it."""

    name: str
    seed: str | None  # of its desk; None for the shown one
    desk: Noted
    service: Service
    recorder: Recorder = field(default_factory=Recorder)
    share: Share = field(default_factory=Share)
    counted_bytes: int = 0  # of its share, among those of all runs
    waiting: deque[Exchange] = field(default_factory=deque)  # to be recorded once somebody looks

    def record(self, exchange: Exchange) -> None:
        """Count an exchange. SpentError where the run has had its share."""
        self.share.keep(exchange.request)
        self.waiting.append(exchange)
        words = ending(exchange.reply)
        if words is not None:
            self.desk.ended(words)

    def trace(self, task: Task) -> Trace:
        """What was recorded so far; the answer is the last reply that ended the model's turn."""
        self._catch_up()
        trace = self.recorder.trace(task=task.name, model="scripted", question=self.desk.question)
        answer = next(reversed(last_words(trace)), None)
        right = answer is not None and task.is_right(self.desk.noted, answer)
        return replace(trace, answer=answer, answer_right=right)

    def _catch_up(self) -> None:
        """One at a time: who asks the run's model meanwhile, and with it the whole server, waits for no more."""
        while self.waiting:
            with self.service.lock:
                if self.waiting:
                    self.recorder.record(self.waiting.popleft())


class DroppedError(Exception):
    """The run was dropped to make room. It does not begin again by itself: what it had counted is gone."""


class Runs:
    """The runs that are kept, the oldest first. `tell` hears of each that is dropped."""

    def __init__(
        self, task: Task, model: Model, *, kept: int = KEPT, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self.task = task
        self._model = model
        self._kept = kept
        self._tell = tell
        self._runs: OrderedDict[str, Run] = OrderedDict()
        self._dropped: OrderedDict[str, None] = OrderedDict()
        self._held_bytes = 0

    def __len__(self) -> int:
        return len(self._runs)

    def newest(self, most: int) -> list[Run]:
        """The runs that began last, the newest first."""
        return list(islice(reversed(self._runs.values()), most))

    @property
    def dropped(self) -> list[str]:
        """The names of runs that were dropped and not begun again, the last first."""
        return list(reversed(self._dropped))

    def get(self, name: str) -> Run | None:
        """A run that has begun. DroppedError where it was dropped."""
        if name in self._dropped:
            raise DroppedError(name)
        return self._runs.get(name)

    def need(self, name: str) -> Run:
        """A run, begun on the shown desk where there is none. DroppedError where it was dropped."""
        return self.get(name) or self.begin(name)

    def begin(self, name: str, seed: str | None = None) -> Run:
        """A new run, in the place of the one of that name if there is one."""
        self.end(name)
        desk = self.task.desk(None if seed is None else seed.encode())
        run = self._runs[name] = Run(name, seed, Noted(desk), Service(self._model))
        if len(self._runs) > self._kept:
            self._drop(next(iter(self._runs)))
        return run

    def fit(self, run: Run) -> None:
        """Count what a run has taken, and drop the oldest where all together hold too much."""
        if self._runs.get(run.name) is run:
            self._held_bytes += run.share.taken_bytes - run.counted_bytes
            run.counted_bytes = run.share.taken_bytes
        while len(self._runs) > 1 and self._held_bytes > KEPT_BYTES:
            self._drop(next(iter(self._runs)))

    def end(self, name: str) -> bool:
        """Forget a run; whether there was anything to forget."""
        run = self._runs.pop(name, None)
        self._held_bytes -= run.counted_bytes if run else 0
        was_dropped = name in self._dropped
        self._dropped.pop(name, None)
        return was_dropped or run is not None

    def _drop(self, name: str) -> None:
        self.end(name)
        self._dropped[name] = None
        if len(self._dropped) > REMEMBERED:
            self._dropped.popitem(last=False)
        self._tell(name)
