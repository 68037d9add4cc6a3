"""The real API in the place of a service, within a budget.

No request is tried again here: the agent's own client does that, and each attempt
is an exchange of its own.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import RLock

from askless import answer
from askless.answer import Answer
from askless.api import parts, rules
from askless.api.conversation import Request
from askless.api.parts import as_json
from askless.api.wire import Wire
from askless.errors import Problem
from askless.live import ceiling, usage, waiting
from askless.live.carrier import OK, Carried, Carrier
from askless.live.ceiling import Ceiling, UnboundError
from askless.live.failure import AGENTS
from askless.live.purse import Purse
from askless.record import Exchange
from askless.service import MESSAGES
from askless.threads import ThreadError, Threads
from askless.trace import NO_RESPONSE

COUNT = f"{MESSAGES}/count_tokens"
COUNTED = ("cache_control", "messages", "model", "output_config", "system", "thinking", "tool_choice", "tools")
MORE = "give it more, such as --budget {budget:g}, or let the agent ask for less: fewer requests, a smaller max_tokens."
UNSENT = 403  # the status of the answer to a request that is kept back; no client tries it again


@dataclass(frozen=True)
class Attempt:
    """One request that went out, be it a first or a further attempt, and what is known of it."""

    exchange: Exchange
    usd: float  # by the usage that came back, else the most that it can have cost
    counted_tokens: int | None  # what count_tokens said of it
    spent_usd: float  # with all before it

    @property
    def estimated_tokens(self) -> int:
        """Characters divided by four."""
        return parts.input_tokens(self.exchange.request)


def _nobody(_: Attempt) -> None:
    """Hears of nothing."""


class Upstream:
    """The real API behind the paths whose costs are known beforehand: messages, and counting tokens, which is free.

    `tell` hears of each message that was asked for. Once it `is_over`, the run is to end.
    """

    def __init__(
        self,
        carrier: Carrier,
        purse: Purse,
        *,
        count_tokens: bool = False,
        tell: Callable[[Attempt], None] = _nobody,
    ) -> None:
        self.lock = RLock()
        self.unsent: Problem | None = None  # why a request was kept back
        self.given_up: Problem | None = None  # a failure after which a client would wait too long
        self.failure: Problem | None = None  # of the last request, where it failed
        self._carrier = carrier
        self._purse = purse
        self._counts = count_tokens
        self._tell = tell
        self._wire = Wire()
        self._threads = Threads()

    @property
    def is_over(self) -> bool:
        """Whether nothing more can come of the run."""
        return bool(self.unsent or self.given_up)

    def close(self) -> None:
        """The run has ended: nobody is told of what is still under way."""
        with self.lock:
            self._tell = _nobody

    def new_bytes(self, data: bytes) -> int:
        """All of a body: it goes on as it is."""
        return len(data)

    @property
    def pending(self) -> int:
        """None: batches are not let through."""
        return 0

    def serve(self, method: str, path: str, headers: Mapping[str, str], data: bytes) -> Answer:
        """Answer one request, after as long as the real API takes."""
        path, data = path.removesuffix("?"), self._carrier.hide_in(data)
        match method, path.partition("?")[0]:
            case "POST", "/v1/messages":
                return self._message(path, headers, data)
            case "POST", "/v1/messages/count_tokens":
                return _passed(self._carrier.carry(method, path, headers, data), None)
        why = f"what {method} {path.partition('?')[0]} costs is not known beforehand"
        return self._keep_back(why, "let the agent do without it: only messages, and counts of their tokens, are sent.")

    def _message(self, path: str, headers: Mapping[str, str], data: bytes) -> Answer:
        try:
            with self.lock:
                request = self._threads.expand(self._wire.read(data))
        except ValueError as error:
            return answer.of_refusal(rules.refuse("body-unreadable", reason=str(error)))
        except ThreadError as error:
            return answer.of_refusal(rules.refuse(error.rule, error.place, **error.values))
        counted = self._count(headers, request) if self._counts else None
        try:
            most = ceiling.of(request, counted)
        except UnboundError as unbound:
            return self._keep_back(str(unbound), "change that in the agent.")
        if not self._purse.hold(most.usd):
            return self._keep_back(self._over(most), MORE.format(budget=4 * self._purse.budget_usd))
        return self._within(most, counted, request, lambda: self._carrier.carry("POST", path, headers, data))

    def _count(self, headers: Mapping[str, str], request: Request) -> int | None:
        """What count_tokens says of a request; None where it says nothing."""
        counted = {name: value for name, value in request.body.items() if name in COUNTED}
        said = self._carrier.carry("POST", COUNT, headers, as_json(counted).encode("utf-8", "surrogatepass"))
        return said.reply["input_tokens"] if said.failure is None else None

    def _within(self, most: Ceiling, counted: int | None, request: Request, carry: Callable[[], Carried]) -> Answer:
        """Send a request whose costs are set aside, and note what came of it."""
        usd: float | None = None
        try:
            carried = carry()
            model = str(request.fields.get("model"))
            usd = cost_usd(carried, model)
        finally:
            usd = self._purse.settle(most.usd, usd)
        told = usage.kept(model, carried.reply)
        exchange = Exchange(request, carried.meant, told, retry_after_s=waiting.asked_s(carried.headers))
        with self.lock:
            self._note(carried, request)
            self._tell(Attempt(exchange, usd, counted, self._purse.spent_usd))
        return _passed(carried, exchange)

    def _note(self, carried: Carried, request: Request) -> None:
        """What an answer means for those after it."""
        self.failure = carried.failure
        if carried.failure is None:
            self._threads.keep(request, carried.reply)
        elif (waiting.wait_s(carried.headers) or 0.0) > waiting.LONGEST_S:
            self.given_up = self.given_up or carried.failure

    def _over(self, most: Ceiling) -> str:
        budget, left = self._purse.budget_usd, max(0.0, self._purse.left_usd)
        return f"the next request may cost up to ${most.usd:.4f}, and ${left:.4f} of ${budget:g} are left"

    def _keep_back(self, why: str, act: str) -> Answer:
        self.unsent = self.unsent or Problem(f"a request was not sent: {why}.", act, exit_code=AGENTS)
        said = {"type": "permission_error", "message": f"askless did not send this request: {why}"}
        body = json.dumps({"type": "error", "error": said}).encode()
        return Answer(UNSENT, {"content-type": answer.JSON}, body)


def _passed(carried: Carried, exchange: Exchange | None) -> Answer:
    return Answer(carried.status, carried.headers, carried.body, exchange)


def cost_usd(carried: Carried, model: str) -> float | None:
    """US dollars; None for a reply that was lost or cut off, whose costs nobody told. A refused request is free."""
    if carried.never_left or (carried.status not in (OK, NO_RESPONSE)):
        return 0.0
    whole = carried.meant == OK and carried.reply.get("stop_reason") is not None
    return usage.cost_usd(model, carried.reply) if whole else None
