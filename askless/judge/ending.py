"""What one run comes to: how it ended and what was counted here, as a Scenario."""

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from askless.check import honest
from askless.check import target as check
from askless.check.evidence import last_words
from askless.check.suspects import suspects
from askless.check.target import Finding, Target
from askless.judge.noted import Noted
from askless.judge.process import crash
from askless.judge.room import Outcome, Room
from askless.judge.sandbox import OUTPUT_BYTES, End
from askless.judge.verdict import Scenario, Status
from askless.record import Recorder
from askless.share import RUN_BYTES
from askless.task import Numbers, Task
from askless.trace import Trace

UNCOUNTED = {"exposed", "timed_out", "output", "fault"}  # a run that these end is cut off at a moment that is chance

SUSPECTS = 20  # the most that are told of a run

PLAIN = {  # what is said of an ending on a held-back desk, where the usual words may hold some of that desk
    "answer_not_text": "`answer` did not return text",
    "ended_early": "the program ended before `answer` had returned",
    "lab_fault": "a fault of the lab",
}


@dataclass(frozen=True)
class Ran:
    """One run on one desk. `trace` is the parent's recording; `outcome` is no more than the child's words."""

    name: str
    room: Room
    end: End
    outcome: Outcome
    trace: Trace
    measured: Numbers
    dishonest: tuple[Finding, ...]

    @property
    def answered(self) -> bool:
        """Whether `answer` returned something, within every limit."""
        return self.end.how == "exited" and (self.outcome.text, self.outcome.not_text) != (None, None)

    def meets(self, target: Target) -> bool:
        """Whether the agent answered, honestly, and kept every limit."""
        return self.answered and not self.dishonest and check.met(self.measured, target)


def ran(
    task: Task,
    name: str,
    room: Room,
    end: End,
    is_right: Callable[[str], bool],
    measure: Callable[[Trace], Numbers],
) -> Ran:
    """A run that ended, its answer held against its desk and against what it looked up there."""
    outcome = room.outcome or Outcome()
    answer = outcome.text if outcome.text is not None and len(outcome.text) <= crash.ANSWER_CHARS else None
    about = {"task": task.name, "model": "scripted", "question": room.desk.question, "answer": answer}
    try:
        trace = room.recorder.trace(**about)
        return Ran(name, room, end, outcome, *_weighed(trace, room.desk, end, cache(is_right), measure))
    except Exception as error:  # a fault of the lab, which costs this run alone
        room.fault = f"{type(error).__name__}: {error}"
        return Ran(name, room, replace(end, how="fault"), outcome, Recorder().trace(**about), {}, ())


def _weighed(
    trace: Trace, desk: Noted, end: End, is_right: Callable[[str], bool], measure: Callable[[Trace], Numbers]
) -> tuple[Trace, Numbers, tuple[Finding, ...]]:
    """A trace with whether its answer is right, what it measures, and why a right answer is not honest work."""
    trace = replace(trace, answer_right=trace.answer is not None and is_right(trace.answer))
    dishonest = honest.findings(trace, desk.given, desk.left, is_right) if end.how == "exited" else []
    by_chance = end.how in UNCOUNTED or (end.how in ("requests", "bytes") and _has_branches(trace))
    return trace, {} if by_chance else measure(trace), tuple(dishonest)


def _has_branches(trace: Trace) -> bool:
    """Whether there were several conversations; which of their requests a limit lets through is chance."""
    return any(trip.extends != before for before, trip in enumerate(trace.round_trips[1:]))


def shown(run: Ran, target: Target) -> Scenario:
    """The scenario of a run that its learner may see whole."""
    seen = suspects(run.trace)[:SUSPECTS] if run.measured else []
    findings = [*endings(run), *run.dishonest, *seen, *_missed(run, target)]
    return Scenario(run.name, _status(run, target), run.measured, tuple(map(_cut, findings)))


def _cut(finding: Finding) -> Finding:
    """A finding that no names of an agent's own make endless."""
    return replace(finding, what=crash.capped(finding.what), next=crash.capped(finding.next))


def bare(run: Ran, target: Target) -> Scenario:
    """The same where failures are planned: nothing is made of what a single request cost."""
    findings = (*endings(run), *run.dishonest, *_missed(run, target))
    return Scenario(run.name, _status(run, target), run.measured, findings)


def held_back(run: Ran, target: Target, first: Ran) -> Scenario:
    """The scenario of a run on a desk that its learner has not seen: counts, and nothing that was said there.

    `first` is the same agent's run on the desk that they know.
    """
    by_heart = Finding(
        "only_knows_shown_desk",
        "the agent only knows the shown desk: its answer is right there, and wrong on another desk of the same shape",
        "work the answer out from what the tools give",
    )
    wrong = first.trace.answer_right and run.answered and not run.trace.answer_right
    findings = (*_elsewhere(run, first), *([by_heart] if wrong else []), *run.dishonest, *_missed(run, target))
    return Scenario(run.name, _status(run, target), run.measured, findings)


def not_run(name: str, fault: str) -> Scenario:
    """The scenario of a run that a fault of the lab kept from any end."""
    return Scenario(name, "not_graded", {}, (_lab_fault(fault),))


def _lab_fault(fault: str) -> Finding:
    return Finding("lab_fault", f"a fault of the lab: {fault}", "run make install, then this again")


def _status(run: Ran, target: Target) -> Status:
    match run.end.how:
        case "fault" | "exposed":
            return "not_graded"
        case "timed_out":
            return "timed_out"
        case "requests" | "bytes" | "output":
            return "missed"
    if not run.answered:
        return "crashed"
    return "reached" if run.meets(target) else "missed"


def _missed(run: Ran, target: Target) -> list[Finding]:
    return check.findings(run.measured, target) if run.answered else []


def endings(run: Ran) -> Iterator[Finding]:
    """Why a run came to no answer, or to none that counts."""
    match run.end.how:
        case "fault":
            yield _lab_fault(str(run.room.fault))
        case "exposed":
            what = "nothing was run: this machine does not isolate runs, and you require that"
            yield Finding("not_isolated", what, "askless preflight says what is missing")
        case "timed_out":
            what = f"there was no answer after {run.room.timeout_s:g} seconds"
            yield Finding("timed_out", what, "look for a loop that never ends, or give it more time: --timeout S")
        case "requests":
            what = f"{run.room.requests} requests were sent and there was no answer"
            yield Finding("too_many_requests", what, "leave the loop when stop_reason is end_turn")
        case "bytes":
            what = f"the program sent and was sent over {RUN_BYTES:,} bytes"
            yield Finding("too_many_bytes", what, "send no more than the work needs: short results, no copies")
        case "output":
            yield Finding("too_much_output", f"the program printed over {OUTPUT_BYTES:,} bytes", "print less")
        case _:
            yield from _of_outcome(run)


def _of_outcome(run: Ran) -> Iterator[Finding]:
    if run.outcome.crash:
        found = run.outcome.crash.finding
        yield found if found.id in crash.KINDS else replace(found, id="exception")
    elif run.outcome.not_text is not None:
        what = f"`answer` returned {run.outcome.not_text}, not text"
        yield Finding("answer_not_text", what, "return the text of the model's last reply")
    elif run.outcome.text is None:
        yield _ended_early(run.end.status)
    elif run.trace.answer is None:
        what = f"the answer is longer than {crash.ANSWER_CHARS:,} characters"
        yield Finding("answer_too_long", what, "return the text of the model's last reply")
    elif not run.dishonest and not last_words(run.trace):
        what = "the model never gave an answer: no reply ended its turn"
        yield Finding("no_model_answer", what, "send the results back until stop_reason is end_turn")


def _ended_early(status: int) -> Finding:
    how = f"signal {-status} ({signal.Signals(-status).name})" if status < 0 else f"exit status {status}"
    what = f"the program ended with {how} before `answer` had returned"
    return Finding("ended_early", what, "let `answer` return its text, and end no process in it")


def _elsewhere(run: Ran, first: Ran) -> Iterator[Finding]:
    """The endings on a held-back desk, without what the program itself said there."""
    if not run.outcome.crash or run.end.how != "exited":
        for finding in endings(run):
            yield replace(finding, what=PLAIN.get(finding.id, finding.what))
    elif first.outcome.crash:
        for finding in endings(first):
            yield replace(finding, what="the program crashed here, too")
    else:
        what = "the program crashed on a desk it had not seen"
        yield Finding("crashed_elsewhere", what, "assume nothing that holds on the desk you know alone")
