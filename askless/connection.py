"""uvicorn's connection to a client, bounded in what uvicorn leaves to a proxy: slow clients, endless heads, floods."""

import asyncio
from itertools import count

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

CONNECTIONS = 1000  # at a time
HEAD_BYTES = 64 * 1024
ABORT = "askless.abort"  # among the extensions of a request: breaks its connection

_turns = count()  # a loop's clock stands still while it takes in all that came at once


class Connection(HttpToolsProtocol):
    """One client's connection. A request, and the taking of a response, may last as long as uvicorn lets a client idle.

    Of too many connections the one that was silent longest gives way, so that nobody can keep others out by holding
    connections open; one that waits for its response stays.
    """

    _deadline: asyncio.TimerHandle | None = None
    _heard = 0  # the turn in which anything came last
    _in_head = False
    _head_bytes = 0  # but for the first piece

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is here."""
        super().connection_made(transport)  # type: ignore[arg-type]  # as uvicorn narrows it
        self._heard = next(_turns)
        self._wait()
        if len(self.connections) > CONNECTIONS:
            self._make_room()

    def _make_room(self) -> None:
        """One that is cut is among the connections until it knows."""
        known = (other for other in self.connections if isinstance(other, Connection))
        there = [other for other in known if not other.transport.is_closing()]
        if len(there) > CONNECTIONS:
            silent = [other for other in there if other._is_silent()]
            min(silent, key=lambda other: other._heard, default=self).transport.abort()

    def _is_silent(self) -> bool:
        """Whether nobody waits for a response here."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_lost(self, exc: Exception | None) -> None:
        """A client is gone."""
        super().connection_lost(exc)
        if self._deadline:
            self._deadline.cancel()

    def data_received(self, data: bytes) -> None:
        """Something came. Of a head, the parser would collect any length."""
        self._heard = next(_turns)
        self._unset_keepalive_if_required()
        if self._in_head:
            self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES:
            self.send_400_response(f"The headers are over {HEAD_BYTES:,} bytes long.")
            return
        try:
            self._feed(data)
        except (HttpParserError, HttpParserUpgrade):
            self.send_400_response("This is not HTTP.")

    def _feed(self, data: bytes) -> None:
        """Have something parsed.

        A client that offers to speak another protocol, as Java's do, goes on in this one: the parser would lose the
        body of such a request, and so it is begun anew with a head that offers nothing.
        """
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as offer:
            kept = [b"%s: %s" % header for header in self.headers if header[0] != b"upgrade"]
            if len(kept) == len(self.headers):  # it was CONNECT
                raise
            first = b"%s %s HTTP/1.1" % (self.parser.get_method(), self.url)
            self.parser = HttpRequestParser(self)
            self._feed(b"\r\n".join([first, *kept, b"", data[offer.args[0] :]]))

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.scope["extensions"] = {ABORT: {"now": self.transport.abort}}
        self._in_head, self._head_bytes = True, 0
        self._wait()

    def on_headers_complete(self) -> None:
        """Its head is whole."""
        self._in_head = False
        if not self.parser.should_upgrade():
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It is whole itself."""
        if not self.parser.should_upgrade():
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
