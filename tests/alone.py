"""A service as a whole application."""

from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from askless import endpoint
from askless.record import Recorder
from askless.service import Service
from askless.share import Share


def alone(service: Service, recorder: Recorder) -> Starlette:
    """A service, recorded, at /v1/…"""

    share = Share()

    async def api(request: Request) -> Response:
        return await endpoint.answered(
            request, service, share, partial(endpoint.answer, service, request, recorder.record)
        )

    return Starlette(routes=[endpoint.route("", api)], exception_handlers=endpoint.HANDLERS)
