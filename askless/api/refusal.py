"""A rule of the Messages API, and the refusal of a request that breaks it."""

from dataclasses import dataclass
from typing import Any, Literal

Certainty = Literal["documented", "tried", "reported"]
Wording = Literal["api", "askless"]


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


@dataclass(frozen=True)
class Rule:
    """One thing that the API refuses, or (without a status) one thing that the scripted model does.

    `certainty` is about the rule: documented, tried against the real API or SDK, or only reported by users.
    `wording` is about `text`: the API's own words as documented or reported, or askless' own in the same style.
    """

    id: str
    what: str  # one sentence
    source: str  # an id in web/resources.json
    as_of: str
    certainty: Certainty
    status: int | None = None
    type: str | None = None
    text: str | None = None  # a template for str.format
    wording: Wording | None = None
    mend: str = ""  # a template, too
    error_code: str | None = None

    def refuse(self, place: str, **values: Any) -> Refusal:
        """The refusal of a request that breaks this rule at `place`; `values` fill the templates."""
        assert self.status is not None
        assert self.type is not None
        assert self.text is not None
        message = self.text.format(place=place, **values)
        mend = self.mend.format(place=place, **values)
        return Refusal(self.status, self.type, message, self.id, place, mend, self.error_code)


def invalid(
    id_: str,
    *,
    what: str,
    text: str,
    mend: str,
    known: tuple[Certainty, str, str],
    wording: Wording = "api",
) -> Rule:
    """A rule whose breach is a 400 invalid_request_error; `known` is (certainty, source, as of)."""
    certainty, source, as_of = known
    return Rule(id_, what, source, as_of, certainty, 400, "invalid_request_error", text, wording, mend)
