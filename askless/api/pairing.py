"""Calls and their results: who speaks first, what answers what, and who speaks last.

Neighbouring messages of one role are one turn (catalog: sdk-consecutive-turns-merged). So the results of a reply may
come in several user messages in a row, and a text among them stands before the results that follow it, wherever it
was sent: it breaks the rule that results come first (catalog: tool-result-format).
"""

from dataclasses import dataclass, field
from typing import Any

from askless.api.conversation import Message
from askless.api.refusal import Refusal, Rule, invalid

_WITHOUT_RESULTS = (
    "messages.{turn}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each "
    "`tool_use` block must have a corresponding `tool_result` block in the next message."
)
FIRST_ROLE = invalid(
    "first-role",
    what="The first message is the user's.",
    text='messages: first message must use the "user" role',
    mend="Begin the messages with the user's question.",
    known=("reported", "report-first-role", "2024-09-13"),
)
IDS_UNIQUE = invalid(
    "call-ids-unique",
    what="No two calls of a conversation have the same id.",
    text="{place}: `tool_use` ids must be unique",
    mend="Append each reply once.",
    known=("reported", "report-call-ids-unique", "2026-02-25"),
)
RESULT_MISSING = invalid(
    "result-missing",
    what="Every call is answered by a tool_result in the user's turn right after it.",
    text=_WITHOUT_RESULTS,
    mend="Answer every call of the reply before anything else is said; a call that was not run gets a tool_result "
    "with is_error true.",
    known=("documented", "tool-result-missing-error", "2026-08-22"),
)
TEXT_FIRST = invalid(
    "text-before-result",
    what="In the turn that answers calls, all results come first; text comes after the last of them.",
    text=_WITHOUT_RESULTS,
    mend="Move what stands at {place} behind the results.",
    known=("documented", "tool-result-format", "2026-08-22"),
)
RESULT_UNEXPECTED = invalid(
    "result-unexpected",
    what="A tool_result answers a call of the assistant's turn right before it, not an earlier one.",
    text="{place}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a "
    "corresponding `tool_use` block in the previous message.",
    mend="Send each result right after its call, with the id of that call; trim a history by whole exchanges.",
    known=("reported", "report-result-unexpected", "2026-02-16"),
)
RESULT_TWICE = invalid(
    "result-twice",
    what="A call has one result.",
    text="{place}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}",
    mend="Remove {place}.",
    known=("reported", "report-result-twice", "2026-08-15"),
)
RESULTS_SPLIT = invalid(
    "results-split",
    what="Only with --strict-backend: all results of a reply come in one user message. Some compatible services "
    "refuse a second one; Claude's API joins them.",
    text=_WITHOUT_RESULTS,
    mend="Send all results of a reply in one user message.",
    known=("reported", "report-results-split", "2025-12-01"),
)
SYSTEM_PLACE = invalid(
    "system-message-place",
    what="A message of the role system follows a user's turn, comes last or before the assistant's turn, and never "
    "between a call and its result.",
    text="{place}: a `system` message must follow a `user` turn and be last or come before an `assistant` turn",
    mend="Move the message behind the user's turn, or use the system field of the request.",
    known=("documented", "mid-conversation-system-messages", "2026-08-25"),
    wording="askless",
)
PREFILL = invalid(
    "prefill",
    what="The last message is not the assistant's. (Models up to 4.5 still take one; askless refuses it for all.)",
    text="This model does not support assistant message prefill. The conversation must end with a user message.",
    mend="End the messages with a user message.",
    known=("documented", "sdk-request-types", "2026-11-29"),
)
RULES: tuple[Rule, ...] = (
    FIRST_ROLE,
    IDS_UNIQUE,
    RESULT_MISSING,
    TEXT_FIRST,
    RESULT_UNEXPECTED,
    RESULT_TWICE,
    RESULTS_SPLIT,
    SYSTEM_PLACE,
    PREFILL,
)


@dataclass
class Pairing:
    """How the calls and results stand after some messages."""

    role: str = ""  # of the last message
    seen: set[str] = field(default_factory=set)  # ids of calls, ever
    open: dict[str, int] = field(default_factory=dict)  # calls without a result: id -> message
    answered: set[str] = field(default_factory=set)  # calls of the last assistant's turn that have theirs
    interrupted: str = ""  # where the user's turn first held something else than a result
    results_in: int = -1  # the message of the user's turn that held results last
    fault: Refusal | None = None
    strict_fault: Refusal | None = None  # the same, where results must not be split

    def hear(self, index: int, message: Message) -> None:
        """Take in a message whose shape is right. After a fault nothing more is learned."""
        if self.fault:
            return
        role = message["role"]
        if role != self.role:
            self._turn(index, role)
        content = message["content"]
        if role == "user" and isinstance(content, str):
            self.interrupted = self.interrupted or f"messages.{index}.content"
        for at, block in enumerate(content if isinstance(content, list) else ()):
            self._block(index, f"messages.{index}.content.{at}", role, block)
        self.role = role

    def refusal(self, *, strict: bool) -> Refusal | None:
        """The first fault, were this the whole conversation."""
        fault = self.strict_fault if strict else self.fault
        if fault or self.role != "assistant":
            return fault or self._missing()
        return self._missing() or PREFILL.refuse("messages")

    def _turn(self, index: int, role: str) -> None:
        """Another role speaks."""
        if not self.role and role != "user":
            self._note(FIRST_ROLE.refuse("messages.0.role"))
        if role == "system" and (self.role != "user" or self.open):
            self._note(SYSTEM_PLACE.refuse(f"messages.{index}"))
        if self.role == "system" and role != "assistant":
            self._note(SYSTEM_PLACE.refuse(f"messages.{index - 1}"))
        if role == "assistant":
            self._note(self._missing())
            self.open, self.answered = {}, set()
        self.interrupted, self.results_in = "", -1

    def _block(self, index: int, place: str, role: str, block: dict[str, Any]) -> None:
        if self.fault:
            return
        if block["type"] == "tool_use":
            self._call(index, place, block["id"])
        elif block["type"] == "tool_result":
            self._result(index, place, block["tool_use_id"])
        elif role == "user":
            self.interrupted = self.interrupted or place

    def _call(self, index: int, place: str, id_: str) -> None:
        if id_ in self.seen:
            self._note(IDS_UNIQUE.refuse(place))
        self.seen.add(id_)
        self.open[id_] = index

    def _result(self, index: int, place: str, id_: str) -> None:
        if id_ not in self.open:
            rule = RESULT_TWICE if id_ in self.answered else RESULT_UNEXPECTED
            self._note(rule.refuse(place, id=id_))
            return
        if self.interrupted:
            self._note(self._without_results(TEXT_FIRST, self.interrupted))
        elif self.results_in not in (-1, index):
            self.strict_fault = self.strict_fault or self._without_results(RESULTS_SPLIT, f"messages.{index}")
        del self.open[id_]
        self.answered.add(id_)
        self.results_in = index

    def _missing(self) -> Refusal | None:
        """The refusal of the calls that have no result yet."""
        return self._without_results(RESULT_MISSING) if self.open else None

    def _without_results(self, rule: Rule, place: str = "") -> Refusal:
        turn = next(iter(self.open.values()))
        return rule.refuse(place or f"messages.{turn}", turn=turn, ids=", ".join(self.open))

    def _note(self, fault: Refusal | None) -> None:
        self.fault = self.fault or fault
        self.strict_fault = self.strict_fault or fault
