"""Worked rungs with a small change, for the lessons: what one sentence of a program costs, measured."""

import json
from dataclasses import dataclass
from types import ModuleType

from askless.errors import Problem
from askless.model.scripted import Scripted
from askless.plain import PlainClient
from askless.record import Recorder
from askless.task import Task
from askless.trace import Trace

FILE = "variants.json"


@dataclass(frozen=True)
class Variant:
    """A rung's program in which some texts stand in place of others."""

    name: str
    of: str  # the rung
    idea: str
    changes: tuple[tuple[str, str], ...]


def variants(task: Task) -> dict[str, Variant]:
    """A task's variants by name; none where its lessons need none."""
    path = task.folder / "lessons" / FILE
    rows = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {
        name: Variant(name, row["of"], row["idea"], tuple((old, new) for old, new in row["changes"]))
        for name, row in rows.items()
    }


def source(task: Task, name: str) -> str:
    """The program of a rung or a variant. A Problem where a text to be changed is not in the rung any more."""
    variant = variants(task).get(name)
    rung = task.rung(variant.of if variant else name)
    text = rung.worked.read_text("utf-8") if rung.worked else ""
    for old, new in variant.changes if variant else ():
        if old not in text:
            raise Problem(f"variant {name!r} changes {old!r}, which {rung.name} does not hold.", f"mend {FILE}.")
        text = text.replace(old, new)
    return text


def run(task: Task, name: str) -> Trace:
    """A variant's run on the shown desk; its program is trusted, as a rung's is."""
    program = ModuleType(name)
    exec(compile(source(task, name), name, "exec"), program.__dict__)
    desk, recorder = task.desk(), Recorder()
    answer = program.answer(PlainClient(Scripted(task.script()), recorder), desk, desk.question)
    return recorder.trace(
        task=task.name,
        rung=name,
        model="scripted",
        question=desk.question,
        answer=answer,
        answer_right=task.is_right(desk, answer),
    )
