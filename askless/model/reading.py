"""Results, read: the facts that a tool's result holds, in whatever form its author chose.

JSON of any nesting goes to rows.py, text line by line to prose.py; what tools
take and give is read in tools.py.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from askless.model import prose, rows
from askless.model.findings import About, Findings
from askless.model.parsing import parsed
from askless.model.vocabulary import Vocabulary

FEW_THINGS, SHORT_CHARS = 64, 1024  # of what is known, and of a result that is remembered


@dataclass(frozen=True)
class Result:
    """A `tool_result` block's texts (none where it has no content) and its flag."""

    texts: tuple[str, ...]
    is_error: bool = False

    @classmethod
    def of(cls, block: Mapping[str, Any]) -> "Result":
        """A block's result: a string, or the texts of its text, document and search result blocks."""
        return cls(tuple(_texts(block.get("content"))), block.get("is_error") is True)

    @property
    def text(self) -> str:
        """All its texts."""
        return "\n".join(self.texts)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            yield from _texts(block)
    elif isinstance(content, dict):
        for name in ("text", "content", "source", "data"):
            if content.get("type") != "base64":
                yield from _texts(content.get(name))


def read(result: Result, about: About, vocabulary: Vocabulary, kinds: Mapping[str, str]) -> Findings:
    """The facts in a result; of a flagged error, only those that stand in data and not in its prose.

    They are not to be changed: whoever asks the same desk gets the same short results, which are read once.
    """
    if len(kinds) > FEW_THINGS or sum(map(len, result.texts)) > SHORT_CHARS:
        return _read(result, about, vocabulary, kinds)
    return _read_once(result, about, vocabulary, tuple(kinds.items()))


@lru_cache(maxsize=4096)
def _read_once(result: Result, about: About, vocabulary: Vocabulary, kinds: tuple[tuple[str, str], ...]) -> Findings:
    return _read(result, about, vocabulary, dict(kinds))


def _read(result: Result, about: About, vocabulary: Vocabulary, kinds: Mapping[str, str]) -> Findings:
    findings = Findings(vocabulary, about, kinds)
    for text in result.texts:
        data = parsed(text)
        if not isinstance(data, str):
            rows.read(data, findings)
        elif not result.is_error:
            prose.read(data, findings.start, findings)
    return findings
