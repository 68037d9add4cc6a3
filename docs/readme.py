"""The measured numbers of README.md: its table and its picture, written by `make readme` and held fresh by a test."""

import re
from collections.abc import Iterator
from pathlib import Path

from askless import ladder, task
from askless.task import Task
from askless.trace import Trace

ROOT = Path(__file__).parent.parent
README, PICTURE = ROOT / "README.md", ROOT / "docs" / "ladder.svg"
BEGIN, END = "<!-- measured: make readme -->\n", "<!-- end -->\n"

HEIGHT, FLOOR, TOP = 300, 226, 44  # px; bars stand on FLOOR
BAR, GAP, MARGIN = 30, 6, 28  # px
AGAIN, NEW = "#c9ced6", "#2f6fb3"  # sent again, sent for the first time


def worked_traces(lesson: Task) -> dict[str, Trace]:
    """The trace of each worked rung on the shown desk, by the rung's name."""
    return {rung.name: ladder.run(lesson, rung.name) for rung in lesson.rungs if rung.worked}


def table(lesson: Task, traces: dict[str, Trace]) -> str:
    """The ladder in Markdown."""
    lines = ["| rung | idea | round trips | tool calls | input tokens |", "|---|---|--:|--:|--:|"]
    lines += [f"| {rung.name} | {rung.idea} | {_numbers(traces.get(rung.name))} |" for rung in lesson.rungs]
    return "\n".join(lines) + "\n"


def _numbers(trace: Trace | None) -> str:
    if trace is None:
        return " | | "
    totals = trace.totals
    return f"{totals.round_trips} | {totals.tool_calls} | {totals.input_tokens:,}"


def with_table(readme: str, measured: str) -> str:
    """README.md with the table in its place."""
    return re.sub(f"(?<={re.escape(BEGIN)}).*?(?={re.escape(END)})", lambda _: measured, readme, flags=re.DOTALL)


def picture(traces: dict[str, Trace]) -> str:
    """A bar for each request: its tokens, those sent again below those sent for the first time."""
    most = max(trip.input_tokens for trace in traces.values() for trip in trace.round_trips)
    x = MARGIN
    body: list[str] = []
    for name, trace in traces.items():
        body += _group(x, name, trace, (FLOOR - TOP) / most)
        x += len(trace.round_trips) * (BAR + GAP) + MARGIN
    return "\n".join([*_head(x), *body, "</svg>\n"])


def _head(width: int) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img" font-family="sans-serif">'
    yield "<title>Input tokens of every request of the worked rungs: fewer requests, and less sent again.</title>"
    yield f'<rect width="{width}" height="{HEIGHT}" fill="#fff"/>'
    for at, (fill, says) in enumerate(((NEW, "sent for the first time"), (AGAIN, "sent again"))):
        yield f'<rect x="{MARGIN + at * 230}" y="14" width="12" height="12" fill="{fill}"/>'
        yield _text(MARGIN + 18 + at * 230, 24, f"input tokens {says}" if not at else says, 12)


def _group(x: int, name: str, trace: Trace, px_per_token: float) -> Iterator[str]:
    for at, trip in enumerate(trace.round_trips):
        new = trace.new_tokens(at)[-1]
        left, height, fresh = x + at * (BAR + GAP), trip.input_tokens * px_per_token, new * px_per_token
        yield _bar(left, FLOOR - height, fresh, NEW)
        yield _bar(left, FLOOR - height + fresh, height - fresh, AGAIN)
        yield _text(left + BAR / 2, FLOOR - height - 4, str(trip.input_tokens), 10, "middle")
    totals = trace.totals
    yield _text(x, FLOOR + 20, name, 15)
    yield _text(x, FLOOR + 38, f"{totals.round_trips} round trips", 12)
    yield _text(x, FLOOR + 54, f"{totals.input_tokens:,} tokens", 12)


def _bar(x: float, y: float, height: float, fill: str) -> str:
    return f'<rect x="{x}" y="{y:.1f}" width="{BAR}" height="{height:.1f}" fill="{fill}"/>'


def _text(x: float, y: float, words: str, size: int, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="#222">{words}</text>'


def main() -> None:
    """Measure, then write both."""
    lesson = task.load("t01")
    traces = worked_traces(lesson)
    README.write_text(with_table(README.read_text("utf-8"), table(lesson, traces)), "utf-8")
    PICTURE.write_text(picture(traces), "utf-8")


if __name__ == "__main__":
    main()
