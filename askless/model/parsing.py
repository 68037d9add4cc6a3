"""Text to data: JSON, JSON lines, what Python prints for lists and dicts, and tables with a header."""

import ast
import csv
import json
from typing import Any

from askless.api.depth import is_too_deep
from askless.model.ids import find

_DELIMITERS = ",\t;|"
_LONGEST_LITERAL_CHARS = 1_000_000


def parsed(text: str) -> Any:
    """The data that a text holds, or the text itself where it holds none."""
    stripped = text.strip()
    for read in (_json, _literal, _json_lines, _table):
        data = read(stripped)
        if data is not None and not is_too_deep(stripped, data):
            return data
    return text


def _json(text: str) -> Any:
    if text[:1] not in ("{", "[", '"'):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, (dict, list)) else parsed(data) if isinstance(data, str) else None


def _literal(text: str) -> Any:
    """What `str()` makes of a list, a dict or a tuple."""
    if text[:1] not in ("[", "{", "(") or len(text) > _LONGEST_LITERAL_CHARS:
        return None
    try:
        return _plain(ast.literal_eval(text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(held) for held in value]
    return sorted(value, key=str) if isinstance(value, set | frozenset) else value


def _json_lines(text: str) -> list[Any] | None:
    lines = list(filter(str.strip, text.splitlines()))
    if len(lines) < 2 or any(line.lstrip()[0] not in "[{" for line in lines):
        return None
    rows = [_json(line) for line in lines]
    return None if None in rows else rows


def _table(text: str) -> list[dict[str, str]] | None:
    """Rows under a header that holds no identifier; every row is as wide as the header."""
    lines = [_trimmed(line) for line in filter(str.strip, text.splitlines()) if line.strip(" |-:+=")]
    if len(lines) < 2 or any(find(lines[0])):
        return None
    for delimiter in _DELIMITERS:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
        if len(rows[0]) > 1 and all(rows[0]) and all(len(row) == len(rows[0]) for row in rows):
            return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    return None


def _trimmed(line: str) -> str:
    stripped = line.strip(" ")
    return stripped.strip("| ") if stripped.startswith("|") and stripped.endswith("|") else stripped
