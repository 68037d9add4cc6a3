"""The real API as a reviewer: each request is asked for once, and only where the budget holds the most it can cost."""

import json
from dataclasses import dataclass
from typing import Any

from askless.api.conversation import Request
from askless.client import sdk
from askless.errors import Problem
from askless.live import ceiling, failure, usage
from askless.live.access import Access
from askless.live.purse import Purse

TIMEOUT_S = 120.0


@dataclass(frozen=True)
class Reviewer:
    """Answers the body of a request with the API's message; a Problem says why it does not."""

    access: Access
    purse: Purse

    def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        """One request, which nobody tries again: what is paid for is what was agreed to."""
        most_usd = self._held(body)
        usd: float | None = None
        try:
            reply = self._answer(body)
            usd = usage.cost_usd(str(body["model"]), reply)
        except sdk().APIStatusError as error:
            usd = 0.0  # what is refused is not billed
            raise _told(error) from None
        except sdk().APIError as error:
            raise _told(error) from None
        finally:
            self.purse.settle(most_usd, usd)
        return reply

    def _held(self, body: dict[str, Any]) -> float:
        """The most that a request can cost, set aside. A Problem where it is not to be sent."""
        if json.dumps(self.access.key)[1:-1] in json.dumps(body):
            raise Problem("what you wrote holds your key: nothing was sent.", "delete it there, then run this again.")
        most_usd = ceiling.of(Request.of(body)).usd
        if not self.purse.hold(most_usd):
            left = f"${self.purse.left_usd:.4f} of ${self.purse.budget_usd:g} are left"
            seen = f"the next request may cost up to ${most_usd:.4f}, and {left}: it was not sent."
            raise Problem(seen, "give it more with --budget, or use --offline.")
        return most_usd

    def _answer(self, body: dict[str, Any]) -> dict[str, Any]:
        with self.access.client(max_retries=0, timeout=TIMEOUT_S) as client:
            answer = client.messages.with_raw_response.create(**body).http_response
        try:
            reply = json.loads(answer.content)
        except (ValueError, RecursionError):
            reply = None
        if not _is_message(reply):
            raise failure.of_reply(answer.status_code, {})
        message: dict[str, Any] = reply
        return message


def _is_message(reply: Any) -> bool:
    blocks = reply.get("content") if isinstance(reply, dict) else None
    return isinstance(blocks, list) and all(
        isinstance(block, dict) and isinstance(block.get("text", ""), str) for block in blocks
    )


def _told(error: Exception) -> Problem:
    """As of a live run; but what an agent's author mends there (a retired model, a refused request) is the lab's."""
    problem = failure.told(error)
    if problem.exit_code != failure.AGENTS:
        return problem
    return Problem(problem.seen, "make update, then this again; or use --offline.", exit_code=failure.THEIRS)
