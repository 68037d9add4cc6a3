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
from askless.api import parts, prices, rules
from askless.api.conversation import Request
from askless.api.parts import as_json
from askless.api.wire import Wire
from askless.errors import Problem
from askless.live import ceiling
from askless.live.carrier import OK, Carried, Carrier
from askless.live.ceiling import Ceiling, UnboundError
from askless.live.purse import Purse
from askless.record import Exchange
from askless.service import MESSAGES
from askless.threads import ThreadError, Threads
from askless.trace import NO_RESPONSE

COUNT = f"{MESSAGES}/count_tokens"
COUNTED = ("cache_control", "messages", "model", "output_config", "system", "thinking", "tool_choice", "tools")
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


class Upstream:
    """The real API behind the paths whose costs are known beforehand: messages, and counting tokens, which is free.

    `tell` hears of each message that was asked for. Once `unsent` says why a request was kept back, the run is to end.
    """

    def __init__(
        self,
        carrier: Carrier,
        purse: Purse,
        *,
        count_tokens: bool = False,
        tell: Callable[[Attempt], None] = lambda _: None,
    ) -> None:
        self.lock = RLock()
        self.unsent: str | None = None
        self.failure: Problem | None = None  # of the last request, where it failed
        self._carrier = carrier
        self._purse = purse
        self._counts = count_tokens
        self._tell = tell
        self._wire = Wire()
        self._threads = Threads()

    def new_bytes(self, data: bytes) -> int:
        """All of a body: it goes on as it is."""
        return len(data)

    def serve(self, method: str, path: str, headers: Mapping[str, str], data: bytes) -> Answer:
        """Answer one request, after as long as the real API takes."""
        path = path.removesuffix("?")
        match method, path.partition("?")[0]:
            case "POST", "/v1/messages":
                return self._message(path, headers, data)
            case "POST", "/v1/messages/count_tokens":
                return _passed(self._carrier.carry(method, path, headers, data), None)
        return self._keep_back(f"what {method} {path.partition('?')[0]} costs is not known beforehand")

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
            return self._keep_back(str(unbound))
        if not self._purse.hold(most.usd):
            return self._keep_back(self._over(most))
        return self._within(most, counted, request, lambda: self._carrier.carry("POST", path, headers, data))

    def _count(self, headers: Mapping[str, str], request: Request) -> int | None:
        """What count_tokens says of a request; None where it says nothing."""
        counted = {name: value for name, value in request.body.items() if name in COUNTED}
        said = self._carrier.carry("POST", COUNT, headers, as_json(counted).encode("utf-8", "surrogatepass"))
        tokens = said.reply.get("input_tokens")
        return tokens if said.meant == OK and isinstance(tokens, int) else None

    def _within(self, most: Ceiling, counted: int | None, request: Request, carry: Callable[[], Carried]) -> Answer:
        """Send a request whose costs are set aside, and note what came of it."""
        usd: float | None = None
        try:
            carried = carry()
            exchange = Exchange(request, carried.meant, carried.reply, retry_after_s=_seconds(carried))
            usd = _cost(carried, exchange)
        finally:
            usd = self._purse.settle(most.usd, usd)
        self.failure = carried.failure
        with self.lock:
            if carried.meant == OK and {"id", "content"} <= carried.reply.keys():
                self._threads.keep(request, carried.reply)
        self._tell(Attempt(exchange, usd, counted, self._purse.spent_usd))
        return _passed(carried, exchange)

    def _over(self, most: Ceiling) -> str:
        budget, left = self._purse.budget_usd, self._purse.left_usd
        return f"the next request may cost up to ${most.usd:.4f}, and ${left:.4f} of ${budget:g} are left"

    def _keep_back(self, why: str) -> Answer:
        self.unsent = self.unsent or why
        said = {"type": "permission_error", "message": f"askless did not send this request: {why}"}
        body = json.dumps({"type": "error", "error": said}).encode()
        return Answer(UNSENT, {"content-type": answer.JSON}, body)


def _passed(carried: Carried, exchange: Exchange | None) -> Answer:
    return Answer(carried.status, carried.headers, carried.body, exchange)


def _seconds(carried: Carried) -> float | None:
    """What a failed answer said to wait."""
    said = carried.headers.get("retry-after", "")
    return float(said) if said.isdecimal() else None


def _cost(carried: Carried, exchange: Exchange) -> float | None:
    """US dollars; None for a reply that was lost or cut off, whose costs nobody told. A refused request is free."""
    if carried.never_left or (carried.status not in (OK, NO_RESPONSE)):
        return 0.0
    usage = exchange.reply.get("usage")
    whole = exchange.status == OK and exchange.reply.get("stop_reason") is not None
    return prices.cost_usd(str(exchange.request.fields.get("model")), usage) if whole and usage else None
