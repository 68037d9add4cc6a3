"""A model behind the rules of the Messages API: full requests in, exchanges out.

What the real service remembers between two requests of a run is here: the entries
of the prompt cache, and the time. Time is simulated (api/latency.py), so that
nothing waits; a planned fault's delay passes in no time, too.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from askless.api import parts, rules
from askless.api.cache import Charge, Meter
from askless.api.conversation import Message, Request
from askless.api.faults import NO_FAULTS, Fault, Plan
from askless.api.latency import reply_s, retry_s
from askless.api.prices import BATCH, terms
from askless.model import Model, Reply
from askless.model.cut import fit
from askless.model.spoiled import spoiled
from askless.record import Exchange
from askless.trace import NO_RESPONSE

OK = 200

# Families and shape of the ids that SDK 2.14 lists (2026-11). A list of whole ids would refuse next month's model; any
# `claude-…` would let a misspelt name pass here that the API does not know.
MODEL = re.compile(r"claude-(fable|haiku|mythos|opus|sonnet)-([4-9]|\d\d|preview)(-\d\d?)?(-\d{8})?")


class Backend:
    """Answers full requests one at a time; its owner keeps other threads out.

    `strict_backend` refuses split tool results as some compatible services do. Without
    `windows` a prompt may be longer than its model's context window, which the
    measuring of growth needs. `faults` go by the number of the request.
    """

    def __init__(
        self, model: Model, *, strict_backend: bool = False, windows: bool = True, faults: Plan = NO_FAULTS
    ) -> None:
        self.now_s = 0.0  # simulated, since the run began
        self._model = model
        self._strict_backend = strict_backend
        self._windows = windows
        self._faults = faults
        self._meter = Meter()
        self._refused: dict[str, Fault] = {}  # texts that a refusal broke off, with what was planned
        self._requests = 0
        self._failures = 0  # in a row

    def next_fault(self) -> Fault | None:
        """Count a request, whatever becomes of it; what is planned for it."""
        self._requests += 1
        return self._faults.at(self._requests)

    def answer(self, request: Request, fault: Fault | None = None) -> Exchange:
        """What the API makes of a full request: a refusal by its rules, the fault, or the model's reply."""
        exchange = self._exchange(request, fault)
        self._pass_time(exchange)
        return exchange

    def answer_batched(self, request: Request, batch: str) -> Exchange:
        """What the API makes of one request of a message batch; the batch's time is not counted here."""
        refusal = self.refusal(request) or _unbatchable(request)
        if refusal:
            return Exchange(request, refusal.status, refusal.envelope(request_id(request)), batch=batch)
        return Exchange(request, OK, self._message(request, None, tier=BATCH), batch=batch)

    def refusal(self, request: Request, *, counting: bool = False) -> rules.Refusal | None:
        """Why a request is refused; `counting` is for token counting, which takes fewer fields and any length."""
        refusal = rules.refusal(request, strict_backend=self._strict_backend, counting=counting)
        return refusal or _unknown_model(request) or (None if counting else self._too_long(request))

    def _exchange(self, request: Request, fault: Fault | None) -> Exchange:
        refusal = self.refusal(request)
        if refusal:
            return refused(request, refusal)
        if fault is None:
            return Exchange(request, OK, self._message(request, None))
        return self._faulty(request, fault)

    def _faulty(self, request: Request, fault: Fault) -> Exchange:
        if fault.kind == "drop":
            return Exchange(request, NO_RESPONSE, {}, fault.delay_s)
        if fault.status is not None:
            envelope = fault.envelope(request_id(request))
            return Exchange(request, fault.status, envelope, fault.delay_s, fault.wait_s)
        return Exchange(request, OK, self._message(request, fault), fault.delay_s)

    def _message(self, request: Request, fault: Fault | None, tier: str = "standard") -> dict[str, Any]:
        reply = self._model(request)
        if self._windows:
            reply = _within_window(reply, request)
        fault = fault or self._refused_before(request)
        if fault is not None:
            reply = spoiled(reply, fault, request)
            self._note_refused(reply, fault)
        return _message(request, reply, self._meter.charge(request, self.now_s), tier)

    def _note_refused(self, reply: Reply, fault: Fault) -> None:
        texts = [block["text"] for block in reply.content if block.get("type") == "text"]
        self._refused.update(dict.fromkeys(texts if fault.kind == "refusal" else (), fault))

    def _refused_before(self, request: Request) -> Fault | None:
        """What is said once more to a conversation that still holds a refused reply (catalog: refusal-reset)."""
        said = (_texts(message) for message in request.messages if self._refused and message.get("role") == "assistant")
        fault = next((self._refused[text] for texts in said for text in texts if text in self._refused), None)
        return fault and replace(fault, after_output=False)

    def _too_long(self, request: Request) -> rules.Refusal | None:
        known = terms(request.fields["model"]) if self._windows else None
        tokens = parts.input_tokens(request)
        if known is None or tokens <= known.window_tokens:
            return None
        return rules.refuse("prompt-long", tokens=tokens, most=known.window_tokens)

    def _pass_time(self, exchange: Exchange) -> None:
        """The next request comes once this one is answered, and a retry as late as it was told to."""
        failed = exchange.status != OK
        self._failures = self._failures + 1 if failed else 0
        wait_s = retry_s(self._failures, exchange.retry_after_s) if failed else 0.0
        self.now_s += exchange.delay_s + reply_s(exchange.reply.get("usage") or {}) + wait_s


def _texts(message: Message) -> Iterator[str]:
    """What a message says, be it one text or blocks."""
    content = message.get("content")
    for block in content if isinstance(content, list) else [{"text": content}]:
        if isinstance(block, dict) and isinstance(block.get("text"), str):
            yield block["text"]


def request_id(request: Request) -> str:
    """The id of a request: the same for the same body, so that a trace is the same each time."""
    return f"req_{parts.digest(request)}"


def refused(request: Request, refusal: rules.Refusal) -> Exchange:
    """The exchange of a request that is refused."""
    return Exchange(request, refusal.status, refusal.envelope(request_id(request)))


def _message(request: Request, reply: Reply, charge: Charge, tier: str) -> dict[str, Any]:
    """A reply as the API's message; its id is a function of the request."""
    return {
        "id": f"msg_{parts.digest(request)}",
        "type": "message",
        "role": "assistant",
        "model": request.fields["model"],
        "content": list(reply.content),
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "stop_details": reply.stop_details,
        "usage": {
            **charge.usage,
            "output_tokens": parts.tokens(reply.chars),
            "service_tier": tier,
        },
    }


def _unknown_model(request: Request) -> rules.Refusal | None:
    name = request.fields["model"]
    return None if MODEL.fullmatch(name) else rules.refuse("model-unknown", "model", model=name)


def _within_window(reply: Reply, request: Request) -> Reply:
    """The reply, cut where prompt and reply together fill the window (catalog: context-window-exceeded)."""
    known = terms(request.fields["model"])
    left = known.window_tokens - parts.input_tokens(request) if known else request.fields["max_tokens"]
    if request.fields["max_tokens"] <= left:
        return reply
    cut = fit(reply.content, {"max_tokens": left}, request.fields.get("tools") or [])
    return Reply(cut.content, "model_context_window_exceeded") if cut.stop_reason == "max_tokens" else reply


def _unbatchable(request: Request) -> rules.Refusal | None:
    """What only a batch refuses (catalog: batches)."""
    if request.fields.get("stream"):
        return rules.refuse("batch-stream", "stream")
    return rules.refuse("batch-max-tokens", "max_tokens") if request.fields["max_tokens"] == 0 else None
