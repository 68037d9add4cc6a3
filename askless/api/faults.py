"""A plan of faults: at which request of a run the API fails, and how.

A plan holds only what the API can give; anything else raises ValueError when it
is made. Nothing in a plan is waited for: its seconds are simulated.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, get_args

Kind = Literal[
    "slow",  # nothing but its delay
    "status",  # an error in the place of a reply
    "drop",  # the connection breaks before a reply
    "cut_stream",  # the stream ends before its stop reason; without a stream, a drop
    "refusal",
    "max_tokens",  # cut inside the last block, as when thinking, which the lab does not show, used up the rest
    "context_window",  # the same cut, with model_context_window_exceeded
    "pause_turn",  # where the request offers web search, whose loop is what pauses; else nothing
    "unknown_tool",  # the first call names a tool that was not offered; never a strict one
    "bad_input",  # the first call's input does not fit its schema; never a strict tool's
]
Category = Literal["cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms"]

# What the API answers whatever was sent (catalog: api-errors, errors-429-529). The other statuses come of a request.
STATUSES = {
    401: ("authentication_error", "invalid x-api-key"),
    402: ("billing_error", "Your account has a billing problem."),
    403: ("permission_error", "Your API key does not have permission to use the specified resource."),
    429: ("rate_limit_error", "This request would exceed your account's rate limit. Please try again later."),
    500: ("api_error", "Internal server error"),
    504: ("timeout_error", "Request timed out"),
    529: ("overloaded_error", "Overloaded"),
}
LIMITED = 429  # alone says when to come back; a spending limit's does not
LONGEST_DELAY_S = 600  # the SDK waits no longer (catalog: sdk-timeouts)

TAKES: dict[str, set[str]] = {
    "status": {"status", "retry_after_s"},
    "cut_stream": {"after_events"},
    "refusal": {"category", "after_output"},
}


@dataclass(frozen=True)
class Fault:
    """What happens at one request, counted from 1; an attempt after a failure is a request of its own.

    Any of them may be late by `delay_s`. The others say how: `status` and, for 429
    only, `retry_after_s`; `after_events`, how many events of a stream arrive;
    `category` of a refusal, and whether it comes in the middle of the output.
    """

    request: int
    kind: Kind
    delay_s: float = 0.0
    status: int | None = None
    retry_after_s: int | None = None
    after_events: int | None = None
    category: Category | None = None
    after_output: bool = False

    def __post_init__(self) -> None:
        if why := self._impossible():
            raise ValueError(f"a fault at request {self.request} that the API cannot give: {why}")

    def _impossible(self) -> str | None:
        if self.kind not in get_args(Kind):
            return f"its kind is {self.kind!r}, not one of {', '.join(get_args(Kind))}"
        if self.request < 1:
            return "requests are counted from 1"
        if not 0 <= self.delay_s <= LONGEST_DELAY_S:
            return f"a delay of {self.delay_s} s, and a client waits from 0 to {LONGEST_DELAY_S} s"
        for name in sorted(self._set() - TAKES.get(self.kind, set())):
            return f"{self.kind} takes no {name}"
        return self._impossible_value()

    def _set(self) -> set[str]:
        """The fields that say how, as far as they are set."""
        own = [field for field in fields(self) if field.name not in ("request", "kind", "delay_s")]
        return {field.name for field in own if getattr(self, field.name) != field.default}

    def _impossible_value(self) -> str | None:
        if self.kind == "slow" and not self.delay_s:
            return "slow without a delay"
        if self.kind == "status" and self.status not in STATUSES:
            known = ", ".join(map(str, STATUSES))
            return f"a status of {self.status}; those that come whatever was sent are {known}"
        if self.retry_after_s is not None and (self.status != LIMITED or self.retry_after_s < 1):
            return f"only {LIMITED} says when to come back, in whole seconds from 1 on"
        if self.kind == "cut_stream" and (self.after_events is None or self.after_events < 1):
            return "a stream is cut after 1 event or more"
        if self.category is not None and self.category not in get_args(Category):
            return f"a refusal's category of {self.category!r}"
        return None

    @property
    def wait_s(self) -> float | None:
        """What the answer says to wait; None where it says nothing."""
        return None if self.retry_after_s is None else float(self.retry_after_s)

    def envelope(self, request_id: str) -> dict[str, Any]:
        """The body of an answer with this status."""
        type_, message = STATUSES[self.status or 0]
        return {"type": "error", "error": {"type": type_, "message": message}, "request_id": request_id}

    def __str__(self) -> str:
        late = f", {self.delay_s:g} s late" if self.delay_s else ""
        return f"request {self.request}: {self.words}{late}"

    @property
    def words(self) -> str:
        """What happens, in words."""
        match self.kind:
            case "status":
                again = "" if self.retry_after_s is None else f", try again after {self.retry_after_s} s"
                return f"{self.status} {STATUSES[self.status or 0][0]}{again}"
            case "cut_stream":
                return f"the stream is cut after {self.after_events} events"
            case "refusal":
                why = f" ({self.category})" if self.category else ""
                return f"a refusal{why} {'in the middle of' if self.after_output else 'before'} the output"
        return WORDS[self.kind]


WORDS = {
    "slow": "a reply",
    "drop": "the connection breaks",
    "max_tokens": "the reply is cut by max_tokens",
    "context_window": "the reply fills the context window",
    "pause_turn": "the turn pauses",
    "unknown_tool": "a call of a tool that does not exist",
    "bad_input": "a call whose input does not fit its schema",
}


@dataclass(frozen=True)
class Plan:
    """Faults by the number of the request, at most one each. Printed, it is the plan in one line."""

    faults: tuple[Fault, ...] = ()

    def __post_init__(self) -> None:
        if len(self._by_request) != len(self.faults):
            raise ValueError("two faults at one request that the API cannot give: a request has one outcome")

    @cached_property
    def _by_request(self) -> dict[int, Fault]:
        return {fault.request: fault for fault in self.faults}

    def at(self, request: int) -> Fault | None:
        """What happens at a request; None for nothing unusual."""
        return self._by_request.get(request)

    def __str__(self) -> str:
        ordered = sorted(self.faults, key=lambda fault: fault.request)
        return "; ".join(map(str, ordered)) or "no faults"


NO_FAULTS = Plan()
