"""The rooms of all runs, over HTTP."""

import json
from asyncio import sleep
from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from askless import endpoint
from askless.judge.room import Room, read_outcome

LOOK_UP_BYTES = 1 << 16
PAUSE_S = 0.002  # until a look-up that is held is looked at again


class Doors(Starlette):
    """Every open room under its key: /KEY/job, /KEY/desk/NAME, /KEY/outcome, and the Messages API at /KEY/v1/…

    404 for whatever has no room or no sense.
    """

    def __init__(self, rooms: Mapping[str, Room]) -> None:
        self._rooms = rooms
        posted = {"/{key}/job": self._job, "/{key}/outcome": self._outcome}
        routes = [Route(path, door, methods=["POST"]) for path, door in posted.items()]
        handlers = {**endpoint.HANDLERS, KeyError: _unknown, ValueError: _unknown, TypeError: _unknown}
        super().__init__(routes=[endpoint.route("/{key}", self._api), *routes], exception_handlers=handlers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a look-up past all routes, as a run may make thousands."""
        match scope["path"].split("/") if scope.get("method") == "POST" else ():
            case ["", key, "desk", name]:
                request = Request({**scope, "path_params": {"key": key, "name": name}}, receive)
                await (await self._desk(request))(scope, receive, send)
            case _:
                await super().__call__(scope, receive, send)

    def _room(self, request: Request) -> Room:
        """A run's room, until it has said its last word: what its threads still send then is chance."""
        room = self._rooms[request.path_params["key"]]
        if room.outcome:
            raise KeyError
        return room

    async def _job(self, request: Request) -> Response:
        return _json(self._room(request).job())

    async def _desk(self, request: Request) -> Response:
        try:
            asked = json.loads(await endpoint.body(request, LOOK_UP_BYTES))
            room, name = self._room(request), request.path_params["name"]
            if name not in room.look_ups:
                return _json(None, 404)
            while room.siblings and room.siblings.holds(request, asked["threads"]):
                await sleep(PAUSE_S)
            return _json(room.look_up(name, asked["args"], asked["kwargs"]))
        except endpoint.TooLongError:
            return _json(None, 413)
        except (KeyError, ValueError, TypeError):
            return _json(None, 404)

    async def _outcome(self, request: Request) -> Response:
        said = json.loads(await endpoint.body(request))
        self._room(request).outcome = read_outcome(said)
        return _json(None)

    async def _api(self, request: Request) -> Response:
        data = await endpoint.asked(request)
        room = self._room(request)
        if len(room.recorder) >= room.requests:
            room.tell("requests")
            return _json(None, 403)
        try:
            return endpoint.answer(room.service, request, data, room.record)
        except Exception as error:  # a fault of the lab costs the learner nothing
            room.fault = f"{type(error).__name__}: {error}"
            room.tell("fault")
            return _json(None, 500)


def _json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value), status, media_type="application/json")


async def _unknown(_: Request, __: Exception) -> Response:
    return _json(None, 404)
