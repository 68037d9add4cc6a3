"""The rooms of all runs, over HTTP."""

import json
from collections.abc import Mapping

from askless.http import Request, Response, of_json
from askless.judge.room import Room, read_outcome
from askless.server import answer
from askless.service import LIMIT_BYTES

UNKNOWN = of_json(None, status=404)
LOOK_UP_BYTES = 1 << 16


class Doors:
    """Every open room under its key: /KEY/job, /KEY/desk/NAME, /KEY/outcome, and the Messages API at /KEY/v1/…"""

    def __init__(self, rooms: Mapping[str, Room]) -> None:
        self._rooms = rooms

    def answer(self, request: Request) -> Response:
        """What is behind a door; 404 for whatever has no room or no sense."""
        try:
            return self._behind(request)
        except (KeyError, ValueError, TypeError):
            return UNKNOWN

    def body_bytes(self, target: str) -> int:
        """As many as the API takes; of a look-up little."""
        return LOOK_UP_BYTES if target.split("/")[2:3] == ["desk"] else LIMIT_BYTES

    def fault(self, status: int, what: str) -> Response:
        """What was no request that could be answered."""
        return of_json(what, status=status)

    def _behind(self, request: Request) -> Response:
        _, key, *path = request.target.partition("?")[0].split("/")
        room = self._open(key)
        match path:
            case ["v1", *_]:
                return _api(room, request)
            case _ if request.method != "POST":
                return UNKNOWN
            case ["job"]:
                return of_json(room.job())
            case ["desk", name] if name in room.look_ups:
                asked = json.loads(request.body)
                return of_json(room.look_up(name, asked["args"], asked["kwargs"]))
            case ["outcome"]:
                room.outcome = read_outcome(json.loads(request.body))
                return of_json(None)
        return UNKNOWN

    def _open(self, key: str) -> Room:
        """A run's room, until it has said its last word: what its threads still send then is chance."""
        room = self._rooms[key]
        if room.outcome:
            raise KeyError(key)
        return room


def _api(room: Room, request: Request) -> Response:
    if len(room.recorder) >= room.requests:
        room.tell("requests")
        return of_json(None, status=403)
    try:
        return answer(room.service, "/v1/" + request.target.partition("/v1/")[2], request, room.record)
    except Exception as error:  # a fault of the lab costs the learner nothing
        room.fault = f"{type(error).__name__}: {error}"
        room.tell("fault")
        return of_json(None, status=500)
