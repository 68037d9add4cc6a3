"""A request carried to the real API and its answer carried back: the key goes on the way out, and never comes back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import httpx2

from askless.errors import Problem
from askless.live import failure, waiting
from askless.live.access import Access
from askless.tap import read_reply
from askless.trace import NO_RESPONSE

CONNECT_S = 10.0
OK = 200

SENT = ("anthropic-beta", "anthropic-version", "content-type", "idempotency-key", "user-agent")
RETURNED = ("anthropic-", "content-type", "request-id", "retry-after", "x-should-retry")  # and those that begin so


@dataclass(frozen=True)
class Carried:
    """An answer. Its `status` is NO_RESPONSE where the connection broke; `never_left` where none was made."""

    status: int  # HTTP
    headers: Mapping[str, str]
    body: bytes
    meant: int  # the status that it comes to: an error inside a stream has sent its 200 before
    reply: dict[str, Any]
    failure: Problem | None = None
    never_left: bool = False


class Carrier:
    """A way to the real API that tries nothing again; safe to share between threads."""

    def __init__(self, access: Access, timeout_s: float) -> None:
        self._access = access
        self._http = httpx2.Client(timeout=httpx2.Timeout(timeout_s, connect=CONNECT_S))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def hide_in(self, data: bytes) -> bytes:
        """What an agent sends, without the key, should it hold the key."""
        return self._access.hide_in(data)

    def carry(self, method: str, path: str, headers: Mapping[str, str], data: bytes) -> Carried:
        """Send a request as it is, with the key in the place of any other; wait for the whole answer."""
        own = {"x-api-key": self._access.key, "accept-encoding": "identity"}
        kept = {name: headers[name] for name in SENT if name in headers}
        try:
            response = self._http.request(
                method, f"{self._access.base_url}{path}", headers={**kept, **own}, content=data
            )
        except httpx2.HTTPError as error:
            left = not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
            return Carried(NO_RESPONSE, {}, b"", NO_RESPONSE, {}, failure.told(error), never_left=not left)
        return self._answered(path, response)

    def _answered(self, path: str, response: httpx2.Response) -> Carried:
        body = self._access.hide_in(response.content)
        headers = {
            name: self._access.hide(value) for name, value in response.headers.items() if name.startswith(RETURNED)
        }
        meant, reply = _read(response, body)
        reply = self._access.hide_all(reply)  # pieces of a stream, put together
        failed = _failure(path, meant, reply, headers)
        return Carried(response.status_code, headers, body, meant, reply, failed)


def _failure(path: str, meant: int, reply: dict[str, Any], headers: Mapping[str, str]) -> Problem | None:
    """What an answer comes to that is not as it should be."""
    fine = meant == OK and (_is_count(reply) if "count_tokens" in path else _is_message(reply))
    if not fine:
        return failure.of_reply(meant, reply, waiting.asked_s(headers))
    return failure.of_cut() if reply.get("stop_reason", "") is None else None


def _is_message(reply: dict[str, Any]) -> bool:
    """Whether a reply is shaped like one."""
    content = reply.get("content")
    if reply.get("type") != "message" or not isinstance(reply.get("id"), str) or not isinstance(content, list):
        return False
    return all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content)


def _is_count(reply: dict[str, Any]) -> bool:
    """Whether it says how many tokens."""
    return type(reply.get("input_tokens")) is int and reply["input_tokens"] >= 0


def _read(response: httpx2.Response, body: bytes) -> tuple[int, dict[str, Any]]:
    """What an answer says; of a stream that is none of the API's only the status is kept."""
    try:
        return read_reply(response, body)
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
        return response.status_code, {}
