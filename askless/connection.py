"""uvicorn's connection to a client, bounded in what uvicorn leaves to a proxy: slow clients and endless heads."""

import asyncio
import re

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 64 * 1024
ABORT = "askless.abort"  # among the extensions of a request: breaks its connection

_upgrade = re.compile(rb"\r\nupgrade:[^\r\n]*", re.IGNORECASE)


class Connection(HttpToolsProtocol):
    """One client's connection. A request, and the taking of a response, may last as long as uvicorn lets a client idle.

    No client is asked to speak another protocol because it offers to: uvicorn would lose the body of such a request
    (its issue 2722), and every Java client's first one is such.
    """

    _deadline: asyncio.TimerHandle | None = None
    _between = True  # two requests
    _in_head = False
    _head_bytes = 0  # but for the first piece

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is here."""
        super().connection_made(transport)  # type: ignore[arg-type]  # as uvicorn narrows it
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """A client is gone."""
        super().connection_lost(exc)
        if self._deadline:
            self._deadline.cancel()

    def data_received(self, data: bytes) -> None:
        """Something came. Of a head, the parser would collect any length."""
        if self._in_head:
            self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES:
            self.send_400_response(f"The headers are over {HEAD_BYTES:,} bytes long.")
        else:
            super().data_received(_without_upgrade(data) if self._between else data)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.scope["extensions"] = {ABORT: {"now": self.transport.abort}}
        self._between, self._in_head, self._head_bytes = False, True, 0
        self._wait()

    def on_headers_complete(self) -> None:
        """Its head is whole."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It is whole itself."""
        self._between = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Its response was written, but may not have been taken."""
        super().on_response_complete()
        self._wait()

    def resume_writing(self) -> None:
        """A response was taken."""
        super().resume_writing()
        self._wait()

    def shutdown(self) -> None:
        """The server stops."""
        self.transport.abort()

    def _wait(self) -> None:
        """From here on the client has its time anew."""
        if self._deadline:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(self.timeout_keep_alive, self.transport.abort)


def _without_upgrade(data: bytes) -> bytes:
    end = data.find(b"\r\n\r\n")
    found = _upgrade.search(data, 0, end if end >= 0 else len(data))
    return data[: found.start()] + data[found.end() :] if found else data
