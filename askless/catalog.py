"""The catalog of sources, web/resources.json: what holds a claim up, and where to read it."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent.parent / "web" / "resources.json"


@dataclass(frozen=True)
class Source:
    """A source as the catalog has it; the claim is in the catalog's words, true as of a day or a month.

    `status` is "verified", or says why it is not: contested, superseded, read in a stored copy, …
    """

    id: str
    title: str
    address: str
    publisher: str
    kind: str  # docs, blog, code, paper, report
    claim: str
    as_of: str
    status: str


@cache
def sources() -> dict[str, Source]:
    """Every source by its id; none where the catalog was not installed."""
    rows = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else []
    return {row["id"]: Source(**{name: row[name] for name in Source.__dataclass_fields__}) for row in rows}
