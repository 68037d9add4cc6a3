"""A page of static HTML as plain text: every word of it, a picture by its alternative text, a table by its columns."""

import re
from html.parser import HTMLParser

LINES = {
    "p",
    "h4",
    "h3",
    "h2",
    "h1",
    "li",
    "summary",
    "blockquote",
    "pre",
    "table",
    "caption",
    "tr",
    "div",
    "ins",
    "del",
}
CELLS = {"td", "th"}
UNSEEN = {"style", "script"}


def words(page: str) -> str:
    """The page's text; folded details are written out."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = (line.rstrip() for line in "".join(reader.said).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.rows: list[list[str]] = []
        self.unseen = 0
        self.raw = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen += tag in UNSEEN
        self.raw += tag == "pre"
        if tag == "img":
            self._say(f"[{dict(attrs).get('alt')}]\n")
        elif tag == "tr":
            self.rows.append([])
        elif tag in CELLS and self.rows:
            self.rows[-1].append("")
        elif tag == "table":
            self.rows = []
        elif tag == "br":
            self._say("\n")

    def handle_endtag(self, tag: str) -> None:
        self.unseen -= tag in UNSEEN
        self.raw -= tag == "pre"
        if tag == "table":
            self._say_table()
        elif tag in LINES:
            self._say("\n")

    def handle_data(self, data: str) -> None:
        if self.unseen:
            return
        text = data if self.raw else re.sub(r"\s+", " ", data)
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += text
        else:
            self._say(text)

    def _say(self, text: str) -> None:
        if text.strip(" ") or self.raw:
            self.said.append(text)

    def _say_table(self) -> None:
        wide = [max(map(len, column)) for column in zip(*self.rows, strict=False)]
        for row in self.rows:
            self.said.append("  ".join(f"{cell:<{w}}" for cell, w in zip(row, wide, strict=False)) + "\n")
        self.rows = []
