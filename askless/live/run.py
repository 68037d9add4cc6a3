"""One run on the real API, as far as it came."""

from asyncio import to_thread
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from askless.errors import Problem
from askless.judge.ending import Ran, endings
from askless.judge.sandbox import End, Sandbox
from askless.live.agent import Agent
from askless.live.carrier import Carrier
from askless.live.purse import Purse
from askless.live.upstream import Attempt, Upstream
from askless.share import Done, Share
from askless.trace import Trace

NOT_REACHED = 1
INTERRUPTED = 130

How = Literal["answered", "kept_back", "failed", "not_answered", "interrupted"]

MORE = "give it more, such as --budget {budget:g}, or let the agent ask for less: fewer requests, a smaller max_tokens."


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
        if self.how == "interrupted":
            return INTERRUPTED
        if self.why:
            return self.why.exit_code
        return 0 if self.trace.answer_right else NOT_REACHED


class Beside(Share):
    """A share of a run whose answers take their time: each is waited for beside all others."""

    async def work(self, is_long: Callable[[], bool], act: Callable[[], Done]) -> Done:
        """Do what a request asks for, in a thread of its own."""
        return await to_thread(act)


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
        end, interrupted = sandbox.run(room, lambda: upstream.unsent is not None), False
    except KeyboardInterrupt:
        end, interrupted = End("stopped", 0, ""), True
    ran = agent.ran(room, end, "live")
    how, why = ("interrupted", None) if interrupted else _ending(ran, upstream, way.purse)
    return Lived(ran.trace, how, tuple(attempts), why, end.output)


def _heard(one: Attempt, attempts: list[Attempt], way: Way) -> None:
    attempts.append(one)
    way.tell(one, len(attempts))


def _ending(ran: Ran, upstream: Upstream, purse: Purse) -> tuple[How, Problem | None]:
    """What a run came to, the likeliest cause first: an agent that hears of a failure crashes of it."""
    if upstream.unsent:
        act = MORE.format(budget=4 * purse.budget_usd)
        return "kept_back", Problem(f"a request was not sent: {upstream.unsent}.", act, exit_code=NOT_REACHED)
    ended = next(endings(ran), None)
    if not ended:
        return "answered", None
    if upstream.failure:
        return "failed", upstream.failure
    code = 3 if ran.end.how in ("fault", "exposed") else NOT_REACHED
    return "not_answered", Problem(f"{ended.what}.", f"{ended.next}.", exit_code=code)
