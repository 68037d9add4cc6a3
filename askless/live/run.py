"""One run on the real API, as far as it came."""

from asyncio import wrap_future
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Literal

from askless.errors import Problem
from askless.judge.ending import Ran, endings
from askless.judge.sandbox import End, Sandbox
from askless.live.access import hide
from askless.live.agent import Agent
from askless.live.carrier import Carrier
from askless.live.purse import Purse
from askless.live.upstream import Attempt, Upstream
from askless.share import Done, Share
from askless.trace import Trace

NOT_REACHED = 1
STOPPED = Problem("you stopped the run.", "run it again, when you like.", exit_code=130)

How = Literal["answered", "kept_back", "failed", "not_answered", "interrupted"]


@dataclass
class Lived:
    """A run. `why` says what kept it from an answer; its exit code tells whose fault that was."""

    trace: Trace
    how: How
    attempts: tuple[Attempt, ...]
    why: Problem | None = None
    output: str = ""  # what the agent printed
    saved: Path | None = None

    @property
    def exit_code(self) -> int:
        """0 for a right answer."""
        if self.why:
            return self.why.exit_code
        return 0 if self.trace.answer_right else NOT_REACHED


class Beside(Share):
    """A share of a run whose answers take their time: each is waited for beside all others."""

    async def work(self, is_long: Callable[[], bool], act: Callable[[], Done]) -> Done:
        """Do what a request asks for, in a thread of its own, for which nobody waits where the run has ended."""
        done: Future[Done] = Future()
        Thread(target=_into, args=(done, act), daemon=True).start()
        return await wrap_future(done)


def _into(done: Future[Done], act: Callable[[], Done]) -> None:
    try:
        done.set_result(act())
    except Exception as error:
        with suppress(InvalidStateError):  # nobody is there any more
            done.set_exception(error)


@dataclass(frozen=True)
class Way:
    """How runs go: where to, within what, and who hears of each request."""

    carrier: Carrier
    purse: Purse
    timeout_s: float
    count_tokens: bool
    tell: Callable[[Attempt, int], None]  # an attempt, and its number in its run


def run(sandbox: Sandbox, agent: Agent, way: Way) -> Lived:
    """Run an agent on the real API. Ctrl-C ends the run, and what is known of it stays."""
    attempts: list[Attempt] = []
    upstream = Upstream(
        way.carrier, way.purse, count_tokens=way.count_tokens, tell=lambda one: _heard(one, attempts, way)
    )
    room = agent.room(upstream, way.timeout_s, Beside())
    try:
        end, interrupted = sandbox.run(room, lambda: upstream.is_over), False
    except KeyboardInterrupt:
        end, interrupted = End("stopped", 0, ""), True
    upstream.close()
    ran = agent.ran(room, end, "live")
    how, why = ("interrupted", STOPPED) if interrupted else _ending(ran, upstream)
    return Lived(ran.trace, how, tuple(attempts), why, end.output)


def _heard(one: Attempt, attempts: list[Attempt], way: Way) -> None:
    attempts.append(one)
    way.tell(one, len(attempts))


def _ending(ran: Ran, upstream: Upstream) -> tuple[How, Problem | None]:
    """What a run came to, the likeliest cause first: an agent that hears of a failure crashes of it."""
    if upstream.unsent:
        return "kept_back", upstream.unsent
    if upstream.given_up:
        return "failed", upstream.given_up
    ended = next(endings(ran), None)
    if not ended:
        return "answered", None
    if upstream.failure:
        return "failed", upstream.failure
    code = 3 if ran.end.how in ("fault", "exposed") else NOT_REACHED
    return "not_answered", Problem(hide(f"{ended.what}."), hide(f"{ended.next}."), exit_code=code)
