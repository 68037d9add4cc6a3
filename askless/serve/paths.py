"""What stands under each path of the server.

/v1/…                       the Messages API, as the run `default`
/run/NAME/v1/…              the same as the run NAME; /run/NAME is what a client takes as its base URL
/run/NAME                   what the run has come to; PUT begins it anew (?seed=…: on a drawn desk), DELETE ends it
/run/NAME/question          what the agent is asked, as text
/run/NAME/desk/LOOK_UP?…    one look-up of the desk; /run/NAME/desk names them
/run/NAME/trace             the trace, whole; ?form=lines as a trace file has it
/run/NAME/verdict?rung=3    the verdict; ?form=text in words
/run                        every run
/                           a live page of them
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from askless import endpoint, tracefile
from askless.errors import Problem
from askless.judge.noted import Noted
from askless.serve import answers, desk, page
from askless.serve.answers import RefusedError
from askless.serve.desk import MisaskedError, NoSuchError
from askless.serve.judged import Judge
from askless.serve.runs import DEFAULT, LONGEST_NAME, DroppedError, Run, Runs
from askless.serve.threshold import Threshold
from askless.share import RUN_BYTES, Share, SpentError
from askless.show import verdict

WHOLE_CHARS = 64 * 1024 * 1024  # of a trace as one document, in which each request stands whole
RUNG = "3"


class Paths(Starlette):
    """The application of one server. `hosts` are the names that it answers to; without any, to every one.

    What is told of whole runs may take long, and so these endpoints are plain functions: they run in threads.
    """

    def __init__(self, runs: Runs, hosts: Iterable[str] = ()) -> None:
        self._runs = runs
        self._judge = Judge(runs.task)
        super().__init__(
            routes=[endpoint.route("/run/{name}", self._api), endpoint.route("", self._api), *self._own()],
            middleware=[Middleware(Threshold, hosts=frozenset(hosts))],
            exception_handlers=HANDLERS,
        )

    def _own(self) -> list[Route]:
        return [
            Route("/run/{name}/question", self._question),
            Route("/run/{name}/desk", self._desk),
            Route("/run/{name}/desk/{look_up}", self._look_up, methods=["GET", "POST"]),
            Route("/run/{name}/trace", self._trace),
            Route("/run/{name}/verdict", self._verdict),
            Route("/run/{name}", self._itself, methods=["GET", "PUT", "DELETE"]),
            Route("/run", self._all),
            Route("/page.js", self._script),
            Route("/page.css", self._style),
            Route("/", self._page),
        ]

    def _need(self, request: Request) -> Run:
        """The run that a request names, begun where there is none."""
        return self._runs.need(_name(request))

    def _known(self, request: Request) -> Run:
        """The run that a request names, if it has begun."""
        name = _name(request)
        run = self._runs.get(name)
        if run is None:
            raise _unknown(name)
        return run

    async def _api(self, request: Request) -> Response:
        run = self._need(request)
        act = partial(endpoint.answer, run.service, request, run.record)
        response = await endpoint.answered(request, run.service, run.share, act)
        self._runs.fit(run)
        return response

    async def _question(self, request: Request) -> Response:
        return answers.text(self._need(request).desk.question)

    async def _desk(self, request: Request) -> Response:
        return answers.value(desk.parameters(self._need(request).desk))

    async def _look_up(self, request: Request) -> Response:
        run = self._need(request)
        given = await _given(request, run.share)
        self._runs.fit(run)
        asked = run.desk if request.method != "HEAD" else Noted(run.desk.noted)  # who asks so is told nothing
        try:
            return answers.value(desk.ask(asked, request.path_params["look_up"], given))
        except MisaskedError as error:
            raise RefusedError(400, error.seen, error.next_act) from None
        except NoSuchError as error:
            raise RefusedError(404, error.seen, error.next_act) from None

    async def _itself(self, request: Request) -> Response:
        name = _name(request)
        match request.method:
            case "PUT":
                return answers.value(self._summary(self._runs.begin(name, _seed(request))), 201)
            case "DELETE":
                if not self._runs.end(name):
                    raise _unknown(name)
                return answers.value({"ended": name})
        return answers.value(await run_in_threadpool(self._summary, self._known(request)))

    def _all(self, _: Request) -> Response:
        return answers.value([self._summary(run) for run in self._runs.newest(len(self._runs))])

    def _page(self, _: Request) -> Response:
        return answers.html(page.page(self._runs))

    async def _script(self, _: Request) -> Response:
        return answers.text(page.SCRIPT, "text/javascript")

    async def _style(self, _: Request) -> Response:
        return answers.text(page.STYLE, "text/css")

    def _summary(self, run: Run) -> dict[str, Any]:
        return {**asdict(page.summary(self._runs.task, run)), "seed": run.seed, "base_url": page.path_of(run.name)}

    def _trace(self, request: Request) -> Response:
        trace = self._known(request).trace(self._runs.task)
        if request.query_params.get("form") == "lines":
            return answers.text(tracefile.lines(trace), "application/jsonl")
        if sum(trip.chars for trip in trace.round_trips) > WHOLE_CHARS:
            seen = f"as one document the trace is over {WHOLE_CHARS:,} characters long"
            raise RefusedError(413, seen, "ask for /trace?form=lines")
        return answers.value(tracefile.whole(trace))

    def _verdict(self, request: Request) -> Response:
        run = self._known(request)
        try:
            rung = self._runs.task.rung(request.query_params.get("rung", RUNG))
        except Problem as problem:
            raise RefusedError(404, problem.seen, problem.next_act) from None
        if not rung.worked:
            raise RefusedError(404, f"rung {rung.number} has no target", "name a rung below it")
        practice = self._judge.judge(run, rung)
        if request.query_params.get("form") == "text":
            return answers.text(f"{verdict.text(practice)}\n")
        return answers.value({**practice.verdict.document(), "run": run.name, "seed": run.seed})


def _name(request: Request) -> str:
    """A run's name from its part of the path, where a slash can only stand encoded."""
    part = request.path_params.get("name", DEFAULT)
    try:
        name = unquote_to_bytes(part).decode()
    except UnicodeDecodeError:
        name = ""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name in (".", ".."):
        raise RefusedError(400, "this is no name for a run", f"take 1 to {LONGEST_NAME} characters that can be printed")
    return name


def _seed(request: Request) -> str | None:
    seed = request.query_params.get("seed")
    if seed and len(seed) > LONGEST_NAME:
        raise RefusedError(400, f"a seed of {len(seed):,} characters", f"take at most {LONGEST_NAME}")
    return seed


async def _given(request: Request, share: Share) -> Mapping[str, Any]:
    """What a look-up is given: in the query, or in a body of JSON."""
    if request.method != "POST":
        share.take(len(request.scope["query_string"]))
        return dict(request.query_params)
    try:
        given = json.loads(await endpoint.body(request, share))
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise RefusedError(400, "the body is no JSON object", "send what the look-up is given as one object")
    return given


def _unknown(name: str) -> RefusedError:
    return RefusedError(
        404, f"no run {name!r} has begun", f"send its first request to {page.path_of(name)}/v1/messages"
    )


async def _dropped(_: Request, error: DroppedError) -> Response:
    name = str(error)
    seen, act = f"the run {name!r} was dropped to make room for newer ones", f"begin it anew: PUT {page.path_of(name)}"
    return _refused(410, "not_found_error", seen, act)


async def _spent(request: Request, _: Exception) -> Response:
    act = f"begin it anew: PUT {page.path_of(_name(request))}"
    return _refused(413, "request_too_large", f"this run has sent and been sent over {RUN_BYTES:,} bytes", act)


def _refused(status: int, kind: str, seen: str, act: str) -> Response:
    """A refusal in the API's envelope, as a client of the Messages API may be the one that hears it."""
    said = {"type": kind, "message": f"{seen}. Next: {act}"}
    return answers.value({"type": "error", "error": said, "next": act}, status)


HANDLERS: dict[Any, Any] = {
    **endpoint.HANDLERS,
    RefusedError: answers.refused,
    DroppedError: _dropped,
    SpentError: _spent,
    HTTPException: answers.not_here,
}
