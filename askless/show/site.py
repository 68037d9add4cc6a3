"""Pages from templates: everything a page needs stands in the page itself, and it asks nothing of any host.

A content security policy lets the page's own script run and nothing else, so that what a trace holds stays text.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from askless.show import markup

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent / "site"
# What would end a script in a page; what would hide or turn what stands there; halves of pairs, which no file can hold.
UNSAFE = re.compile("[<>&\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
READER = ("numbers", "digest", "record", "explain", "telling", "predict", "progress", "reader")
PAGES = ("numbers", "record", "pages")
VIEWER = ("request", "viewer")


def render(template: str, script: Iterable[str] = (), **context: Any) -> str:
    """A whole page; `script` names the files that make up its one script."""
    text = _script(tuple(script))
    shown = environment().get_template(template).render(script=Markup(text), policy=_policy(text), **context)
    return shown if shown.endswith("\n") else f"{shown}\n"


def data(value: Any) -> Markup:
    """A value as JSON that may stand in a page, whatever its texts hold."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def content(text: str) -> Markup:
    """A text between two tags, where quotation marks need no escape: a long one stays as short as it can."""
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;"))


@cache
def environment() -> "Environment":
    """The templates; they escape all that is not Markup, and know no name that was not given."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"style": Markup(_read("style.css"))}
    made.filters |= {
        "number": "{:,}".format,
        "data": data,
        "content": content,
        "inline": markup.inline,
        "prose": markup.prose,
    }
    made.filters |= {"slug": markup.slug, "sum_of": lambda numbers: " + ".join(f"{each:,}" for each in numbers)}
    return made


@cache
def _script(names: tuple[str, ...]) -> str:
    parts = "\n".join(_read(f"{name}.js") for name in names)
    return f'"use strict";\n(() => {{\n{parts}}})();\n' if names else ""


def _policy(script: str) -> str:
    own = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" if script else "'none'"
    rules = (
        "default-src 'none'",
        f"script-src {own}",
        "style-src 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


def _read(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")
