"""The vendor's SDK, wired to a service in process; and the recorder as its middleware.

The clients are the real classes: nothing about them is replaced but the transport.
"""

import gc
import sys
from collections.abc import Mapping
from functools import cache
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeGuard

from askless.record import Recorder
from askless.service import EXCHANGES, LOCK, MESSAGES, Service

if TYPE_CHECKING:
    from anthropic import Anthropic, APIResponse, AsyncAnthropic, AsyncAPIResponse
    from anthropic._middleware import AsyncCallNext, AsyncMiddlewareCallable, CallNext, MiddlewareCallable
    from anthropic._request import APIRequest

    from askless.tap import Tape

URL = "https://api.anthropic.com"  # never reached; given so that the environment's has no say
NO_KEY = "askless"  # the service asks for a key and looks at none

PLAIN = {"max_retries", "middleware", "open_telemetry", "timeout"}  # options that change nothing of a request

OK = 200

_importing = Lock()  # a second thread must not see a module half made


def sdk() -> ModuleType:
    """The vendor's SDK, imported when first wanted.

    Its 3,000 modules make objects that live as long as the process: the collector
    need not look at them while they are made, nor ever after.
    """
    with _importing:
        return _sdk()


@cache
def _sdk() -> ModuleType:
    known = "anthropic" in sys.modules
    collecting = gc.isenabled()
    gc.disable()
    try:
        import anthropic
    finally:
        if collecting:
            gc.enable()
    if not known:
        gc.freeze()
    return anthropic


def connect(service: Service, recorder: Recorder | None = None, **options: Any) -> "Anthropic":
    """A real `anthropic.Anthropic` whose requests the service answers; `options` are that class's own.

    Each attempt is recorded, below any middleware that the options bring. Without the
    option `open_telemetry` the client has no spans.
    """
    wired = _in_process()
    direct = wired.Direct(service)
    own = [recording(recorder)] if recorder is not None else []
    http = wired.httpx2.Client(transport=direct.transport)
    client = sdk().Anthropic(**_options(http, [*own, _lab_faults, direct], options))
    direct.client = client if options.keys() <= PLAIN else None
    return client  # type: ignore[no-any-return]


def connect_async(service: Service, recorder: Recorder | None = None, **options: Any) -> "AsyncAnthropic":
    """As `connect`, for `async` agents."""
    wired = _in_process()
    direct = wired.Direct(service)
    own = [recording_async(recorder)] if recorder is not None else []
    http = wired.httpx2.AsyncClient(transport=direct.transport)
    client = sdk().AsyncAnthropic(**_options(http, [*own, _lab_faults_async, direct.asynchronous], options))
    direct.client = client if options.keys() <= PLAIN else None
    return client  # type: ignore[no-any-return]


def recording(recorder: Recorder) -> "MiddlewareCallable":
    """Middleware that records each attempt of a client, the live API's, too.

    Retries, streams and failures are seen; a stream is recorded once it ends or is
    closed, a connection that broke has status 0. No header is ever read.
    """
    tape = _tape(recorder)

    def record(request: "APIRequest", call_next: "CallNext") -> "APIResponse[Any]":
        asked = _is_message(request)
        try:
            response = call_next(request)
        except sdk().APIConnectionError as error:
            if not _recorded(recorder, error.__cause__) and asked:
                tape.lost(error.request)
            raise
        if not _recorded(recorder, response.http_response) and asked:
            if response.status_code != OK:
                response.read()  # the SDK does not read what it will try again
            tape.attach(response.http_response)
        return response

    return record


def recording_async(recorder: Recorder) -> "AsyncMiddlewareCallable":
    """As `recording`, for the async client."""
    tape = _tape(recorder)

    async def record(request: "APIRequest", call_next: "AsyncCallNext") -> "AsyncAPIResponse[Any]":
        asked = _is_message(request)
        try:
            response = await call_next(request)
        except sdk().APIConnectionError as error:
            if not _recorded(recorder, error.__cause__) and asked:
                tape.lost(error.request)
            raise
        if not _recorded(recorder, response.http_response) and asked:
            if response.status_code != OK:
                await response.read()
            tape.attach(response.http_response)
        return response

    return record


def _lab_faults(request: "APIRequest", call_next: "CallNext") -> "APIResponse[Any]":
    """Middleware that raises what the model raised as it is: the SDK would call it a broken connection, and retry."""
    try:
        return call_next(request)
    except sdk().APIConnectionError as error:
        if _is_lab_fault(error.__cause__):
            raise error.__cause__ from None
        raise


async def _lab_faults_async(request: "APIRequest", call_next: "AsyncCallNext") -> "AsyncAPIResponse[Any]":
    try:
        return await call_next(request)
    except sdk().APIConnectionError as error:
        if _is_lab_fault(error.__cause__):
            raise error.__cause__ from None
        raise


def _is_lab_fault(cause: BaseException | None) -> TypeGuard[BaseException]:
    import httpx2

    return cause is not None and not isinstance(cause, httpx2.TransportError)


def _in_process() -> ModuleType:
    sdk()
    from askless import in_process

    return in_process


def _tape(recorder: Recorder) -> "Tape":
    from askless.tap import Tape

    return Tape(recorder)


def _is_message(request: "APIRequest") -> bool:
    return request.url.partition("?")[0] == MESSAGES and request.method.upper() == "POST"


def _recorded(recorder: Recorder, end: Any) -> bool:
    """Record the exchanges that the in-process transport gave to a response or to a broken connection.

    False for the end of a request that another transport carried.
    """
    known: Mapping[str, Any] = getattr(end, "extensions", {})
    if EXCHANGES not in known:
        return False
    with known[LOCK]:
        for exchange in known[EXCHANGES]:
            recorder.record(exchange)
    return True


def _options(http: Any, own: list[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The SDK's constructor arguments.

    A key only where the options bring no other credential. No spans unless they ask for
    them: a person's telemetry is not to hear of calls to a model that is none.
    """
    chosen = options.keys() & {"api_key", "auth_token", "credentials", "config", "profile"}
    key = {} if chosen else {"api_key": NO_KEY}
    ours = {"base_url": URL, "http_client": http, "open_telemetry": False, **key}
    return {**ours, **options, "middleware": [*options.get("middleware", ()), *own]}
