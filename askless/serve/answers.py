"""Responses that are not the Messages API's own: values, texts, and refusals that say what to do."""

import json
from typing import Any

from askless.http import JSON, Request, Response
from askless.server import fields

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'"
SAFE = fields({"x-content-type-options": "nosniff", "cache-control": "no-store"})


def kind(type_: str) -> bytes:
    """The headers of a text of a media type."""
    return fields({"content-type": f"{type_}; charset=utf-8"}) + SAFE


TEXT, LINES = kind("text/plain"), kind("application/jsonl")
HTML = kind("text/html") + fields({"content-security-policy": POLICY})


class RefusedError(Exception):
    """A request that gets no more than a status, what was seen, and the next act."""

    def __init__(self, status: int, seen: str, next_act: str, headers: bytes = b"") -> None:
        super().__init__(seen)
        self.response = value({"error": seen, "next": next_act}, status, headers)


def value(of: Any, status: int = 200, headers: bytes = b"") -> Response:
    """A value as a line of JSON."""
    return Response(status, json.dumps(of).encode() + b"\n", JSON + SAFE + headers)


def allow(request: Request, *methods: str) -> None:
    """Refuse every other method; where GET is allowed, HEAD is."""
    allowed = [*methods, "HEAD"] if "GET" in methods else list(methods)
    if request.method not in allowed:
        listed = ", ".join(allowed)
        raise RefusedError(405, f"{request.method} is nothing to do here", f"use {listed}", fields({"allow": listed}))
