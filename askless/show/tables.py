"""The ladder as one table, and the difference of two runs beside the difference of their programs."""

from collections.abc import Iterable
from difflib import unified_diff
from typing import TYPE_CHECKING, TypeVar

from askless.difference import Parting, Row, chars_by_kind, first_difference, part_value, totals
from askless.ladder import Step
from askless.show.text import NOTE, SHOWN_CHARS, console, printable, quoted
from askless.task import Rung
from askless.trace import Trace

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

T = TypeVar("T")
Pair = tuple[T, T]  # left, right

SIDE_BY_SIDE = 150  # columns from which code and numbers stand side by side
ANSWERS = {True: "right", False: "wrong", None: ""}


def show_ladder(title: str, steps: Iterable[Step], unworked: Iterable[Rung], *, plain: bool = False) -> None:
    """Print one row a rung, and what its step saves."""
    out = console(plain=plain)
    table = _table("rung", "idea", "round\ntrips", "tool\ncalls", "input\ntokens", "tokens\nsaved", "answer")
    for step in steps:
        sums = step.trace.totals
        numbers = [f"{sums.round_trips:,}", f"{sums.tool_calls:,}", f"{sums.input_tokens:,}"]
        table.add_row(step.name, printable(step.idea), *numbers, _saved(step), ANSWERS[step.trace.answer_right])
    for rung in unworked:
        table.add_row(rung.name, printable(rung.idea))
    out.print(title, style="bold")
    out.print(table)
    out.print(NOTE, style="dim")


def show_difference(traces: Pair[Trace], names: Pair[str], code: list[str], *, plain: bool = False) -> None:
    """Print how two runs differ, and the difference of their programs beside it where there is room, else above."""
    from rich.console import Group
    from rich.table import Table

    out = console(plain=plain)
    runs = Group(*_runs(traces, names))
    if not code:
        out.print(runs)
    elif out.width < SIDE_BY_SIDE:
        out.print(_code(code), "", runs, sep="\n")
    else:
        beside = Table.grid(padding=(0, 2, 0, 0), expand=True)
        beside.add_column(ratio=3)
        beside.add_column(ratio=2)
        beside.add_row(_code(code), runs)
        out.print(beside)
    out.print(NOTE, style="dim")


def code_difference(left: str, right: str, names: Pair[str]) -> list[str]:
    """The lines that differ with three lines around them."""
    return list(unified_diff(left.splitlines(), right.splitlines(), *names, lineterm=""))


def _saved(step: Step) -> str:
    if step.saved_tokens is None:
        return ""
    return f"{step.saved_tokens:,} ({step.saved_percent} %)"


def _table(*headings: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for heading in headings:
        words = heading in ("rung", "idea", "answer", "")
        table.add_column(heading, justify="left" if words else "right", overflow="fold", no_wrap=heading != "idea")
    return table


def _code(lines: list[str]) -> "RenderableType":
    from rich.text import Text

    styles = {"+": "green", "-": "red", "@": "cyan"}
    styled = [Text(printable(line), styles.get(line[:1], "")) for line in lines]
    return Text("\n").join(styled)


def _runs(traces: Pair[Trace], names: Pair[str]) -> Iterable["RenderableType"]:
    from rich.text import Text

    yield Text("The first part that differs", "bold")
    parting = first_difference(*traces)
    if parting is None:
        yield Text("None: both runs sent the same requests.")
    else:
        yield from _parting(parting, traces, names)
    yield Text("\nThe runs", "bold")
    yield _rows(totals(*traces), names)
    yield Text("Characters sent, by kind of part, over all requests", "bold")
    yield _rows(chars_by_kind(*traces), names)


def _parting(parting: Parting, traces: Pair[Trace], names: Pair[str]) -> Iterable["RenderableType"]:
    from rich.text import Text

    for trace, name, part in zip(traces, names, (parting.left, parting.right), strict=True):
        if part is None:
            sent = "no such part" if parting.index < len(trace.round_trips) else "no such request"
            yield Text(f"{name}, request {parting.index + 1}: {sent}")
        else:
            n, value = trace.round_trips[parting.index].n, part_value(trace, parting.index, part)
            yield Text(f"{name}, request {n}, {part.label}: {part.chars:,} characters")
            yield Text(f"  {printable(quoted(value, SHOWN_CHARS))}", "dim")


def _rows(rows: Iterable[Row], names: Pair[str]) -> "Table":
    table = _table("", *names, "change")
    for row in rows:
        table.add_row(
            row.name.replace("_", " "), f"{row.left:,}", f"{row.right:,}", f"{row.change:+,}" if row.change else ""
        )
    return table
