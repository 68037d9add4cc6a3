"""Live runs for those who read: what will be sent, each request as it ends, and what it all came to.

The API's own counts and the scripted model's are never in one table.
"""

from collections.abc import Iterator, Sequence

from askless.check.target import counted
from askless.errors import Problem
from askless.live import ceiling, counts
from askless.live.carrier import OK
from askless.live.counts import Count, Spread
from askless.live.rehearsal import Rehearsal
from askless.live.run import Lived
from askless.live.upstream import Attempt
from askless.show.segments import Table, aligned
from askless.show.text import NOTE, Line
from askless.trace import NO_RESPONSE, RoundTrip, Trace

HOWS = {
    "answered": "answered",
    "kept_back": "a request was kept back",
    "failed": "the API failed",
    "not_answered": "no answer",
    "interrupted": "stopped by you",
}
WORDS = {
    "round_trips": "round trips",
    "tool_calls": "tool calls",
    "input_tokens": "input tokens",
    "output_tokens": "output tokens",
    "usd": "cost ($)",
}
ANSWERS = {True: "right", False: "wrong", None: "none"}


def before(rehearsal: Rehearsal, host: str, repeat: int, budget_usd: float) -> Iterator[Line]:
    """What will be sent, and what it can cost at most."""
    sums, runs = rehearsal.trace.totals, counted(repeat, "runs")
    most, about = repeat * rehearsal.most_usd, repeat * rehearsal.about_usd
    yield Line(
        0, f"{runs} of {rehearsal.trace.rung or 'your agent'} on {' and '.join(rehearsal.models)} at {host}", "bold"
    )
    yield Line(
        0, "What goes there: the question, the tools, and what the desk gives. The key goes with it, and nowhere else."
    )
    yield Line(
        0,
        f"With the scripted model a run takes {counted(sums.round_trips, 'requests')} with "
        f"{counted(sums.input_tokens, 'input tokens')}, characters divided by four, and "
        f"{counted(sums.output_tokens, 'output tokens')}: about ${about:.4f} in all "
        f"by the prices of {ceiling.as_of()}.",
    )
    yield Line(
        0,
        f"At most ${budget_usd:g} is spent. Before each request its worst case is added up, a token for each byte and "
        f"all of max_tokens; one that could go over is not sent. The worst case of the same requests is ${most:.4f}.",
    )
    if most > budget_usd:
        yield Line(0, "That is over the budget, so it may end before there is an answer.", "yellow")


def progress(attempt: Attempt, number: int, budget_usd: float) -> str:
    """A request that ended, in one line."""
    count, status = counts.of(attempt), attempt.exchange.status
    spent = f"${attempt.spent_usd:.4f} of ${budget_usd:g} spent"
    if status != 200:
        return f"  request {number}: {_status(status)}; {spent}"
    if not count.input_tokens:
        return f"  request {number}: 200, and no usage that can be true; {spent}"
    said = f"{count.input_tokens:,} input tokens ({count.estimated_tokens:,} by characters/4)"
    return f"  request {number}: {said}, {count.output_tokens:,} output tokens; {spent}"


def after(runs: Sequence[Lived], rehearsal: Rehearsal, host: str) -> Iterator[Line]:
    """What it all came to: live, then scripted, where a live answer is there to stand beside it."""
    where = f"{' and '.join(rehearsal.models)} at {host}"
    table = _requests(runs[0]) if len(runs) == 1 else _runs(runs)
    yield Line(0, f"Live, {where}: {table.caption}", "bold")
    yield from (Line(0, row, whole=True) for row in aligned(table))
    if len(runs) == 1:
        yield from _answer(runs[0].trace)
    if spread := counts.spreads(runs):
        yield Line(0, "")
        yield Line(0, f"Over the {sum(lived.how == 'answered' for lived in runs)} runs with an answer", "bold")
        yield from (Line(0, row, whole=True) for row in aligned(_spread(spread)))
    if any(lived.how == "answered" for lived in runs):
        yield from _beside(rehearsal.trace, len(runs) == 1)
    yield from _kept(runs)


def failed(why: Problem) -> Line:
    """What kept a run from an answer, in one line: of a traceback, the last."""
    return Line(0, why.seen.splitlines()[-1].strip(), "red")


def _beside(trace: Trace, with_answer: bool) -> Iterator[Line]:
    """The scripted run."""
    yield Line(0, "")
    yield Line(0, "Scripted, the same agent: characters divided by four", "bold")
    yield from (Line(0, row, whole=True) for row in aligned(_scripted(trace)))
    if with_answer:
        yield from _answer(trace)
    yield Line(0, "")
    yield Line(0, f"{NOTE} The ratio is the API's input tokens to these.", "dim")


def _requests(lived: Lived) -> Table:
    each = [counts.of(attempt) for attempt in lived.attempts]
    asked = any(count.counted_tokens is not None for count in each)
    rows = [
        (str(number), _status(attempt.exchange.status), *_cells(count, asked))
        for number, (attempt, count) in enumerate(zip(lived.attempts, each, strict=True), 1)
    ]
    head = ("request", "status", *_heads(asked))
    return Table("what the API counted", head, (*rows, ("all", "", *_cells(counts.total(each), asked))))


def _runs(runs: Sequence[Lived]) -> Table:
    sums = [counts.total(map(counts.of, lived.attempts)) for lived in runs]
    asked = any(count.counted_tokens is not None for count in sums)
    rows = [
        (
            str(number),
            HOWS[lived.how],
            ANSWERS[lived.trace.answer_right if lived.how == "answered" else None],
            f"{lived.trace.totals.round_trips:,}",
            f"{lived.trace.totals.tool_calls:,}",
            *_cells(count, asked),
        )
        for number, (lived, count) in enumerate(zip(runs, sums, strict=True), 1)
    ]
    head = ("run", "end", "answer", "round trips", "tool calls", *_heads(asked))
    every = ("all", "", "", "", "", *_cells(counts.total(sums), asked))
    return Table("what the API counted", head, (*rows, every))


def _heads(asked: bool) -> tuple[str, ...]:
    return ("chars/4", *(("count_tokens",) if asked else ()), "input tokens", "ratio", "output tokens", "cost ($)")


def _cells(count: Count, asked: bool) -> tuple[str, ...]:
    said = ("-" if count.counted_tokens is None else f"{count.counted_tokens:,}",) if asked else ()
    if count.ratio is None:
        return ("-", *said, "-", "-", "-", f"{count.usd:.4f}")
    told = (f"{count.input_tokens:,}", f"{count.ratio:.2f}", f"{count.output_tokens:,}")
    return (f"{count.estimated_tokens:,}", *said, *told, f"{count.usd:.4f}")


def _scripted(trace: Trace) -> Table:
    rows = [_scripted_row(str(number), trip) for number, trip in enumerate(trace.round_trips, 1)]
    sums = trace.totals
    every = ("all", f"{sums.tool_calls:,}", f"{sums.input_tokens:,}", f"{sums.output_tokens:,}")
    return Table("", ("request", "tool calls", "input tokens", "output tokens"), (*rows, every))


def _scripted_row(name: str, trip: RoundTrip) -> tuple[str, ...]:
    return (name, f"{len(trip.calls):,}", f"{trip.input_tokens:,}", f"{trip.output_tokens:,}")


def _spread(spread: dict[str, Spread]) -> Table:
    rows = tuple(
        (WORDS[name], *(_number(name, value) for value in vars(each).values())) for name, each in spread.items()
    )
    return Table("", ("", "median", "least", "most"), rows)


def _number(name: str, value: float) -> str:
    return f"{value:.4f}" if name == "usd" else f"{value:,g}"


def _answer(trace: Trace) -> Iterator[Line]:
    yield Line(0, f"Answer ({ANSWERS[trace.answer_right]}):" if trace.answer is not None else "No answer.")
    yield from (Line(2, line) for line in (trace.answer or "").splitlines())


def _status(status: int) -> str:
    return "no answer" if status == NO_RESPONSE else str(status)


def _kept(runs: Sequence[Lived]) -> Iterator[Line]:
    for lived in runs:
        if lived.saved:
            yield Line(0, f"Kept: {lived.saved}", whole=True)
        elif not any(attempt.exchange.status == OK for attempt in lived.attempts):
            yield Line(0, "Not kept: nothing was answered.")
    if (last := runs[-1]).saved and not last.why:
        yield Line(0, f"Next: askless trace {last.saved}", whole=True)
