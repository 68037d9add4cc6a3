"""Who is let in, and how a path stands before the routes look at it."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from askless.serve.answers import RefusedError

STRANGERS = ("cross-site", "same-site")


class Threshold:
    """Lets no other site's page in, and leaves a path as it was sent: a run's name may hold a slash, encoded."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        try:
            self._check(Headers(scope=scope))
        except RefusedError as refusal:
            await refusal.response(scope, receive, send)
        else:
            scope["path"] = scope["raw_path"].decode("ascii")
            await self._app(scope, receive, send)

    def _check(self, headers: Headers) -> None:
        """A stranger's page in a browser here can reach this machine: under another name, or from another site."""
        host = ", ".join(headers.getlist("host")).lower()
        name, _, port = host.rpartition(":")
        if self._hosts and not {host, name if port.isdecimal() else host} & self._hosts:
            raise RefusedError(403, f"this server is not {host!r}", "use the address that it printed")
        if headers.get("sec-fetch-site") in STRANGERS:
            raise RefusedError(403, "another site's page asked for this", "open this server's own page")
