"""The ladder's commands: ladder, trace, diff. They measure afresh each time, or read a trace file."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    from pathlib import Path

    from askless.task import Task
    from askless.trace import Trace

LEARNER = "learner"


def add(commands: Any) -> None:
    """Add the commands to the parser."""
    ladder = _command(commands, "ladder", _ladder, "run the worked rungs and print their counts in one table")
    ladder.add_argument(
        "what", nargs="?", metavar="TASK|FILE", help="a task (else the first), or a trace to set beside it"
    )
    trace = _command(commands, "trace", _trace, "print a run, request by request and part by part")
    trace.usage = "askless trace [TASK] RUNG|FILE [--request N] [--json] [--out FILE] [--html FILE] [--plain]"
    trace.add_argument(
        "what",
        nargs="+",
        metavar="RUNG|FILE",
        help="a task's rung (else the first task's), learner (your last practice run), or a trace file",
    )
    trace.add_argument("--request", type=int, metavar="N", help="this request alone")
    trace.add_argument("--json", action="store_true", help="as JSON, with whole bodies")
    trace.add_argument("--out", metavar="FILE", help="write the trace to a file")
    trace.add_argument("--html", metavar="FILE", help="write it as a page to look at, search and copy from")
    diff = _command(commands, "diff", _diff, "what changes from one rung to another, in the code and in the run")
    diff.usage = "askless diff [TASK] RUNG|FILE RUNG|FILE [--html FILE] [--plain]"
    diff.add_argument(
        "what", nargs="+", metavar="RUNG|FILE", help="two rungs of a task (else of the first), or trace files"
    )
    diff.add_argument("--html", metavar="FILE", help="write both runs side by side as a page")


def _command(commands: Any, name: str, run: Any, what: str) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    parser.add_argument("--plain", action="store_true", help="no colours (as NO_COLOR=1)")
    parser.set_defaults(run=run)
    return parser


def _ladder(words: Namespace) -> int:
    from askless.cli import record
    from askless.ladder import Step, table
    from askless.show.tables import show_ladder
    from askless.tracefile import read

    file = _file(words.what) if words.what else None
    trace = read(file) if file else None
    task = _task(trace.task or None if trace else words.what)
    steps = list(table(task))
    record.shown(task, *(step.name for step in steps))
    if file and trace:
        steps.append(Step(trace.rung or "yours", file.name, trace, None))
    unworked = [rung for rung in task.rungs if not rung.worked]
    show_ladder(f"{task.title} ({task.name})", steps, unworked, plain=words.plain)
    return 0


def _trace(words: Namespace) -> int:
    *task, what = words.what
    trace = _run(_task_of(task), what)
    if words.out:
        return _write(trace, words)
    if words.html:
        from askless.show import viewer

        return _write_page(words.html, viewer.one(trace, _name(what)))
    if words.request is not None and not any(trip.n == words.request for trip in trace.round_trips):
        last = max((trip.n for trip in trace.round_trips), default=0)
        raise Problem(f"this run has no request {words.request}.", f"name one from 1 to {last}.")
    if words.json:
        _print_json(trace, words.request)
    else:
        from askless.show.text import console, show, trace_lines

        show(console(plain=words.plain), trace_lines(trace, words.request))
    return 0


def _write(trace: "Trace", words: Namespace) -> int:
    from pathlib import Path

    from askless import tracefile
    from askless.check.target import counted

    if words.request is not None:
        raise Problem("--out writes the whole run.", "leave --request out; read one request from the file afterwards.")
    write = tracefile.write_whole if words.json else tracefile.write
    write(trace, Path(words.out))
    print(f"{words.out}: {counted(trace.totals.round_trips, 'round trips')}. Read it with: askless trace {words.out}")
    return 0


def _write_page(target: str, text: str) -> int:
    from pathlib import Path

    from askless.files import save

    save(Path(target), text)
    print(f"{target}: open it in a browser; it needs no other file.")
    return 0


def _name(word: str) -> str:
    """What to call a run: its rung, or its file's name."""
    file = _file(word)
    return file.name if file else word


def _print_json(trace: "Trace", n: int | None) -> None:
    import json

    from askless.tracefile import whole, whole_trip

    if n is None:
        print(json.dumps(whole(trace), indent=2))
    for index, trip in enumerate(trace.round_trips):
        if trip.n == n:
            print(json.dumps(whole_trip(trace, index), indent=2))


def _diff(words: Namespace) -> int:
    from askless.show.tables import code_difference, show_difference

    if len(words.what) not in (2, 3):
        raise Problem("diff holds two runs side by side.", "name two rungs, v0 v1, or two trace files.")
    *task, left, right = words.what
    of = _task_of(task)
    traces = _run(of, left), _run(of, right)
    if words.html:
        from askless.show import viewer

        return _write_page(words.html, viewer.two(traces, (_name(left), _name(right))))
    files = _file(left), _file(right)
    code = [] if any(files) else code_difference(_code(of, left), _code(of, right), (left, right))
    show_difference(traces, (_name(left), _name(right)), code, plain=words.plain)
    return 0


def _run(task: str | None, what: str) -> "Trace":
    """The run that a word means: a file's, the last of practice, or a worked rung's, which goes on record as shown."""
    from askless import ladder, tracefile
    from askless.cli import record

    if file := _file(what):
        return tracefile.read(file)
    found = _task(task)
    if what == LEARNER:
        return record.last(found)
    trace = ladder.run(found, what)
    record.shown(found, what)
    return trace


def _code(task: str | None, rung: str) -> str:
    found = _task(task)
    path = found.learner if rung == LEARNER else found.rung(rung).worked
    return path.read_text("utf-8") if path else ""


def _task_of(words: list[str]) -> str | None:
    if len(words) > 1:
        raise Problem(f"too many words: {' '.join(words)}.", "name one task and one rung.")
    return words[0] if words else None


def _task(name: str | None) -> "Task":
    from askless import task

    return task.load(name or task.names()[0])


def _file(word: str) -> "Path | None":
    """The file that a word names; None where it names a rung, a task or a task's folder."""
    from pathlib import Path

    path = Path(word)
    named = path.is_file() or path.suffix != "" or path.name != word
    return path if named and not path.is_dir() else None
