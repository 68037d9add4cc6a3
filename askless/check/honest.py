"""Was a right answer come by honestly: said by the model, from what its own calls brought it?"""

import re
from collections.abc import Callable, Collection

from askless.check import evidence
from askless.check.target import Finding
from askless.trace import Trace

WITHOUT_MODEL = Finding(
    "answers_without_model",
    "the agent answers without the model: its answer is right, and no reply that ended the model's turn says so",
    "return the text of the model's last reply",
)


def findings(
    trace: Trace, facts: Collection[str], looked_up: Collection[str], is_right: Callable[[str], bool]
) -> list[Finding]:
    """What a right answer was got by instead of work; of a wrong one there is nothing to say here.

    `facts` is what the desk gives whoever does the work, `looked_up` what it gave this run. Each fact
    that the answer names must have been looked up, and have reached the model in the result of a call
    that the model made.
    """
    answer = trace.answer
    if answer is None or not is_right(answer):
        return []
    words = evidence.last_words(trace)
    if not is_right("\n".join(words)) and not any(map(is_right, words)):  # a part in each conversation, or all in one
        return [WITHOUT_MODEL]
    reached = named(facts, evidence.given(trace)) & {fact.casefold() for fact in looked_up}
    unproven = named(facts, answer) - reached
    if unproven or not trace.totals.tool_calls:
        return [_from_memory(len(unproven), trace)]
    return []


def named(facts: Collection[str], text: str) -> set[str]:
    """Which facts a text names as whole words, in lower case."""
    longest_first = sorted({fact for fact in facts if fact}, key=lambda fact: (-len(fact), fact))
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)"
    return {match.casefold() for match in re.findall(pattern, text, re.IGNORECASE)}


def _from_memory(unproven: int, trace: Trace) -> Finding:
    if not trace.totals.tool_calls:
        what = "the agent answers from memory: the model called no tool"
    else:
        facts = "1 fact" if unproven == 1 else f"{unproven} facts"
        what = f"the agent answers from memory: {facts} of its answer came from no look-up in the result of a call"
    return Finding("answers_from_memory", what, "let the model call a tool, look up what it asks, and send that back")
