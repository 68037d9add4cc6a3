"""Which requests, calls and tokens of a run were avoidable, and which change removes each.

The costs are estimates that put the suspects in order; what a finding says is counted from the trace.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from askless.api.parts import as_json
from askless.check import evidence
from askless.check.target import Finding
from askless.trace import NO_RESPONSE, Call, RoundTrip, Trace

ENOUGH = 2  # errors with one input; after an error one more try is fair
FEW_WORDS = 3  # a description below this is tiny

PASSING = (NO_RESPONSE, 429, 500, 504, 529)  # nothing was wrong with the request (catalog: errors-429-529)
TRY_AGAIN = "send it again once you have waited as long as the answer says, or half a second and more each time"


class Cost(NamedTuple):
    """What a suspect is estimated to have cost; a wrong answer outweighs every number."""

    wrong: bool = False
    requests: int = 0
    tokens: int = 0
    calls: int = 0


Suspect = tuple[Cost, Finding]


def suspects(trace: Trace) -> list[Finding]:
    """What made the run dearer than it had to be, costliest first."""
    found = [suspect for look in LOOKS for suspect in look(trace)]
    ids = {finding.id for _, finding in found}
    if not ids & {"split_results", "one_item_tools"}:  # the cheaper changes come first
        found += chained_tools(trace)
    return [finding for _, finding in sorted(found, key=lambda suspect: suspect[0], reverse=True)]


def split_results(trace: Trace) -> Iterator[Suspect]:
    """Results of one reply sent back in several user messages: the model learns to ask for one thing at a time."""
    split = list(evidence.split(trace))
    if not split:
        return
    first, messages = split[0]
    alone = list(evidence.asked_alone(trace, after=first.n))
    replies = f" (and so in {len(split) - 1} more)" if len(split) > 1 else ""
    yield (
        Cost(requests=len(alone), tokens=sum(trip.input_tokens for trip in alone)),
        Finding(
            "split_results",
            f"the {len(first.calls)} results of reply {first.n} came back in {messages} user messages{replies}; "
            f"after that the model asked for one thing at a time: {_many(len(alone), 'request')} more than one "
            "parallel reply would have needed",
            "put all results of one reply into one user message",
        ),
    )


def one_item_tools(trace: Trace) -> Iterator[Suspect]:
    """Tools that were called again and again, each time for one item."""
    calls: defaultdict[str, dict[str, Call]] = defaultdict(dict)
    for call in evidence.calls(trace):
        if not any(isinstance(value, list) for value in call.input.values()):
            calls[call.name][as_json(call.input)] = call
    often = {name: list(distinct.values()) for name, distinct in calls.items() if len(distinct) > 1}
    if not often:
        return
    named = " and ".join(f"{name} {len(distinct)} times" for name, distinct in often.items())
    spare = {call.id for distinct in often.values() for call in distinct[1:]}
    yield (
        Cost(calls=len(spare), tokens=evidence.resent_tokens(trace, spare)),
        Finding("one_item_tools", f"called {named}, each time for one item", "offer a tool that takes a list of items"),
    )


def unknown_tools(trace: Trace) -> Iterator[Suspect]:
    """Calls of an offered tool that the agent answered as if there were no such tool."""
    failed = Counter(call.name for call in evidence.calls(trace) if call.is_error and evidence.disowned(call))
    for name, count in failed.items():
        if name in evidence.described(trace):
            what = f"{_many(count, 'call')} of {name} failed: the agent runs no tool of that name"
            cost = Cost(trace.answer_right is False, calls=count)
            yield cost, Finding("unknown_tools", what, f"run a tool for the name {name}, as it is offered")


def unflagged_errors(trace: Trace) -> Iterator[Suspect]:
    """Results that read like an error but are not marked as one: the model takes them for data."""
    bad = [call for call in evidence.calls(trace) if not call.is_error and evidence.reads_like_error(call)]
    if bad:
        shown = evidence.text(bad[0].result)[:60]
        what = f"{_many(len(bad), 'result')} of {bad[0].name} read like an error without is_error, the first {shown!r}"
        yield Cost(trace.answer_right is False, calls=len(bad)), Finding("unflagged_errors", what, "set is_error on it")


def vague_descriptions(trace: Trace) -> Iterator[Suspect]:
    """Tools that the model tried with one item first, or whose description is next to nothing."""
    trials = evidence.trials(trace)
    for name, (first, then) in trials.items():
        what = f"{name} was tried with one item in reply {first.n} and trusted with more in reply {then.n}"
        say = f"say in the description of {name} what it takes and what it gives"
        yield Cost(requests=1, tokens=then.input_tokens), Finding("vague_descriptions", what, say)
    for name, words in evidence.described(trace).items():
        if words < FEW_WORDS and name not in trials:
            what = f"the description of {name} is {_many(words, 'word')} long"
            yield Cost(), Finding("vague_descriptions", what, f"say what {name} takes and what it gives")


def repeated_calls(trace: Trace) -> Iterator[Suspect]:
    """The same tool called with the same input again after it had answered, or had failed twice."""
    answers: Counter[tuple[str, str]] = Counter()
    again: Counter[str] = Counter()
    wasted: list[RoundTrip] = []
    for trip in trace.round_trips:
        known = [call for call in trip.calls if answers[_key(call)] >= ENOUGH]
        again.update(call.name for call in known)
        wasted += [trip] if known and len(known) == len(trip.calls) else []
        for call in trip.calls:
            answers[_key(call)] += 1 if call.is_error else ENOUGH
    if again:
        named = " and ".join(f"{name} {_many(times, 'time')}" for name, times in again.items())
        cost = Cost(requests=len(wasted), tokens=sum(trip.input_tokens for trip in wasted), calls=again.total())
        what = f"called {named} again with an input that it had had before"
        yield cost, Finding("repeated_calls", what, "keep every result in the conversation")


def failed_requests(trace: Trace) -> Iterator[Suspect]:
    """Requests that were refused or lost: each counts, and its tokens too."""
    by_rule: defaultdict[str, list[RoundTrip]] = defaultdict(list)
    for trip in trace.round_trips:
        if trip.failed:
            by_rule[_error(trip).get("details", {}).get("rule") or str(trip.status)].append(trip)
    for rule, trips in by_rule.items():
        first = _error(trips[0])
        numbers = ", ".join(str(trip.n) for trip in trips[:5]) + (" and more" if len(trips) > 5 else "")
        what = (
            f"{_many(len(trips), 'request')} failed ({numbers}) with {trips[0].status}, rule {rule}: {first['message']}"
        )
        mend = first.get("details", {}).get("mend") or "send a request that the API takes"
        cost = Cost(trace.answer_right is False, len(trips), sum(trip.input_tokens for trip in trips))
        yield cost, Finding("failed_requests", what, mend)


def past_the_answer(trace: Trace) -> Iterator[Suspect]:
    """Requests that go on in a conversation that had its answer."""
    ended: set[int] = set()
    late: list[RoundTrip] = []
    for index, trip in enumerate(trace.round_trips):
        if trip.extends in ended:
            late.append(trip)
            ended.add(index)
        elif trip.reply.get("stop_reason") == "end_turn":
            ended.add(index)
    if late:
        cost = Cost(requests=len(late), tokens=sum(trip.input_tokens for trip in late))
        what = f"{_many(len(late), 'request')} sent after the model had answered, the first of them request {late[0].n}"
        yield cost, Finding("past_the_answer", what, "return the text as soon as stop_reason is end_turn")


LOOKS = (
    split_results,
    one_item_tools,
    unknown_tools,
    unflagged_errors,
    vague_descriptions,
    repeated_calls,
    failed_requests,
    past_the_answer,
)


def chained_tools(trace: Trace) -> Iterator[Suspect]:
    """Calls that only pass on what another tool gave: the program could have gone from one to the other by itself."""
    asked: set[str] = set()
    given: set[str] = set()
    for trip in trace.round_trips:
        asked |= evidence.words(as_json([message for message in trip.added if evidence.is_question(message)]))
        learned = given - asked
        passed_on = [call for call in trip.calls if any(leaf in learned for leaf in evidence.leaves(call.input))]
        if passed_on and len(passed_on) == len(trip.calls):
            what = f"reply {trip.n} only passed on to {passed_on[0].name} what an earlier tool had given"
            say = f"let one tool, shaped for the question, do the work of {passed_on[0].name} as well"
            yield Cost(requests=1, tokens=trip.input_tokens), Finding("chained_tools", what, say)
            return
        given |= evidence.words(" ".join(evidence.text(call.result) for call in trip.calls))


def _key(call: Call) -> tuple[str, str]:
    return call.name, json.dumps(call.input, sort_keys=True)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _error(trip: RoundTrip) -> dict[str, Any]:
    """The error in a failed reply; of a lost or a cut one, one that says so."""
    if trip.cut:
        details = {"rule": "cut", "mend": "ask again where stop_reason is None: the reply is not whole"}
        return {"message": "the stream ended before its stop reason", "details": details}
    error = trip.reply.get("error")
    said: dict[str, Any] = error if isinstance(error, dict) else {"message": "no response"}
    passing = trip.status in PASSING
    return {**said, "details": {**({"mend": TRY_AGAIN} if passing else {}), **(said.get("details") or {})}}
