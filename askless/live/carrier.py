"""A request carried to the real API and its answer carried back: the key goes on the way out, and never comes back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import httpx2

from askless.errors import Problem
from askless.live import failure
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
        return self._answered(response)

    def _answered(self, response: httpx2.Response) -> Carried:
        body = self._access.hide_in(response.content)
        headers = {
            name: self._access.hide(value) for name, value in response.headers.items() if name.startswith(RETURNED)
        }
        meant, reply = _read(response, body)
        failed = None if meant == OK else failure.of_reply(meant, reply, headers.get("retry-after"))
        return Carried(response.status_code, headers, body, meant, reply, failed)


def _read(response: httpx2.Response, body: bytes) -> tuple[int, dict[str, Any]]:
    """What an answer says; of a stream that is none of the API's only the status is kept."""
    try:
        return read_reply(response, body)
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
        return response.status_code, {}
