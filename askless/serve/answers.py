"""Responses that are not the Messages API's own: values, texts, and refusals that say what to do."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'"
SAFE = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


class RefusedError(Exception):
    """A request that gets no more than a status, what was seen, and the next act."""

    def __init__(self, status: int, seen: str, next_act: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(seen)
        self.response = value({"error": seen, "next": next_act}, status, headers)


def value(of: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A value as a line of JSON."""
    return Response(f"{json.dumps(of)}\n", status, {**SAFE, **(headers or {})}, "application/json")


def text(of: str | bytes, kind: str = "text/plain") -> Response:
    """A text of a media type."""
    return Response(of, headers=SAFE, media_type=f"{kind}; charset=utf-8")


def html(page: bytes) -> Response:
    """A page that runs nothing but its own script."""
    return Response(page, headers={**SAFE, "content-security-policy": POLICY}, media_type="text/html")


async def refused(_: Request, error: RefusedError) -> Response:
    """The response to a refusal."""
    return error.response


async def not_here(request: Request, error: HTTPException) -> Response:
    """The response to a path or a method that no route takes."""
    if error.status_code == 405:
        allowed = ", ".join(sorted((error.headers or {})["Allow"].split(", ")))
        seen = f"{request.method} is nothing to do here"
        return RefusedError(405, seen, f"use {allowed}", {"allow": allowed}).response
    seen, act = f"there is no {request.scope['path']}", "open / for the runs, or set /run/NAME as a base URL"
    return RefusedError(404, seen, act).response
