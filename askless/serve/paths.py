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
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import parse_qsl, unquote_to_bytes

from askless import tracefile
from askless.errors import Problem
from askless.http import Request, Response
from askless.serve import answers, page
from askless.serve.answers import RefusedError
from askless.serve.desk import MisaskedError, NoSuchError
from askless.serve.judged import Judge
from askless.serve.runs import DEFAULT, LONGEST_NAME, DroppedError, Run, Runs
from askless.server import answer, refused
from askless.service import BATCH_LIMIT_BYTES, LIMIT_BYTES
from askless.show import verdict

WHOLE_CHARS = 64 * 1024 * 1024  # of a trace as one document, in which each request stands whole
RUNG = "3"

FILES = {
    "/page.js": Response(200, page.SCRIPT, answers.kind("text/javascript")),
    "/page.css": Response(200, page.STYLE, answers.kind("text/css")),
}

Query = Mapping[str, str]


class Paths:
    """The application of one server. `hosts` are the names that it answers to; without any, to every one."""

    def __init__(self, runs: Runs, hosts: frozenset[str] = frozenset()) -> None:
        self._runs = runs
        self._hosts = hosts
        self._judge = Judge(runs.task)

    def answer(self, request: Request) -> Response:
        """The response to a request."""
        path, mark, query = request.target.partition("?")
        try:
            self._check_host(request.headers.get("host", ""))
            match path.split("/"):
                case ["", "v1", *_]:
                    return self._api(DEFAULT, request.target, request)
                case ["", "run", name, "v1", *rest]:
                    return self._api(_name(name), "/".join(["", "v1", *rest]) + mark + query, request)
                case ["", "run", name, *rest]:
                    return self._of_run(_name(name), rest, request, _query(query))
            return self._of_all(path, request)
        except RefusedError as refusal:
            return refusal.response
        except DroppedError as dropped:
            return _dropped(str(dropped))

    def body_bytes(self, target: str) -> int:
        """As many as the API takes."""
        return BATCH_LIMIT_BYTES if "/v1/messages/batches" in target else LIMIT_BYTES

    def fault(self, status: int, what: str) -> Response:
        """What was no request, in the API's envelope."""
        return refused(status, what)

    def _check_host(self, host: str) -> None:
        """A page of a stranger's, open in a browser here, can reach this machine, but not by this machine's name."""
        if self._hosts and host not in self._hosts and host.rpartition(":")[0] not in self._hosts:
            raise RefusedError(403, f"this server is not {host!r}", "use the address that it printed")

    def _api(self, name: str, target: str, request: Request) -> Response:
        run = self._runs.need(name)
        return answer(run.service, target, request, run.record)

    def _of_all(self, path: str, request: Request) -> Response:
        if path in ("/", "/run", *FILES):
            answers.allow(request, "GET")
        if path == "/":
            return Response(200, page.page(self._runs), answers.HTML)
        if path == "/run":
            return answers.value([self._summary(run) for run in self._runs.newest(len(self._runs))])
        if path in FILES:
            return FILES[path]
        raise RefusedError(404, f"there is no {path}", "open / for the runs, or set /run/NAME as a base URL")

    def _of_run(self, name: str, rest: list[str], request: Request, query: Query) -> Response:
        match rest:
            case []:
                return self._itself(name, request, query)
            case ["question"]:
                answers.allow(request, "GET")
                return Response(200, self._runs.need(name).desk.question.encode(), answers.TEXT)
            case ["desk"]:
                answers.allow(request, "GET")
                return answers.value(self._runs.need(name).desk.parameters)
            case ["desk", look_up]:
                answers.allow(request, "GET", "POST")
                return _looked_up(self._runs.need(name), look_up, _given(request, query))
            case ["trace"]:
                answers.allow(request, "GET")
                return self._trace(self._known(name), query)
            case ["verdict"]:
                answers.allow(request, "GET")
                return self._verdict(self._known(name), query)
        raise RefusedError(404, f"a run has no {'/'.join(rest)}", "ask for question, desk, trace or verdict")

    def _itself(self, name: str, request: Request, query: Query) -> Response:
        answers.allow(request, "GET", "PUT", "DELETE")
        if request.method == "PUT":
            return answers.value(self._summary(self._runs.begin(name, query.get("seed"))), 201)
        if request.method == "DELETE":
            if not self._runs.end(name):
                raise _unknown(name)
            return answers.value({"ended": name})
        return answers.value(self._summary(self._known(name)))

    def _known(self, name: str) -> Run:
        run = self._runs.get(name)
        if run is None:
            raise _unknown(name)
        return run

    def _summary(self, run: Run) -> dict[str, Any]:
        return {**asdict(page.summary(self._runs.task, run)), "seed": run.seed, "base_url": page.path_of(run.name)}

    def _trace(self, run: Run, query: Query) -> Response:
        trace = run.trace(self._runs.task)
        if query.get("form") == "lines":
            return Response(200, tracefile.lines(trace).encode(), answers.LINES)
        if sum(trip.chars for trip in trace.round_trips) > WHOLE_CHARS:
            seen = f"as one document the trace is over {WHOLE_CHARS:,} characters long"
            raise RefusedError(413, seen, "ask for /trace?form=lines")
        return answers.value(tracefile.whole(trace))

    def _verdict(self, run: Run, query: Query) -> Response:
        try:
            rung = self._runs.task.rung(query.get("rung", RUNG))
        except Problem as problem:
            raise RefusedError(404, problem.seen, problem.next_act) from None
        if not rung.worked:
            raise RefusedError(404, f"rung {rung.number} has no target", "name a rung below it")
        practice = self._judge.judge(run, rung)
        if query.get("form") == "text":
            return Response(200, f"{verdict.text(practice)}\n".encode(), answers.TEXT)
        return answers.value(practice.verdict.document())


def _name(part: str) -> str:
    """A run's name from its part of a path, where a slash can only stand encoded."""
    try:
        name = unquote_to_bytes(part).decode()
    except UnicodeDecodeError:
        name = ""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise RefusedError(400, "this is no name for a run", f"take 1 to {LONGEST_NAME} characters that can be printed")
    return name


def _query(query: str) -> Query:
    return dict(parse_qsl(query, keep_blank_values=True))


def _given(request: Request, query: Query) -> Query:
    """What a look-up is given: in the query, or in a body of JSON."""
    if request.method != "POST":
        return query
    try:
        given = json.loads(request.body)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise RefusedError(400, "the body is no JSON object", "send what the look-up is given as one object")
    return given


def _looked_up(run: Run, name: str, given: Query) -> Response:
    try:
        return answers.value(run.desk.ask(name, given))
    except MisaskedError as error:
        raise RefusedError(400, error.seen, error.next_act) from None
    except NoSuchError as error:
        raise RefusedError(404, error.seen, error.next_act) from None


def _unknown(name: str) -> RefusedError:
    return RefusedError(
        404, f"no run {name!r} has begun", f"send its first request to {page.path_of(name)}/v1/messages"
    )


def _dropped(name: str) -> Response:
    """Said in the API's envelope too, as a client of the Messages API may be the one that hears it."""
    seen, act = f"the run {name!r} was dropped to make room for newer ones", f"begin it anew: PUT {page.path_of(name)}"
    error = {"type": "not_found_error", "message": f"{seen}. Next: {act}"}
    return answers.value({"type": "error", "error": error, "next": act}, 410)
