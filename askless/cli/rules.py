"""The rules command: what the API refuses and what the scripted model does, with sources, dates and certainty."""

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from askless.errors import Problem

WIDTH_COLUMNS = 80
INDENT = "    "
CERTAINTY = {
    "documented": "documented",
    "tried": "tried against the API or its SDK, and published",
    "reported": "reported by users",
}
WORDING = {"api": "the API's own", "askless": "askless' own, in the API's style; the API's are not known"}

Row = dict[str, Any]  # of askless/api/rules.json


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "print what the API refuses and what the scripted model does"
    rules = commands.add_parser("rules", help=what, description=f"{what[0].upper()}{what[1:]}.")
    rules.add_argument("id", nargs="?", metavar="ID", help="one rule, with its text, its mend and its source")
    rules.add_argument("--json", action="store_true", help="as one JSON list")
    rules.add_argument("--live", action="store_true", help="ask the real API which still hold, for a cent; it asks you")
    rules.add_argument("--yes", action="store_true", help="with --live: do not ask")
    rules.set_defaults(run=_rules)


def _rules(words: Namespace) -> int:
    if words.live:
        from askless.cli import asked

        return asked.run(words)
    rows = _read("askless", "api", "rules.json")
    if words.id:
        rows = [row for row in rows if row["id"] == words.id]
        if not rows:
            raise Problem(f"there is no rule {words.id!r}.", "askless rules lists them all.")
    if words.json:
        import json

        print(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        print("\n".join(_one(rows[0]) if words.id else _all(rows)))
    return 0


def _read(*path: str) -> list[Row]:
    """A table of the repository; empty where it was not installed."""
    import json
    from os.path import dirname, isfile, join

    file = join(dirname(dirname(dirname(__file__))), *path)
    if not isfile(file):
        return []
    with open(file, encoding="utf-8") as table:
        rows: list[Row] = json.load(table)
    return rows


def _all(rows: list[Row]) -> Iterator[str]:
    refused = [row for row in rows if row["status"]]
    behaviours = [row for row in rows if not row["status"]]
    yield f"What the API refuses ({len(refused)} rules)"
    for row in refused:
        yield from ("", *_listed(row))
    yield from ("", "", f"What the scripted model does ({len(behaviours)} rules)")
    for row in behaviours:
        yield from ("", *_listed(row))
    yield from ("", "", "`askless rules ID` prints one with its text, its mend and its source.")


def _listed(row: Row) -> Iterator[str]:
    status = f"{row['status']}, " if row["status"] else ""
    yield f"{row['id']}  ({status}{row['certainty']} {row['as_of']})"
    yield from _wrapped(row["what"])


def _one(row: Row) -> Iterator[str]:
    yield from (row["id"], *_wrapped(row["what"]))
    if row["status"]:
        yield from ("", f"Answer: {row['status']} {row['type']}", *_wrapped(row["text"]))
        yield from _wrapped(f"The words are {WORDING[row['wording']]}. Those in capitals are filled in.", "")
        yield from ("", "Mend:", *_wrapped(row["mend"]))
    yield from ("", f"Known: {CERTAINTY[row['certainty']]}, as of {row['as_of']}.", f"Source: {row['source']}")
    for source in _read("web", "resources.json"):
        if source["id"] == row["source"]:
            yield from (*_wrapped(source["title"]), f"{INDENT}{source['address']}")


def _wrapped(text: str, indent: str = INDENT) -> Iterator[str]:
    """Lines of at most 80 columns; textwrap would take as long to import as all the rest of this."""
    line = ""
    for word in text.split():
        if line and len(indent) + len(line) + 1 + len(word) > WIDTH_COLUMNS:
            yield indent + line
            line = word
        else:
            line = f"{line} {word}".lstrip()
    yield indent + line
