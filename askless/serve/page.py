"""The live page of runs: words and a table, nothing fetched from elsewhere, nothing that runs but page.js."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote

from askless.serve.runs import Run, Runs
from askless.task import Task

SHOWN = 100  # runs
SHOWN_DROPPED = 10  # names
SCRIPT, STYLE, PAGE = (Path(__file__).with_name(f"page.{kind}").read_bytes() for kind in ("js", "css", "html"))

TEXTS = ("run", "desk", "answer")
COUNTS = ("round trips", "tool calls", "input tokens", "failed", "looked up")


@dataclass(frozen=True)
class Summary:
    """What a run has come to so far."""

    name: str
    desk: str
    answer: str
    round_trips: int
    tool_calls: int
    input_tokens: int
    failed_requests: int
    looked_up: int

    @property
    def counts(self) -> tuple[int, ...]:
        """Its numbers, in the order of COUNTS."""
        return self.round_trips, self.tool_calls, self.input_tokens, self.failed_requests, self.looked_up


def summary(task: Task, run: Run) -> Summary:
    """A run in a row."""
    trace = run.trace(task)
    totals = trace.totals
    answer = "none yet" if trace.answer is None else "right" if trace.answer_right else "wrong"
    desk = "shown" if run.seed is None else f"drawn from {run.seed}"
    counts = totals.round_trips, totals.tool_calls, totals.input_tokens, totals.failed_requests
    return Summary(run.name, desk, answer, *counts, len(run.desk.looked_up))


def page(runs: Runs) -> bytes:
    """The whole page."""
    return Template(PAGE.decode()).substitute(title=escape(runs.task.title), live="".join(_live(runs))).encode()


def path_of(name: str) -> str:
    """A run's path."""
    return f"/run/{quote(name, safe='')}"


def _live(runs: Runs) -> Iterator[str]:
    shown = runs.newest(SHOWN)
    if shown:
        yield from _table([summary(runs.task, run) for run in shown])
    else:
        yield "<p>No run has begun yet.</p>\n"
    if len(runs) > len(shown):
        yield f'<p>{len(runs) - len(shown):,} older runs: <a href="/run">all of them as JSON</a>.</p>\n'
    if runs.dropped:
        more = " and more" if len(runs.dropped) > SHOWN_DROPPED else ""
        yield f"<p>Dropped to make room: {escape(', '.join(runs.dropped[:SHOWN_DROPPED]))}{more}.</p>\n"


def _table(rows: list[Summary]) -> Iterator[str]:
    yield '<div class="wide" tabindex="0" role="region" aria-label="Runs">\n<table>\n'
    yield "<caption>The newest run first. Tokens are characters divided by four: an estimate.</caption>\n<thead><tr>"
    yield from (f'<th scope="col">{head}</th>' for head in TEXTS)
    yield from (f'<th scope="col" class="n">{head}</th>' for head in COUNTS)
    yield '<th scope="col">more</th></tr></thead>\n<tbody>\n'
    yield from map(_row, rows)
    yield "</tbody>\n</table>\n</div>\n"


def _row(row: Summary) -> str:
    name, path = escape(row.name), path_of(row.name)
    texts = "".join(f"<td>{escape(text)}</td>" for text in (row.desk, row.answer))
    counts = "".join(f'<td class="n">{count:,}</td>' for count in row.counts)
    links = " ".join(
        (
            f'<a href="{path}/trace" aria-label="trace of {name}">trace</a>',
            f'<a href="{path}/verdict?form=text" aria-label="verdict of {name}">verdict</a>',
        )
    )
    return f'<tr><th scope="row">{name}</th>{texts}{counts}<td>{links}</td></tr>\n'
