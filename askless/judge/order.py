"""The exchanges of a run, in an order that no clock decides."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

from askless.api.conversation import Request
from askless.api.parts import as_json
from askless.api.wire import Wire
from askless.record import Exchange, Recorder
from askless.trace import Trace

CALL_NUMBER = re.compile(r'"toolu_(\d{1,18})_')  # calls are numbered along a conversation


class Ordered(Recorder):
    """Requests that each add to the one before stay as they came, and others are put in order by their bodies.

    Which of two that an agent sent at once came first is chance.
    """

    def __init__(self) -> None:
        super().__init__()
        self._exchanges: list[Exchange] = []

    def record(self, exchange: Exchange) -> None:
        """Note one exchange."""
        super().record(exchange)
        self._exchanges.append(exchange)

    def _one_by_one(self) -> bool:
        """Whether each request added to the one before, or was the same again."""
        return all(_follows(*pair) for pair in pairwise(exchange.request for exchange in self._exchanges))

    def trace(self, **about: Any) -> Trace:
        """What was recorded."""
        if self._one_by_one():
            return super().trace(**about)
        recorder, wire = Recorder(), Wire()
        for exchange in sorted(self._exchanges, key=_place):
            request = wire.read(json.dumps(exchange.request.body).encode())
            recorder.record(replace(exchange, request=request))
        return recorder.trace(**about)


def _follows(earlier: Request, later: Request) -> bool:
    added = later.length - earlier.length
    return later.conversation is earlier.conversation and (added > 0 or (not added and later.frame == earlier.frame))


def _place(exchange: Exchange) -> tuple[int, str, str]:
    """How far its conversation had come, then its body; a request stands before one that adds to it."""
    messages = as_json(exchange.request.messages)[:-1]
    return max(map(int, CALL_NUMBER.findall(messages)), default=0), messages, exchange.request.frame
