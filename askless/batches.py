"""Message batches: requests handed in together, answered later, at half the price (catalog: batches).

A batch ends when it has been asked for often enough; each time an equal share of
its simulated hour passes. What it ends with comes in an order of its own.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any
from urllib.parse import parse_qs

from askless import answer
from askless.answer import LINES, Answer
from askless.api import batch as body
from askless.api.conversation import Request
from askless.api.latency import BATCH_S
from askless.api.rules import Refusal, refuse
from askless.api.wire import Wire
from askless.backend import OK, Backend
from askless.model.replay import Replay
from askless.record import Exchange

PATH = "/v1/messages/batches"
POLLS = 2  # the retrieval that finds a batch ended, which is the lab's choice
RUN_BEGINS = datetime(2026, 1, 1, tzinfo=UTC)  # no clock: a run begins at the same time on every machine
EXPIRES_AFTER = timedelta(hours=24)  # catalog: sdk-batch-expiry
LISTED = 20  # a page of the list, where its length is not asked for
LISTED_AT_MOST = 1000

Json = dict[str, Any]


@dataclass
class _Batch:
    """One batch. `polls` counts the times that it was asked for while it ran."""

    id: str
    requests: list[Json]
    created_s: float
    polls: int = 0
    canceled_s: float | None = None
    ended_s: float | None = None
    results: list[Json] = field(default_factory=list)

    def described(self) -> Json:
        """As the API shows it. The address of its results is relative: the SDK knows to where."""
        ended = self.ended_s is not None
        return {
            "id": self.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress" if self.canceled_s is None else "canceling",
            "request_counts": self._counts(),
            "created_at": _time(self.created_s),
            "expires_at": _time(self.created_s + EXPIRES_AFTER.total_seconds()),
            "cancel_initiated_at": _time(self.canceled_s),
            "ended_at": _time(self.ended_s),
            "archived_at": None,
            "results_url": f"{PATH}/{self.id}/results" if ended else None,
        }

    def _counts(self) -> Json:
        """How many requests came to what; all are being processed until the whole batch has ended."""
        kinds = [line["result"]["type"] for line in self.results]
        counts = {kind: kinds.count(kind) for kind in ("succeeded", "errored", "canceled", "expired")}
        return {"processing": len(self.requests) - len(kinds), **counts}


class Batches:
    """The batches of one service. Its owner keeps other threads out."""

    def __init__(self, backend: Backend | Replay) -> None:
        self._backend = backend
        self._wire = Wire()
        self._batches: dict[str, _Batch] = {}
        self._made = 0

    @property
    def pending(self) -> int:
        """How many requests were handed in and wait for their batch to end."""
        return sum(len(batch.requests) for batch in self._batches.values() if batch.ended_s is None)

    def serve(self, method: str, path: str, data: bytes) -> Answer:
        """Answer one request under /v1/messages/batches."""
        place, _, query = path.partition("?")
        match method, place.removeprefix(PATH).split("/"):
            case "POST", [""]:
                return self._create(data)
            case "GET", [""]:
                return self._list(query)
            case _, ["", id_, *step] if act := self._act(method, step):
                found = self._batches.get(id_)
                return act(found) if found else answer.of_refusal(refuse("batch-lost", id=id_))
        return answer.not_found(path)

    def _act(self, method: str, step: list[str]) -> Callable[[_Batch], Answer] | None:
        """What is asked of one batch; None for what nobody can ask."""
        acts = {
            "GET": self._retrieve,
            "DELETE": self._delete,
            "POST cancel": self._cancel,
            "GET results": self._results,
        }
        return acts.get(" ".join([method, *step]))

    def _create(self, data: bytes) -> Answer:
        try:
            fields = self._wire.read(data).body
        except ValueError as error:
            return answer.of_refusal(refuse("body-unreadable", reason=str(error)))
        fault = body.refusal(fields)
        return answer.of_refusal(fault, Request.of(fields)) if fault else self._begin(fields["requests"], data)

    def _begin(self, requests: list[Json], data: bytes) -> Answer:
        self._made += 1
        id_ = f"msgbatch_{_digest(str(self._made), data)}"
        self._batches[id_] = made = _Batch(id_, requests, self._backend.now_s)
        return answer.of_json(made.described())

    def _retrieve(self, batch: _Batch) -> Answer:
        exchanges: tuple[Exchange, ...] = ()
        if batch.ended_s is None:
            batch.polls += 1
            self._backend.now_s += BATCH_S / POLLS
            if batch.polls >= POLLS or batch.canceled_s is not None:
                exchanges = self._end(batch)
        return answer.of_json(batch.described(), exchanges)

    def _end(self, batch: _Batch) -> tuple[Exchange, ...]:
        """Answer the requests whose turn came before the batch was canceled, all of them where it was not."""
        turns = batch.polls if batch.canceled_s is None else batch.polls - 1
        count = len(batch.requests) * min(turns, POLLS) // POLLS
        asked = [Request.of(each["params"]) for each in batch.requests[:count]]
        exchanges = tuple(self._backend.answer_batched(request, batch.id) for request in asked)
        results = [*map(_result, exchanges), *({"type": "canceled"} for _ in batch.requests[count:])]
        lines = [
            {"custom_id": each["custom_id"], "result": result}
            for each, result in zip(batch.requests, results, strict=True)
        ]
        batch.results = sorted(lines, key=lambda line: _digest(batch.id, line["custom_id"].encode()))
        batch.ended_s = self._backend.now_s
        return exchanges

    def _cancel(self, batch: _Batch) -> Answer:
        if batch.ended_s is not None:
            return answer.of_refusal(refuse("batch-ended", id=batch.id))
        if batch.canceled_s is None:
            batch.canceled_s = self._backend.now_s
        return answer.of_json(batch.described())

    def _delete(self, batch: _Batch) -> Answer:
        if batch.ended_s is None:
            return answer.of_refusal(refuse("batch-running", id=batch.id))
        del self._batches[batch.id]
        return answer.of_json({"id": batch.id, "type": "message_batch_deleted"})

    def _results(self, batch: _Batch) -> Answer:
        if batch.ended_s is None:
            return answer.of_refusal(refuse("batch-running", id=batch.id))
        lines = "".join(json.dumps(line) + "\n" for line in batch.results)
        return Answer(OK, answer.headers({"id": batch.id}, LINES), lines.encode())

    def _list(self, query: str) -> Answer:
        """A page of the list, the newest first."""
        asked = {name: values[-1] for name, values in parse_qs(query).items()}
        most = asked.get("limit", str(LISTED))
        if not re.fullmatch("[1-9][0-9]{0,3}", most) or int(most) > LISTED_AT_MOST:
            return answer.of_refusal(_unlisted("limit", f"from 1 to {LISTED_AT_MOST}"))
        ids = list(reversed(self._batches))
        for name in ("after_id", "before_id"):
            if name in asked and asked[name] not in ids:
                return answer.of_refusal(_unlisted(name, "the id of a batch"))
        return answer.of_json(self._page(ids, int(most), asked.get("after_id"), asked.get("before_id")))

    def _page(self, ids: list[str], limit: int, after: str | None, before: str | None) -> Json:
        start = ids.index(after) + 1 if after else 0
        end = ids.index(before) if before else len(ids)
        start = max(start, end - limit) if before else start
        shown = ids[start:end][:limit]
        return {
            "data": [self._batches[id_].described() for id_ in shown],
            "has_more": (start > 0) if before else start + len(shown) < len(ids),
            "first_id": shown[0] if shown else None,
            "last_id": shown[-1] if shown else None,
        }


def _unlisted(name: str, expected: str) -> Refusal:
    return refuse("field-value", name, expected=expected)


def _result(exchange: Exchange) -> Json:
    if exchange.status == OK:
        return {"type": "succeeded", "message": exchange.reply}
    return {"type": "errored", "error": exchange.reply}


def _time(seconds: float | None) -> str | None:
    """A simulated time as the API writes times."""
    return None if seconds is None else (RUN_BEGINS + timedelta(seconds=seconds)).isoformat()


def _digest(salt: str, data: bytes) -> str:
    return blake2b(data, key=salt.encode(), digest_size=12).hexdigest()
