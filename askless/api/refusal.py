"""The rules of the Messages API, and the refusal of a request that breaks one.

The table is rules.json: for each rule its id, what holds, the API's answer, how to mend a request that breaks it, and
how it is known. `certainty` is about the rule: documented, tried against the real API or SDK and published, or
only reported by users. `wording` is about `text`: the API's own words, or askless' in the same style where the API's
are not known. Words in capitals in `text` and `mend` are filled in. A rule without a status is something that the
scripted model does.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

TABLE = Path(__file__).with_name("rules.json")


@dataclass(frozen=True)
class Rule:
    """One row of the table."""

    id: str
    what: str
    status: int | None  # HTTP
    type: str | None
    text: str | None
    wording: Literal["api", "askless"] | None
    mend: str | None
    source: str  # an id in web/resources.json
    as_of: str
    certainty: Literal["documented", "tried", "reported"]
    error_code: str | None = None


@dataclass(frozen=True)
class Refusal:
    """The API's answer to a request that it does not take; `place` is where in the body, as the API writes it."""

    status: int  # HTTP
    type: str
    message: str
    rule: str
    place: str  # messages.2.content.0, tools.0.custom.name; empty for the request as a whole
    mend: str
    error_code: str | None = None

    def envelope(self, request_id: str) -> dict[str, Any]:
        """The body of the answer.

        It is the API's envelope; rule, place and mend stand in `details`, where the SDK hands them on.
        """
        details = {"rule": self.rule, "place": self.place, "mend": self.mend}
        code = {"error_code": self.error_code} if self.error_code else {}
        error = {"type": self.type, "message": self.message, "details": {**code, **details}}
        return {"type": "error", "error": error, "request_id": request_id}


_ROWS = tuple(Rule(**row) for row in json.loads(TABLE.read_text("utf-8")))
RULES = tuple(rule for rule in _ROWS if rule.status)
BEHAVIOURS = tuple(rule for rule in _ROWS if not rule.status)
_REFUSING = {rule.id: rule for rule in RULES}


def refuse(rule_id: str, place: str = "", **values: object) -> Refusal:
    """The refusal by one rule at one place; each of `values` fills in its name in capitals."""
    rule = _REFUSING[rule_id]
    words = {"PLACE": place, **{name.upper(): str(value) for name, value in values.items()}}
    message, mend = (_filled(template or "", words) for template in (rule.text, rule.mend))
    return Refusal(rule.status or 0, rule.type or "", message, rule.id, place, mend, rule.error_code)


def _filled(template: str, words: dict[str, str]) -> str:
    return re.sub("[A-Z]+", lambda found: words.get(found[0], found[0]), template)
