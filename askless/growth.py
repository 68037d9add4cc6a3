"""How what a run costs grows: one agent on ever larger desks, as a curve.

No reply is cut at `max_tokens` here and no context window is full: the shape of a
curve is to be seen far past the size at which a real run breaks. What an agent
sends is counted as it was written.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import exp, inf, log
from typing import Any

from askless.api.conversation import Request
from askless.check.target import Finding
from askless.check.waiting import waits
from askless.errors import Problem
from askless.ladder import load_agent
from askless.model import Model, Reply
from askless.model.scripted import Scripted
from askless.plain import PlainClient
from askless.record import Exchange, Recorder
from askless.task import Rung, Task
from askless.trace import Trace

SCHEMA = "askless.growth/1"
LARGEST = 100_000
UNCUT_TOKENS = 1_000_000_000
TOO_LARGE = "too_large"  # the end of a curve that is no fault of the agent

Tell = Callable[[str, int, int], None]  # an agent, a size, and its requests so far


class EndedError(Exception):
    """A run that came to no right answer, and why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.what)
        self.finding = finding


@dataclass(frozen=True)
class Point:
    """What one run cost."""

    size: int
    round_trips: int
    tool_calls: int
    input_tokens: int
    simulated_s: float

    @classmethod
    def of(cls, size: int, trace: Trace) -> "Point":
        """The costs of a run on a desk of a size."""
        totals = trace.totals
        seconds = round(waits(trace).total_s, 1)
        return cls(size, totals.round_trips, totals.tool_calls, totals.input_tokens, seconds)


@dataclass(frozen=True)
class Curve:
    """An agent's runs from the smallest on; `end` says why they stop short of the largest size."""

    agent: str
    points: tuple[Point, ...] = ()
    end: Finding | None = None

    def exponent(self, measure: str) -> float | None:
        """The slope of a measure on log axes, by least squares over the last three runs; None where two are missing.

        At size 1 most of the cost is fixed, so that run counts only where there are no others.
        """
        points = [point for point in self.points if point.size > 1 or len(self.points) <= 2][-3:]
        across = [log(point.size) for point in points]
        up = [log(max(1.0, getattr(point, measure))) for point in points]
        return _slope(across, up) if len(points) > 1 else None

    def expected_tokens(self, size: int) -> float:
        """The input tokens that a run of this size will take, if they grow on as between the last two runs."""
        last = self.points[-2:]
        if len(last) < 2:
            return 0.0
        before, now = last
        slope = log(now.input_tokens / before.input_tokens) / log(now.size / before.size)
        return exp(log(now.input_tokens) + slope * log(size / now.size))


@dataclass(frozen=True)
class Grower:
    """An agent to be grown. `run` may raise EndedError; a run that is expected to send more is not begun."""

    agent: str
    run: Callable[[int, Recorder], Trace]
    most_tokens: float = inf


class _Counted(Recorder):
    """A recorder that tells how many exchanges there were so far."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        super().__init__()
        self._tell = tell

    def record(self, exchange: Exchange) -> None:
        """Note one exchange."""
        super().record(exchange)
        self._tell(len(self))


def sizes(largest: int) -> list[int]:
    """1, 10, 100 … and the largest itself."""
    if not 1 <= largest <= LARGEST:
        raise Problem(f"{largest:,} is no size to grow to.", f"name one from 1 to {LARGEST:,}.")
    powers = (10**digits for digits in range(len(str(largest))))
    return [*(size for size in powers if size < largest), largest]


def grow(task: Task, grower: Grower, sizes: Iterable[int], tell: Tell) -> Iterator[Curve]:
    """An agent's curve, longer after each run, until the sizes or the agent come to an end."""
    curve = Curve(grower.agent)
    for size in sizes:
        curve = _longer(task, grower, curve, size, partial(tell, grower.agent, size))
        yield curve
        if curve.end:
            return


def worked(task: Task) -> Iterator[Grower]:
    """The worked rungs, which need no sandbox and no SDK."""
    for rung in task.rungs:
        if rung.worked:
            yield Grower(rung.name, partial(_run, task, rung))


def uncut(model: Model) -> Model:
    """The same model, which never runs out of `max_tokens`; what was sent stays as it is."""

    def reply(request: Request) -> Reply:
        fields = {**request.fields, "max_tokens": UNCUT_TOKENS}
        return model(replace(request, fields=fields, known_frame=None))

    return reply


def document(curves: Iterable[Curve], unit: str) -> dict[str, Any]:
    """The curves as JSON; the sizes stand under the name of what they count."""
    return {"schema": SCHEMA, "curves": [_document(curve, unit) for curve in curves]}


def _longer(task: Task, grower: Grower, curve: Curve, size: int, tell: Callable[[int], None]) -> Curve:
    """A curve with its next run, or with its end."""
    expected = curve.expected_tokens(size)
    if expected > grower.most_tokens:
        return replace(curve, end=_too_large(task.counted(size), expected, grower.most_tokens))
    tell(0)
    try:
        trace = grower.run(size, _Counted(tell))
    except EndedError as ended:
        *_, last = ended.finding.what.splitlines()  # of a traceback, what was raised
        return replace(curve, end=replace(ended.finding, what=f"at {task.counted(size)}: {last}"))
    return replace(curve, points=(*curve.points, Point.of(size, trace)))


def _too_large(size: str, expected: float, most: float) -> Finding:
    what = (
        f"{size} would take some {float(f'{expected:.2g}'):,.0f} input tokens, and the sandbox, where "
        f"each request goes through the SDK, takes up to {most:,.0f} a run"
    )
    return Finding(TOO_LARGE, what, "let its tokens grow slower; the curves of the worked rungs show how far that goes")


def _run(task: Task, rung: Rung, size: int, recorder: Recorder) -> Trace:
    assert rung.worked
    desk = task.grown(size)
    client = PlainClient(uncut(Scripted(task.script())), recorder)
    answer = load_agent(rung.worked)(client, desk, desk.question)
    client.verify()
    return recorder.trace(
        task=task.name, rung=rung.name, model="scripted", question=desk.question, answer=answer,
        answer_right=task.is_right(desk, answer),
    )  # fmt: skip


def _slope(across: list[float], up: list[float]) -> float:
    """The slope of the straight line that fits best."""
    middle_x, middle_y = sum(across) / len(across), sum(up) / len(up)
    rise = sum((x - middle_x) * (y - middle_y) for x, y in zip(across, up, strict=True))
    return rise / sum((x - middle_x) ** 2 for x in across)


def _document(curve: Curve, unit: str) -> dict[str, Any]:
    points = [{unit: point.size, **{k: v for k, v in asdict(point).items() if k != "size"}} for point in curve.points]
    end = {"what": curve.end.what, "next": curve.end.next} if curve.end else None
    return {
        "agent": curve.agent,
        "points": points,
        "exponents": {name: _rounded(curve.exponent(name)) for name in ("input_tokens", "round_trips", "simulated_s")},
        "end": end,
    }


def _rounded(exponent: float | None) -> float | None:
    return None if exponent is None else round(exponent, 3)
