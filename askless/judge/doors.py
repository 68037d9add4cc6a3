"""The rooms of all runs, over HTTP."""

from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from askless.judge.room import Room, look_ups, read_outcome
from askless.server import answer


class Doors:
    """Every open room under its key: /KEY/job, /KEY/desk/NAME, /KEY/outcome, and the Messages API at /KEY/v1/…"""

    def __init__(self, rooms: Mapping[str, Room]) -> None:
        self._rooms = rooms

    def application(self) -> Starlette:
        """The application, which answers 404 to whatever has no room or no sense."""
        doors = {
            "/{key}/job": self._job,
            "/{key}/desk/{name}": self._desk,
            "/{key}/outcome": self._outcome,
            "/{key}/v1/{path:path}": self._api,
        }
        routes = [Route(path, door, methods=["POST"]) for path, door in doors.items()]
        return Starlette(
            routes=routes, exception_handlers={KeyError: _unknown, ValueError: _unknown, TypeError: _unknown}
        )

    def _room(self, request: Request) -> Room:
        return self._rooms[request.path_params["key"]]

    async def _job(self, request: Request) -> Response:
        return JSONResponse(self._room(request).job())

    async def _desk(self, request: Request) -> Response:
        room, name, asked = self._room(request), request.path_params["name"], await request.json()
        if name not in look_ups(room.desk):
            raise KeyError(name)
        return JSONResponse(room.look_up(name, asked["args"], asked["kwargs"]))

    async def _outcome(self, request: Request) -> Response:
        self._room(request).outcome = read_outcome(await request.json())
        return JSONResponse(None)

    async def _api(self, request: Request) -> Response:
        room = self._room(request)
        if len(room.recorder) >= room.requests:
            room.tell("requests")
            return Response(status_code=403)
        try:
            return await answer(room.service, f"/v1/{request.path_params['path']}", request, room.record)
        except ClientDisconnect:
            return Response(status_code=400)
        except Exception as error:  # a fault of the lab costs the learner nothing
            room.fault = f"{type(error).__name__}: {error}"
            room.tell("fault")
            return Response(status_code=500)


async def _unknown(_: Request, __: Any) -> Response:
    return JSONResponse(None, status_code=404)
