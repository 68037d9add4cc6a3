"""Who rests on which source: pages, lessons, rungs, rules and tables."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from askless.api.rules import BEHAVIOURS, RULES
from askless.show.lesson import CITATIONS
from askless.show.short import shorts
from askless.task import Task

IN_CODE = re.compile(r"catalog:\s+([a-z0-9-]+(?:,\s+[a-z0-9-]+)*)")
EQUIPMENT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Use:
    """One place that rests on a source; `address` is a page of the site and a place in it, or nothing."""

    kind: str  # lesson, rung, rule, table
    name: str
    address: str = ""


def uses(tasks: list[Task]) -> dict[str, list[Use]]:
    """Every use of each source, by the source's id."""
    found: defaultdict[str, list[Use]] = defaultdict(list)
    for name, use in _all(tasks):
        if use not in found[name]:
            found[name].append(use)
    return dict(found)


def _all(tasks: list[Task]) -> Iterator[tuple[str, Use]]:
    for task in tasks:
        yield from _of_task(task)
    for rule in (*RULES, *BEHAVIOURS):
        yield rule.source, Use("rule", rule.id, f"rules.html#{rule.id}")
    for path in sorted(EQUIPMENT.rglob("*.*")):
        if path.suffix in (".py", ".json"):
            yield from ((name, Use("code", path.name)) for name in _in_code(path.read_text("utf-8"), path))


def _of_task(task: Task) -> Iterator[tuple[str, Use]]:
    page = f"{task.name}/index.html"
    for path in (task.page, task.interview):
        if path.is_file():
            yield from ((name, Use("page", task.title, page)) for name in cited(path.read_text("utf-8")))
    for short in shorts(task):
        address = f"{task.name}/lessons/{short.slug}.html"
        yield from ((name, Use("lesson", short.title, address)) for name in cited(short.text))
    for rung in task.rungs:
        yield from ((name, Use("rung", f"{rung.name} of {task.title}", page)) for name in rung.sources)


def cited(markdown: str) -> list[str]:
    """The ids that a text cites."""
    return [name for found in CITATIONS.finditer(markdown) for name in re.findall(r"@([\w.-]+)", found[0])]


def _in_code(text: str, path: Path) -> Iterator[str]:
    """The ids that a file of the equipment names; of a table in JSON, those of its rows' `sources`."""
    if path.suffix == ".py":
        for found in IN_CODE.findall(text):
            yield from re.findall(r"[a-z][a-z0-9-]+", found)
    else:
        for found in re.findall(r'"sources": \[([^]]+)\]', text):
            yield from re.findall(r"[a-z][a-z0-9-]+", found)
