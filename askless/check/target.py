"""Is a rung's target met? What was measured against it, as findings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WORDS = {"round_trips": "round trips", "tool_calls": "tool calls", "input_tokens": "input tokens"}
NEXT = {
    "round_trips": "see what each request waited for, and let one reply ask for it all",
    "tool_calls": "let one call do what several do now",
    "input_tokens": "find in your trace what is sent again and again, and send less of it",
    "answer_right": "compare your answer with what the tools were given and gave back",
}


def counted(number: int, things: str) -> str:
    """So many things in words: 1 tool call, 1,408 input tokens."""
    return f"{number:,} {things.removesuffix('s') if number == 1 else things}"


@dataclass(frozen=True)
class Finding:
    """What was seen, with its numbers, and one act that would change it. `id` names the kind of finding."""

    id: str
    what: str
    next: str


@dataclass(frozen=True)
class Target:
    """Limits of a rung, or of what `kind` says: a number is the most allowed, anything else must be equal."""

    rung: str
    limits: Mapping[str, Any]
    kind: str = "rung"

    def __str__(self) -> str:
        return f"{self.kind} {self.rung}"


def findings(measured: Mapping[str, Any], target: Target) -> list[Finding]:
    """Each limit that was not kept, in the target's order; none means that the target is met.

    A target without limits is never met, nor is one whose measure is missing.
    """
    if not target.limits:
        return [Finding("no_target", f"{target} has no target", "choose a rung that has one")]
    missed = [name for name, limit in target.limits.items() if not _kept(measured.get(name), limit)]
    return [_finding(name, measured.get(name), target) for name in missed]


def met(measured: Mapping[str, Any], target: Target) -> bool:
    """Whether every limit was kept."""
    return not findings(measured, target)


def _kept(value: Any, limit: Any) -> bool:
    if _is_number(limit):
        return _is_number(value) and bool(value <= limit)
    return type(value) is type(limit) and bool(value == limit)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _finding(name: str, value: Any, target: Target) -> Finding:
    words = WORDS.get(name, name.replace("_", " "))
    if name == "answer_right":
        what = "the answer is wrong"
    elif _is_number(value) and _is_number(target.limits[name]):
        what = f"{value:,} {words}; {target} takes at most {target.limits[name]:,}"
    else:
        what = f"{words}: {value!r}; {target} wants {target.limits[name]!r}"
    return Finding(name, what, NEXT.get(name, "compare your trace with the worked rung's"))
