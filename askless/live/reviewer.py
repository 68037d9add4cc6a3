"""The real API as a reviewer: each request is asked for once, and only where the budget holds the most it can cost."""

from dataclasses import dataclass
from typing import Any

from askless.api.conversation import Request
from askless.api.prices import cost_usd
from askless.client import sdk
from askless.errors import Problem
from askless.live import ceiling, failure
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
        most_usd = ceiling.of(Request.of(body)).usd
        if not self.purse.hold(most_usd):
            left = f"${self.purse.left_usd:.4f} of ${self.purse.budget_usd:g} are left"
            seen = f"the next request may cost up to ${most_usd:.4f}, and {left}: it was not sent."
            raise Problem(seen, "give it more with --budget, or use --offline.")
        usd: float | None = None
        try:
            reply = self._answer(body)
            usd = cost_usd(str(body["model"]), reply.get("usage") or {})
        except sdk().APIStatusError as error:
            usd = 0.0  # what is refused is not billed
            raise _told(error) from None
        except sdk().APIError as error:
            raise _told(error) from None
        finally:
            self.purse.settle(most_usd, usd)
        return reply

    def _answer(self, body: dict[str, Any]) -> dict[str, Any]:
        with self.access.client(max_retries=0, timeout=TIMEOUT_S) as client:
            reply: dict[str, Any] = client.messages.create(**body).to_dict()
            return reply


def _told(error: Exception) -> Problem:
    """As of a live run; but what an agent's author mends there (a retired model, a refused request) is the lab's."""
    problem = failure.told(error)
    if problem.exit_code != failure.AGENTS:
        return problem
    return Problem(problem.seen, "make update, then this again; or use --offline.", exit_code=failure.THEIRS)
