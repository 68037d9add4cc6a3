"""The rooms of all runs, over HTTP."""

import json
from asyncio import sleep
from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from askless import endpoint
from askless.judge.room import Room, read_outcome
from askless.service import LIMIT_BYTES
from askless.share import SpentError

LOOK_UP_BYTES = 1 << 16
PAUSE_S = 0.002  # until a look-up that is held is looked at again


class Doors(Starlette):
    """Every open room under its key: /KEY/job, /KEY/desk/NAME, /KEY/outcome, and the Messages API at /KEY/v1/…

    404 for whatever has no room or no sense.
    """

    def __init__(self, rooms: Mapping[str, Room]) -> None:
        self._rooms = rooms
        own = {"/{key}/desk/{name}": self._desk, "/{key}/job": self._job, "/{key}/outcome": self._outcome}
        routes = [Route(path, door, methods=["POST"]) for path, door in own.items()]
        nonsense = dict.fromkeys((KeyError, ValueError, TypeError), _unknown)
        handlers = {**endpoint.HANDLERS, SpentError: self._spent, **nonsense}
        super().__init__(routes=[*routes, endpoint.route("/{key}", self._api)], exception_handlers=handlers)

    def _room(self, request: Request) -> Room:
        """A run's room, until it has said its last word: what its threads still send then is chance."""
        room = self._rooms[request.path_params["key"]]
        if room.outcome:
            raise KeyError
        return room

    async def _job(self, request: Request) -> Response:
        return _json(self._room(request).job())

    async def _desk(self, request: Request) -> Response:
        """Answer a look-up. How many `threads` the agent has is the child's word.

        At worst its look-ups are held for nothing, as long as any is, or none is: that shows in its own simulated
        seconds.
        """
        asked = await self._own(request, LOOK_UP_BYTES)
        room, name = self._room(request), request.path_params["name"]
        if name not in room.look_ups:
            raise KeyError
        while room.siblings and room.siblings.holds(request, asked["threads"]):
            await sleep(PAUSE_S)
        return _json(room.look_up(name, asked["args"], asked["kwargs"]))

    async def _outcome(self, request: Request) -> Response:
        said = await self._own(request, LIMIT_BYTES)
        self._room(request).outcome = read_outcome(said)
        return _json(None)

    async def _own(self, request: Request, most_bytes: int) -> Any:
        """What the child says in JSON."""
        return json.loads(await endpoint.body(request, self._room(request).share, most_bytes))

    async def _api(self, request: Request) -> Response:
        room = self._room(request)
        return await endpoint.answered(request, room.service, room.share, partial(self._answer, request))

    def _answer(self, request: Request, data: bytes) -> Response:
        room = self._room(request)
        if room.has_asked_enough:
            room.tell("requests")
            return _json(None, 403)
        try:
            return endpoint.answer(room.service, request, room.record, data)
        except SpentError:
            raise
        except Exception as error:  # a fault of the lab costs the learner nothing
            room.fault = f"{type(error).__name__}: {error}"
            room.tell("fault")
            return _json(None, 500)

    async def _spent(self, request: Request, _: Exception) -> Response:
        room = self._rooms.get(request.path_params["key"])
        if room and not room.outcome:
            room.tell("bytes")
        return _json(None, 403)


def _json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value), status, media_type="application/json")


async def _unknown(_: Request, __: Exception) -> Response:
    return _json(None, 404)
