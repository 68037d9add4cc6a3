"""The prose of page and lessons as HTML: Markdown with numbered sources, headings to link to, coloured code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from askless import catalog
from askless.catalog import Source
from askless.errors import Problem
from askless.show.lesson import CITATIONS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

WORDS_A_MINUTE = 100  # of prose on a subject that is new, with a trace to look at in between
HEADING = re.compile(r"(#{1,3}) +(.*)\n*")


@dataclass
class Notes:
    """The sources that one page cites, numbered in the order in which they first are."""

    numbers: dict[str, int] = field(default_factory=dict)

    def links(self, markdown: str) -> str:
        """Each citation as numbers that link to the page's own list of sources."""
        return CITATIONS.sub(lambda found: "".join(map(self._link, re.findall(r"@([\w.-]+)", found[0]))), markdown)

    def _link(self, name: str) -> str:
        known = catalog.sources()
        if name not in known:
            raise Problem(f"the catalog has no source {name!r}.", "add it to web/resources.json, or mend the name.")
        number = self.numbers.setdefault(name, len(self.numbers) + 1)
        title = known[name].title.replace('"', "'")
        return f'[\\[{number}\\]](#source-{name} "{title}")'

    @property
    def sources(self) -> list[tuple[int, Source]]:
        """The page's list of sources."""
        known = catalog.sources()
        return [(number, known[name]) for name, number in self.numbers.items()]


def prose(markdown: str) -> Markup:
    """Markdown as HTML; HTML in it is shown as text."""
    return Markup(_markdown().render(markdown))


def inline(markdown: str) -> Markup:
    """A line of Markdown, without a paragraph around it."""
    return Markup(_markdown().renderInline(markdown))


def heading(markdown: str) -> tuple[int, str, str]:
    """The level, the words and the rest of prose that begins with a heading; level 0 where it begins with none."""
    found = HEADING.match(markdown)
    return (len(found[1]), found[2], markdown[found.end() :]) if found else (0, "", markdown)


def slug(words: str) -> str:
    """A name to link to."""
    return re.sub(r"[^a-z0-9]+", "-", words.casefold()).strip("-")


def minutes(words: int) -> int:
    """How long reading takes, at least one minute."""
    return max(1, round(words / WORDS_A_MINUTE))


def code(text: str, language: str) -> Markup:
    """Program text with its syntax coloured, by classes that the style sheet knows."""
    return Markup(f'<pre class="code" tabindex="0"><code>{_coloured(text, language)}</code></pre>')


def _coloured(text: str, language: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    return str(highlight(text, lexer, HtmlFormatter(nowrap=True)))


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    options = {"html": False, "highlight": lambda text, language, _: str(code(text, language))}
    return MarkdownIt("commonmark", options).enable("table")


def words(pieces: Iterator[str]) -> int:
    """How many words these texts hold, numbers and code included."""
    return sum(len(re.findall(r"\S+", piece)) for piece in pieces)
