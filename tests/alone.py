"""A service as a whole application."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from askless import endpoint
from askless.record import Recorder
from askless.service import Service


def alone(service: Service, recorder: Recorder) -> Starlette:
    """A service, recorded, at /v1/…"""

    async def api(request: Request) -> Response:
        return endpoint.answer(service, request, await endpoint.asked(request), recorder.record)

    return Starlette(routes=[endpoint.route("", api)], exception_handlers=endpoint.HANDLERS)
