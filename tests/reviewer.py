"""A reviewer that says what it was told to: the lab's own server, in a process of its own.

    python tests/reviewer.py FOLDER     prints its address

Under /NAME, FOLDER/NAME.json holds its `replies` in turn, and a plan of `faults`; or it is `gone`, or `answers` is all
that it says, message or not. The bodies that it hears, and no header of them, go to FOLDER/NAME.heard.
"""

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from askless import server
from askless.api import conversation
from askless.api.faults import Fault, Plan
from askless.listening import at_port
from askless.model import Reply
from askless.service import Service

GONE = {"type": "error", "error": {"type": "not_found_error", "message": "model: claude-sonnet-5"}}


def service(told: dict[str, Any]) -> Service:
    """The Messages API with that reviewer behind it."""
    replies = iter(told.get("replies", []))

    def say(_: conversation.Request) -> Reply:
        said = next(replies)
        text = said if isinstance(said, str) else json.dumps(said)
        return Reply(({"type": "text", "text": text},), "end_turn")

    return Service(say, faults=Plan(tuple(Fault(**fault) for fault in told.get("faults", []))))


def application(folder: Path) -> Starlette:
    """One reviewer for each name."""
    told = cache(lambda name: json.loads((folder / f"{name}.json").read_text("utf-8")))
    known = cache(lambda name: service(told(name)))

    async def answer(request: Request) -> Response:
        name, data = request.path_params["name"], await request.body()
        with (folder / f"{name}.heard").open("a", encoding="utf-8") as heard:
            heard.write(json.dumps(json.loads(data)) + "\n")
        if told(name).get("gone"):
            return Response(json.dumps(GONE), 404, media_type="application/json")
        if "answers" in told(name):
            return Response(told(name)["answers"], media_type="application/json")
        path = request.url.path.removeprefix(f"/{name}")
        made = known(name).serve(request.method, path, request.headers, data)
        return Response(made.body, made.status, made.headers)

    return Starlette(routes=[Route("/{name}/v1/{rest:path}", answer, methods=["POST"])])


if __name__ == "__main__":
    listener, address = at_port("127.0.0.1", 0)
    print(address, flush=True)
    server.serve(application(Path(sys.argv[1])), listener)
