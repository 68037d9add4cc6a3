"""What is said when the real API, or the way to it, fails: one line and one act.

What a status means is documented (catalog: api-errors, rate-limits). That no
credit comes as a 400, and how its text goes, is only reported.
"""

import re
from collections.abc import Mapping
from math import ceil
from typing import Any

import httpx2

from askless.api import prices
from askless.api.models import family
from askless.check.target import counted
from askless.errors import Problem
from askless.live import access, waiting

SHOWN_CHARS = 300  # of what the API says
AGENTS, OURS, THEIRS = 1, 2, 3  # exit codes: of the agent, of its reader's set-up, of nobody here

NO_CREDIT = re.compile(r"credit balance|billing|purchase credits", re.IGNORECASE)
OWN_LIMIT = re.compile(r"usage limits|spend(ing)? limit", re.IGNORECASE)

STATUSES = {  # what a status means, what comes next, whose it is
    401: ("the key was refused", "export ANTHROPIC_API_KEY with a key that is valid", OURS),
    402: ("the account has no credit", f"add credit or mend the payment in {access.CONSOLE}", OURS),
    403: ("the key may not do this", f"see its workspace and models in {access.CONSOLE}, or use another key", OURS),
    404: ("there is no such address", "unset ANTHROPIC_BASE_URL, or mend it", OURS),
    413: ("the request is too large", "send less", AGENTS),
    500: ("the API failed", "wait a minute, then run this again", THEIRS),
    504: ("the API took too long", "wait a minute, then run this again", THEIRS),
    529: ("the API is overloaded", "wait some minutes, then run this again", THEIRS),
}

OK = 200
NETWORK = "see to the network, the proxy and ANTHROPIC_BASE_URL, then run this again."
NOT_OFFERED = "this model is not offered (any more)"
STRANGER = (
    "what answered is not the API",
    "see to the network (a page to log in at, a proxy), and unset ANTHROPIC_BASE_URL, or mend it",
    OURS,
)


def told(error: BaseException) -> Problem:
    """The Problem that an error of the SDK's or of httpx2's comes to; the key stands in none."""
    status = getattr(error, "status_code", None)
    if status is None:
        return _of_connection(error)
    body = getattr(error, "body", None)
    headers: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
    return of_reply(status, body if isinstance(body, dict) else {}, waiting.asked_s(headers))


def of_reply(status: int, reply: Mapping[str, Any], wait_s: float | None = None) -> Problem:
    """The same of a failed answer's status and envelope, and of the wait that it asks for."""
    error = reply.get("error")
    kind, message = (error.get("type"), error.get("message")) if isinstance(error, dict) else (None, None)
    what, act, whose = _meaning(status, str(message or ""), wait_s)
    said = f"{status} {kind}: {_line(str(message))}" if message else f"{status}, and not in the API's form"
    if not message and whose == AGENTS:
        what, act, whose = STRANGER
    return Problem(f"{what}: {access.host()} answered {said}", access.hide(f"{act}."), exit_code=whose)


def of_cut() -> Problem:
    """The same of a stream that ended in good order, but before its message."""
    return Problem(f"{access.host()} cut its answer off.", NETWORK, exit_code=THEIRS)


def _meaning(status: int, message: str, wait_s: float | None) -> tuple[str, str, int]:
    if status in (400, 402, 403) and NO_CREDIT.search(message):
        return STATUSES[402]
    if status in (400, 429) and OWN_LIMIT.search(message):
        return "a spending limit is reached", f"raise it in {access.CONSOLE}, or wait for the day that is named", OURS
    if status == 404 and message.startswith("model"):
        return NOT_OFFERED, f"name another in the agent, such as one of: {others(message)}", AGENTS
    if status == 429:
        after = counted(ceil(wait_s), "seconds") if wait_s else "a minute"
        return "too many requests for this key's limits", f"wait {after}, then run this again", THEIRS
    return STATUSES.get(status) or _of_its_kind(status)


def others(message: str) -> str:
    """Models to name instead of one that was refused."""
    refused = {family(word.strip("'\"`.,")) for word in message.split()}
    return ", ".join(row["model"] for row in prices.table()["models"] if row["model"] not in refused)


def _of_its_kind(status: int) -> tuple[str, str, int]:
    if 400 <= status < 500:
        return "the request was refused", "mend the request; askless rules says what the API refuses", AGENTS
    return STATUSES[500] if status >= 500 else STRANGER if status == OK else STATUSES[404]


def _of_connection(error: BaseException) -> Problem:
    """What broke the connection; the SDK's error has httpx2's as its cause."""
    cause = error.__cause__ if isinstance(error.__cause__, httpx2.HTTPError) else error
    where, act = access.host(), NETWORK
    if isinstance(cause, httpx2.TimeoutException):
        return Problem(f"{where} gave no answer in time.", act, exit_code=THEIRS)
    if isinstance(cause, httpx2.ConnectError | httpx2.ProxyError):
        return Problem(f"{where} cannot be reached: {_line(str(cause))}", act, exit_code=THEIRS)
    return Problem(f"the connection to {where} broke: {_line(str(cause))}", act, exit_code=THEIRS)


def _line(text: str) -> str:
    """A stranger's words as one line that ends like a sentence, without the key."""
    words = "".join(sign if sign.isprintable() else " " for sign in access.hide(text))
    line = " ".join(words.split())[:SHOWN_CHARS]
    return line if line.endswith((".", "!", "?")) else f"{line}."
