"""A small model, and the requests and checks that the tests of the service and its clients share."""

import json
from typing import Any

from bodies import call, page_bodies, sent

from askless.api.conversation import Request
from askless.model import Model, Reply
from askless.service import Answer, Service

HEADERS = {"x-api-key": "sk-ant-secret", "anthropic-version": "2026-10-21"}
ASKED = [call(1, "get_orders", customer_id="C1"), call(2, "get_orders", customer_id="C2")]
LOOK = Reply(({"type": "text", "text": "I look up both of them, one after the other."}, *ASKED), "tool_use")
DONE = Reply(({"type": "text", "text": "C1: no open orders.\nC2: “none” either."},), "end_turn")


def saying(*replies: Reply) -> Model:
    """A model that says these in turn, then the last one for ever: which one, it counts in the request."""

    def reply(request: Request) -> Reply:
        turn = sum(message["role"] == "assistant" for message in request.messages)
        return replies[min(turn, len(replies) - 1)]

    return reply


MODEL = saying(LOOK, DONE)


def first_body(**fields: Any) -> dict[str, Any]:
    """The page's first request."""
    return {**page_bodies()[0], **fields}


def post(service: Service, body: object, path: str = "/v1/messages", **headers: str) -> Answer:
    """A body posted as the SDK would."""
    return service.post(path, {**HEADERS, **headers}, body if isinstance(body, bytes) else sent(body))


def reply_of(answer: Answer) -> dict[str, Any]:
    """What an answer's bytes say."""
    reply: dict[str, Any] = json.loads(answer.body)
    return reply
