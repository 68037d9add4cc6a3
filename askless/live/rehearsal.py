"""A run with the scripted model first: what will be sent, and what that may cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from askless.api import prices
from askless.api.conversation import Request
from askless.check.target import Finding
from askless.errors import Problem
from askless.judge.ending import endings
from askless.judge.sandbox import Sandbox
from askless.live import ceiling, failure
from askless.live.access import hide
from askless.live.agent import LEARNER, Agent
from askless.model.scripted import Scripted
from askless.service import Service
from askless.task import Task
from askless.trace import RoundTrip, Trace


@dataclass(frozen=True)
class Rehearsal:
    """The run, and what the same requests would cost, in US dollars."""

    trace: Trace
    about_usd: float  # by characters divided by four
    most_usd: float  # each request at its ceiling
    first_usd: float  # the first one alone

    @property
    def models(self) -> list[str]:
        """The models that were asked, as the agent names them."""
        return sorted({str(trip.fields.get("model")) for trip in self.trace.round_trips})

    def equals(self, task: Task) -> list[str]:
        """The worked rungs whose numbers this run has, so that whoever sees it has seen theirs."""
        measured = task.measure(self.trace).items()
        return [rung.name for rung in task.rungs if rung.measured and rung.measured.items() <= measured]


def rehearse(sandbox: Sandbox, agent: Agent) -> Rehearsal:
    """Run an agent with the scripted model. A Problem where that ends without an answer, or its costs have no bound."""
    room = agent.room(Service(Scripted(agent.task.script())))
    ran = agent.ran(room, sandbox.run(room), "scripted")
    trips = ran.trace.round_trips
    if ended := next(endings(ran), None):
        raise _unknown_model(trips) or _unanswered(agent, ended)
    most = [_most_usd(Request.of(ran.trace.body(index))) for index in range(len(trips))]
    return Rehearsal(ran.trace, sum(map(_about_usd, trips)), sum(most), next(iter(most), 0.0))


def _unknown_model(trips: Sequence[RoundTrip]) -> Problem | None:
    """Of an agent whose model is retired, or newer than the lab."""
    error = trips[-1].reply.get("error", {}) if trips else {}
    message = str(error.get("message"))
    if error.get("type") != "not_found_error" or not message.startswith("model:"):
        return None
    seen = f"nothing was sent: {failure.NOT_OFFERED}, or newer than the prices of {ceiling.as_of()}: {message[7:]}."
    return Problem(hide(seen), f"name another in the agent, such as one of: {failure.others(message)}.")


def _unanswered(agent: Agent, ended: Finding) -> Problem:
    act = f"askless practice {agent.task.name}" if agent.name == LEARNER else f"{ended.next}."
    seen = f"nothing was sent, as the scripted model gets no answer out of it either:\n{ended.what}."
    return Problem(hide(seen), act)


def _most_usd(request: Request) -> float:
    try:
        return ceiling.of(request).usd
    except ceiling.UnboundError as unbound:
        raise Problem(f"nothing was sent: {unbound}.", "change that in the agent.") from None


def _about_usd(trip: RoundTrip) -> float:
    usage = {"input_tokens": trip.input_tokens, "output_tokens": trip.output_tokens}
    return prices.cost_usd(str(trip.fields.get("model")), usage) or 0.0
