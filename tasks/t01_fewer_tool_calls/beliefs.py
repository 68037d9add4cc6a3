"""Wrong ideas of how a run goes, each as the run that a person who holds it would imagine."""

from collections.abc import Callable
from dataclasses import replace

from askless.api.parts import tokens
from askless.learn.belief import Belief
from askless.learn.retell import (
    Imagined,
    as_measured,
    by_tool,
    failed,
    message_by_message,
    results_split,
    retold,
    rounds,
)
from askless.trace import Call, RoundTrip, Sent, Trace


def one_by_one(trace: Trace) -> list[Imagined]:
    """One call in each reply, then the answer."""
    return retold(trace, [[call] for reply in rounds(trace) for call in reply])


def trips_are_calls(trace: Trace) -> list[Imagined]:
    """One call in each reply, and no more requests."""
    return one_by_one(trace)[:-1]


def answer_is_free(trace: Trace) -> list[Imagined]:
    """The measured run without its last request."""
    return as_measured(trace)[:-1]


def split_is_free(trace: Trace) -> list[Imagined]:
    """All calls of one tool in one reply, though results come back split."""
    return retold(trace, by_tool(trace)) if results_split(trace) else as_measured(trace)


def split_from_the_start(trace: Trace) -> list[Imagined]:
    """One call in each reply, the first included, where results come back split."""
    return one_by_one(trace) if results_split(trace) else as_measured(trace)


def all_at_once(trace: Trace) -> list[Imagined]:
    """Every call in the first reply."""
    return retold(trace, [[call for reply in rounds(trace) for call in reply]])


def lists_at_once(trace: Trace) -> list[Imagined]:
    """Every call in the first reply, where tools take lists."""
    takes_lists = any(_items(call) for trip in trace.round_trips for call in trip.calls)
    return all_at_once(trace) if takes_lists else as_measured(trace)


def statuses_apart(trace: Trace) -> list[Imagined]:
    """The one step of calls twice, as if its second half had to be asked for."""
    asked = rounds(trace)
    return retold(trace, asked * 2) if len(asked) == 1 else as_measured(trace)


def failure_asked_again(trace: Trace) -> list[Imagined]:
    """Each failed call once more: beside the next reply's calls, or alone where those come one by one."""
    replies: list[list[str]] = []
    again: list[str] = []
    for reply in rounds(trace):
        replies += [again, reply] if again and results_split(trace) else [[*again, *reply]]
        again = [call for call in reply if call in failed(trace)]
    return retold(trace, [*replies, again] if again else replies)


def unknown_not_asked(trace: Trace) -> list[Imagined]:
    """The run without the calls that failed."""
    replies = [[call for call in reply if call not in failed(trace)] for reply in rounds(trace)]
    return retold(trace, [reply for reply in replies if reply])


def each_item_a_call(trace: Trace) -> list[Imagined]:
    """A call with a list counted once for each item."""
    calls = [sum(_items(call) or 1 for call in trip.calls) for trip in trace.round_trips]
    return [replace(request, tool_calls=own) for request, own in zip(as_measured(trace), calls, strict=True)]


def all_the_same_size(trace: Trace) -> list[Imagined]:
    """Every request as large as the first."""
    run = as_measured(trace)
    return [replace(request, input_tokens=run[0].input_tokens) for request in run]


def only_what_is_new(trace: Trace) -> list[Imagined]:
    """Each request at what it adds to the one before."""
    return [Imagined(len(trip.calls), trace.new_tokens(index)[-1]) for index, trip in enumerate(trace.round_trips)]


def replies_counted(trace: Trace) -> list[Imagined]:
    """Each request with the tokens of its reply."""
    return [Imagined(len(trip.calls), trip.input_tokens + trip.output_tokens) for trip in trace.round_trips]


def history_not_sent(trace: Trace) -> list[Imagined]:
    """Each request with its new messages and all that stands around them."""
    return _counting(trace, lambda trip, sent: sent.first_sent == trip.n or sent in trip.frame)


def tools_sent_once(trace: Trace) -> list[Imagined]:
    """The tools in the first request only."""
    return _counting(trace, lambda trip, sent: sent.first_sent == trip.n or sent.part.kind != "tools")


def tools_free(trace: Trace) -> list[Imagined]:
    """Every request without its tools."""
    return _counting(trace, lambda trip, sent: sent.part.kind != "tools")


def results_free(trace: Trace) -> list[Imagined]:
    """Every request without its tool results."""
    return _counting(trace, lambda trip, sent: sent.part.kind != "results")


def _counting(trace: Trace, counts: Callable[[RoundTrip, Sent], bool]) -> list[Imagined]:
    """The measured run with only some parts of each request counted."""
    run = []
    for index, trip in enumerate(trace.round_trips):
        chars = sum(sent.part.chars for sent in trace.parts(index) if counts(trip, sent))
        run.append(Imagined(len(trip.calls), tokens(chars)))
    return run


def _items(call: Call) -> int:
    """How many things a call names in lists."""
    return sum(len(value) for value in call.input.values() if isinstance(value, list))


BELIEFS = (
    Belief(
        "trips-are-calls",
        "each tool call is one round trip, and there are no others",
        "a reply can hold many calls, and the answer takes a round trip of its own",
        trips_are_calls,
    ),
    Belief(
        "answer-is-free",
        "the final answer costs no round trip",
        "the model sees the last results only in one more request, and its reply to that one is the answer",
        answer_is_free,
    ),
    Belief(
        "one-call-a-reply",
        "every reply asks for one thing",
        "a reply asks for everything that can be asked for by then, unless split results have taught it not to",
        one_by_one,
    ),
    Belief(
        "split-is-free",
        "it does not matter in how many user messages the results come back",
        "results that come back split end parallel calls: from then on each reply makes one",
        split_is_free,
    ),
    Belief(
        "split-from-the-start",
        "where results come back split, even the first reply asks for one thing",
        "the first reply is written before any result has come back, so it still asks for many things",
        split_from_the_start,
    ),
    Belief(
        "all-at-once",
        "everything can be asked for in the first reply",
        "a status cannot be asked for before the order numbers are known, so there are two steps",
        all_at_once,
    ),
    Belief(
        "lists-at-once",
        "a tool that takes a list does the whole job in one round trip",
        "a list joins calls of one step, not two steps that wait for each other",
        lists_at_once,
    ),
    Belief(
        "statuses-apart",
        "the statuses still take a call and a round trip of their own",
        "the one tool gives the statuses with the orders, so there is nothing left to ask for",
        statuses_apart,
    ),
    Belief(
        "each-item-a-call",
        "a call with a list is one call for each thing in the list",
        "it is one call: one block in the reply, one result",
        each_item_a_call,
    ),
    Belief(
        "message-is-trip",
        "each user message is a round trip",
        "a request can carry several user messages, and it is the request that counts",
        message_by_message,
    ),
    Belief(
        "failure-asked-again",
        "a call that failed is made once more",
        "the result says that the customer does not exist, so asking again cannot help",
        failure_asked_again,
    ),
    Belief(
        "unknown-not-asked",
        "a customer who does not exist is never asked for",
        "the model learns that there is no such customer only by asking once",
        unknown_not_asked,
    ),
    Belief(
        "history-not-sent",
        "a request holds its new messages and the tools, not the conversation before",
        "the API keeps nothing, so every request holds the whole conversation again",
        history_not_sent,
    ),
    Belief(
        "tools-sent-once",
        "the tools are sent once, with the first request",
        "the API keeps nothing, so every request brings the tools again",
        tools_sent_once,
    ),
    Belief(
        "only-what-is-new",
        "text is counted once, when it is first sent",
        "what is sent again is counted again, in every request that holds it",
        only_what_is_new,
    ),
    Belief(
        "all-the-same-size",
        "every request is about as large as the first",
        "each request holds the whole one before it, and the newest calls and results",
        all_the_same_size,
    ),
    Belief(
        "replies-counted",
        "the tokens counted here take in what the model writes",
        "these counts are of what is sent; a reply counts from the next request on, as part of the conversation",
        replies_counted,
    ),
    Belief(
        "tools-free",
        "the list of tools costs nothing",
        "the tools are text in every request, and they are counted",
        tools_free,
    ),
    Belief(
        "results-free",
        "what your own tools give back costs nothing",
        "results are sent to the model, and sent again with every later request",
        results_free,
    ),
)
