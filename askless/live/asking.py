"""The rules asked of the real API, one after the other, within a budget."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from time import sleep
from typing import Any, Literal

from askless.api.conversation import Request
from askless.errors import Problem
from askless.live import ceiling, waiting
from askless.live.asked_rules import Asked, asked
from askless.live.carrier import OK, Carried, Carrier
from askless.live.failure import AGENTS
from askless.live.purse import Purse
from askless.live.upstream import COUNT, cost_usd
from askless.model import Reply
from askless.service import MESSAGES, Service

SCHEMA = "askless.rules/1"
BUDGET_USD = 0.05
HEADERS = {"anthropic-version": "2023-06-01", "content-type": "application/json"}
TRIES = 3

Outcome = Literal["holds", "other_words", "not_seen", "changed"]


@dataclass(frozen=True)
class Said:
    """What was answered: an error's type and message, or what a reply came to."""

    status: int  # HTTP
    type: str
    message: str


@dataclass(frozen=True)
class Answered:
    """One rule, what it says should be answered (None of a behaviour), and what was."""

    rule: str
    outcome: Outcome
    expected: Said | None
    said: Said
    usd: float


def ask(carrier: Carrier, purse: Purse, wait: Callable[[float], None] = sleep) -> Iterator[Answered]:
    """Ask every rule. Raises Problem where the API fails or the budget is used up; what was asked is given by then."""
    lab = Service(_nobody)
    for one in asked():
        data = json.dumps(one.body).encode()
        most_usd = 0.0 if one.free else ceiling.of(Request.of(one.body)).usd
        if not purse.hold(most_usd):
            raise Problem(
                f"{one.rule} was not asked: the budget of ${purse.budget_usd:g} is used up.", "ask again later."
            )
        usd: float | None = None
        try:
            carried = _carried(carrier, one, data, wait)
            usd = 0.0 if one.free else cost_usd(carried, str(one.body.get("model")))
        finally:
            usd = purse.settle(most_usd, usd)
        if carried.failure and not _is_said(one, carried):
            raise carried.failure
        expected = None if one.holds else _of_the_lab(lab, one, data)
        yield _answered(one, expected, carried, usd)


def document(rows: list[Answered], date: str, host: str, purse: Purse) -> dict[str, Any]:
    """The dated result."""
    return {
        "schema": SCHEMA,
        "date": date,
        "host": host,
        "spent_usd": round(purse.spent_usd, 6),
        "rules": [{**asdict(row), "usd": round(row.usd, 6)} for row in rows],
    }


def _nobody(request: Request) -> Reply:
    return Reply((), "end_turn")


def _carried(carrier: Carrier, one: Asked, data: bytes, wait: Callable[[float], None]) -> Carried:
    """An answer; a busy API is asked again, as it asks for."""
    for further in range(TRIES - 1, -1, -1):
        carried = carrier.carry("POST", _path(one), HEADERS, data)
        wait_s = waiting.wait_s(carried.headers) or 1.0
        if not further or carried.status not in (429, 529) or wait_s > waiting.LONGEST_S:
            break
        wait(wait_s)
    return carried


def _is_said(one: Asked, carried: Carried) -> bool:
    """Whether a failed answer says something of the rule."""
    unknown = one.free and carried.status == 404 and "error" in carried.reply
    return unknown or (carried.failure is not None and carried.failure.exit_code == AGENTS)


def _path(one: Asked) -> str:
    return COUNT if one.free else MESSAGES


def _answered(one: Asked, expected: Said | None, carried: Carried, usd: float) -> Answered:
    said = _said(carried.status, carried.reply)
    if expected is None:
        holds = carried.meant == OK and one.holds is not None and one.holds(carried.reply)
        return Answered(one.rule, "holds" if holds else "not_seen", None, said, usd)
    outcome: Outcome = "holds" if said == expected else "other_words"
    same = (said.status, said.type) == (expected.status, expected.type)
    return Answered(one.rule, outcome if same else "changed", expected, said, usd)


def _of_the_lab(lab: Service, one: Asked, data: bytes) -> Said:
    answer = lab.post(_path(one), {**HEADERS, "x-api-key": "-"}, data)
    return _said(answer.status, json.loads(answer.body))


def _said(status: int, reply: dict[str, Any]) -> Said:
    if isinstance(error := reply.get("error"), dict):
        return Said(status, str(error.get("type")), str(error.get("message")))
    calls = sum(block.get("type") == "tool_use" for block in reply.get("content", []))
    return Said(status, str(reply.get("type")), f"{calls} tool calls, stop_reason {reply.get('stop_reason')}")
