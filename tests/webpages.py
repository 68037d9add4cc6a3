"""The site, built once for all tests that look at it, and its pages as a browser would read them."""

from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser

from askless.show import page

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
VOID |= {"rect", "path"}  # of the drawings; they end themselves


@cache
def pages() -> dict[str, str]:
    """Every file of the site by its path."""
    return dict(page.pages())


@cache
def html() -> dict[str, "Read"]:
    """Every page of it, read."""
    return {path: read(text) for path, text in pages().items() if path.endswith(".html")}


@dataclass
class Read(HTMLParser):
    """What a page's tags say: its ids, its links, what it would load, and tags that do not close in order."""

    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    scripts: int = 0
    words: str = ""
    odd: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._see(tag, dict(attrs))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._see(tag, dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.odd.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.words += data

    def _see(self, tag: str, values: dict[str, str | None]) -> None:
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if tag == "a" and "href" in values else []
        self.loads += [values[name] or "" for name in ("src", "srcset", "poster", "action", "data") if name in values]
        self.loads += [values["href"] or ""] if tag in ("link", "use", "image") and "href" in values else []
        self.labels += [values["for"] or ""] if tag == "label" and "for" in values else []
        if tag in ("input", "textarea", "select") and values.get("type") != "file":
            self.fields.append(values.get("id") or "")
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        self.scripts += tag == "script" and values.get("type") is None


def read(text: str) -> Read:
    """One page, read."""
    found = Read()
    found.feed(text)
    found.close()
    return found
