"""Was a right answer come by honestly: said by the model, from what its own calls brought it?"""

import re
from collections.abc import Callable, Collection, Iterator

from askless.check import evidence
from askless.check.target import Finding, counted
from askless.trace import Trace

FACTS = 100  # that are looked for in an answer: of ten thousand things a part is evidence enough

WITHOUT_MODEL = Finding(
    "answers_without_model",
    "the agent answers without the model: its answer is right, and no reply that ended the model's turn says so",
    "return the text of the model's last reply",
)


def findings(
    trace: Trace, facts: Collection[str], left: Callable[[str | None], int], is_right: Callable[[str], bool]
) -> list[Finding]:
    """What a right answer was got by instead of work; of a wrong one there is nothing to say here.

    `facts` is what the desk gave this run; `left` tells how many of the look-ups that the answer takes were not made
    before the model said a text, or (None) before it last ended its turn.
    The facts that the answer names must have reached the model in the results of calls that the model made.
    """
    answer = trace.answer
    if answer is None or not is_right(answer):
        return []
    words = evidence.last_words(trace)
    whole = next(filter(is_right, words), None)
    if whole is None and not is_right("\n".join(words)):  # a part in each conversation
        return [WITHOUT_MODEL]
    return [_from_memory(why) for why in _unproven(trace, answer, facts, left(whole))][:1]


def _unproven(trace: Trace, answer: str, facts: Collection[str], left: int) -> Iterator[str]:
    """Why an answer is no proof of work."""
    if not trace.totals.tool_calls:
        yield "the model called no tool"
    if left:
        yield f"{counted(left, 'look-ups')} that it takes {'was' if left == 1 else 'were'} not made before it was given"
    some = sorted(facts)[:FACTS]
    if unseen := named(some, answer) - named(some, evidence.given(trace)):
        yield f"{counted(len(unseen), 'facts')} of it came in the result of no call"


def named(facts: Collection[str], text: str) -> set[str]:
    """Which facts a text names as whole words, in lower case."""
    longest_first = sorted({fact for fact in facts if fact}, key=lambda fact: (-len(fact), fact))
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)"
    return {match.casefold() for match in re.findall(pattern, text, re.IGNORECASE)}


def _from_memory(why: str) -> Finding:
    what = f"the agent answers from memory: its answer is right, and {why}"
    return Finding("answers_from_memory", what, "let the model call a tool, look up what it asks, and send that back")
