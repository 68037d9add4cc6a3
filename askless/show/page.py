"""The site: a learning map, a page for each task, its five-minute lessons, its traces, the sources and the rules.

Every number in it is measured while it is built. The pages link to one another by relative addresses alone, so they
work from a file and below any path of any host.
"""

import itertools
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from askless import catalog
from askless import task as tasks
from askless.api.rules import BEHAVIOURS, RULES
from askless.errors import Problem
from askless.files import save
from askless.learn.prediction import MEASURES
from askless.show import cited, markup, numbers, sections, site, viewer
from askless.show.directives import Sheet
from askless.show.lesson import Measured
from askless.show.markup import Notes
from askless.show.predicted import data
from askless.show.short import Short, shorts, tells
from askless.task import Task

MAP = catalog.FILE.with_name("map.json")
TASK_PAGE = "index.html"

Pages = Iterator[tuple[str, str]]  # a path below the site's folder, and the text of that file


def write(folder: Path) -> list[str]:
    """Build the site into a folder, and give the paths of its pages. A Problem where a file cannot be written."""
    paths = []
    for path, text in pages():
        try:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Problem(f"{folder} cannot be written: {error.strerror}.", "name another folder: --out DIR") from None
        save(folder / path, text)
        paths.append(path)
    return paths


def pages() -> Pages:
    """Every file of the site."""
    known = [tasks.load(name) for name in tasks.names() if tasks.load(name).page.is_file()]
    uses = cited.uses(known)
    yield "index.html", _map(known)
    for task in known:
        yield from task_pages(task)
    yield "sources.html", _page("sources.html.jinja", "", sources=list(catalog.sources().values()), uses=uses)
    yield "rules.html", _page("rules.html.jinja", "", rules=RULES, behaviours=BEHAVIOURS, known=catalog.sources())
    yield "resources.json", _resources(uses)


def _page(template: str, root: str, script: tuple[str, ...] = site.PAGES, **context: Any) -> str:
    """A page of the site; `root` leads from it to the site's folder."""
    return site.render(template, script, root=root, **context)


def _map(known: list[Task]) -> str:
    """The learning map: the tasks that are here, and those that are only planned."""
    rows = json.loads(MAP.read_text("utf-8")) if MAP.is_file() else []
    here = {task.name: task for task in known}
    return _page(
        "map.html.jinja",
        "",
        here=[(row, here[row["task"]], shorts(here[row["task"]])) for row in rows if row["task"] in here],
        planned=[row for row in rows if row["task"] not in here],
    )


def task_pages(task: Task) -> Pages:
    """A task's page, its lessons and its traces."""
    runs = numbers.measured(task)
    worked = [rung for rung in task.rungs if rung.worked]
    yield f"{task.name}/{TASK_PAGE}", _lesson(task, runs)
    lessons = shorts(task)
    for at, short in enumerate(lessons):
        following = lessons[at + 1] if at + 1 < len(lessons) else None
        yield f"{task.name}/lessons/{short.slug}.html", _short(task, short, following, runs)
    for rung in worked:
        yield f"{task.name}/traces/{rung.name}.html", viewer.one(runs(rung.name), rung.name, "../../")
    for below, rung in itertools.pairwise(worked):
        pair = (runs(below.name), runs(rung.name))
        yield f"{task.name}/traces/{below.name}-{rung.name}.html", viewer.two(pair, (below.name, rung.name), "../../")


def _lesson(task: Task, runs: Measured) -> str:
    notes = Notes()
    found = list(sections.lesson(Sheet(task, runs, notes)))
    worked = [rung.name for rung in task.rungs if rung.worked]
    return _page(
        "lesson.html.jinja",
        "../",
        site.READER,
        task=task,
        sections=found,
        notes=notes.sources,
        data=data(task, {name: runs(name) for name in worked}),
        measures=MEASURES,
    )


def _short(task: Task, short: Short, following: Short | None, runs: Measured) -> str:
    notes = Notes()
    about, found = sections.short(Sheet(task, runs, notes), short)
    return _page(
        "short.html.jinja",
        "../../",
        (),
        task=task,
        title=markup.heading(task.page.read_text("utf-8"))[1],
        short=short,
        tells=tells(task, short),
        about=about,
        sections=found,
        following=following,
        notes=notes.sources,
    )


def _resources(uses: dict[str, list[cited.Use]]) -> str:
    """The catalog with what rests on each source, for programs."""
    rows = json.loads(catalog.FILE.read_text("utf-8"))
    told = [{**row, "cited_by": [asdict(use) for use in uses.get(row["id"], [])]} for row in rows]
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"
