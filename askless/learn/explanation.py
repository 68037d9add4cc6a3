"""What a learner wrote of their changes, and which of it is their own words."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from askless.errors import Problem

MOST_BYTES = 1 << 20
HEADING = "## "


@dataclass(frozen=True)
class Section:
    """A question of the form, its own words in answer, and whether a line of the form still stands among them."""

    heading: str
    own: str
    unfilled: bool


@dataclass(frozen=True)
class Explanation:
    """A text, and the form that it began as."""

    text: str
    form: str = ""

    @property
    def own(self) -> str:
        """The text without the form's lines."""
        return _without(self.text, _lines(self.form)).strip()

    @property
    def sections(self) -> Iterator[Section]:
        """The form's questions, each with what stands under it; nothing stands under one whose heading is gone."""
        written = _bodies(self.text)
        for heading, asked in _bodies(self.form).items():
            found, lines = written.get(heading, ""), _lines(asked)
            yield Section(heading, _without(found, lines).strip(), bool(lines & _lines(found)))


def read(path: Path, form: Path) -> Explanation:
    """The explanation in a file. A Problem where it cannot be read as text."""
    try:
        data = path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}.", f"copy the form there: cp {form} {path}") from None
    if data is None:
        raise Problem(f"{path} is longer than {MOST_BYTES:,} bytes.", "keep a few sentences for each question.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = data[: error.start].count(b"\n") + 1
        raise Problem(f"{path}, line {at}: this is not text in UTF-8.", "save the file as UTF-8.") from None
    return Explanation(text.replace("\r\n", "\n"), form.read_text("utf-8") if form.is_file() else "")


def _bodies(text: str) -> dict[str, str]:
    """What stands under each heading."""
    bodies: dict[str, list[str]] = {}
    under: list[str] = []
    for line in text.splitlines():
        if line.startswith(HEADING):
            under = bodies.setdefault(line.removeprefix(HEADING).strip(), [])
        else:
            under.append(line)
    return {heading: "\n".join(lines) for heading, lines in bodies.items()}


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines()} - {""}


def _without(text: str, lines: set[str]) -> str:
    return "\n".join(line for line in text.splitlines() if line.strip() not in lines)
