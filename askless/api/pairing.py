"""Calls and their results: who speaks first, what answers what, and who speaks last.

Neighbouring messages of one role are one turn (catalog: sdk-consecutive-turns-merged). So the results of a reply may
come in several user messages in a row, and a text among them stands before the results that follow it, wherever it
was sent: it breaks the rule that results come first (catalog: tool-result-format).
"""

from dataclasses import dataclass, field
from typing import Any

from askless.api.conversation import Message
from askless.api.refusal import Refusal, refuse

CLIENT = ("text", "thinking", "redacted_thinking", "tool_use")  # what an assistant's own message may end with


@dataclass
class Pairing:
    """How the calls and results stand after some messages."""

    role: str = ""  # of the last message
    served: bool = False  # it ends with what a tool of the API's own did, as a paused turn does (catalog: pause-turn)
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
        self.served = False
        content = message["content"]
        if role == "user" and isinstance(content, str):
            self.interrupted = self.interrupted or f"messages.{index}.content"
        for at, block in enumerate(content if isinstance(content, list) else ()):
            self._block(index, at, role, block)
            self.served = block["type"] not in CLIENT
        self.role = role

    def refusal(self, *, strict: bool) -> Refusal | None:
        """The first fault, were this the whole conversation."""
        fault = self.strict_fault if strict else self.fault
        if fault or self.role != "assistant":
            return fault or self._missing()
        return self._missing() or (None if self.served else refuse("prefill", "messages"))

    def _turn(self, index: int, role: str) -> None:
        """Another role speaks."""
        if not self.role and role != "user":
            self._note(refuse("first-role", "messages.0.role"))
        if role == "system" and (self.role != "user" or self.open):
            self._note(refuse("system-message-place", f"messages.{index}"))
        if self.role == "system" and role != "assistant":
            self._note(refuse("system-message-place", f"messages.{index - 1}"))
        if role == "assistant":
            self._note(self._missing())
            self.open, self.answered = {}, set()
        self.interrupted, self.results_in = "", -1

    def _block(self, index: int, at: int, role: str, block: dict[str, Any]) -> None:
        if self.fault:
            return
        if block["type"] == "tool_use":
            self._call(index, at, block["id"])
        elif block["type"] == "tool_result":
            self._result(index, at, block["tool_use_id"])
        elif role == "user":
            self.interrupted = self.interrupted or _place(index, at)

    def _call(self, index: int, at: int, id_: str) -> None:
        if id_ in self.seen:
            self._note(refuse("call-ids-unique", _place(index, at)))
        self.seen.add(id_)
        self.open[id_] = index

    def _result(self, index: int, at: int, id_: str) -> None:
        if id_ not in self.open:
            rule = "result-twice" if id_ in self.answered else "result-unexpected"
            self._note(refuse(rule, _place(index, at), id=id_))
            return
        if self.interrupted:
            self._note(self._without_results("text-before-result", self.interrupted))
        elif self.results_in not in (-1, index):
            self.strict_fault = self.strict_fault or self._without_results("results-split", f"messages.{index}")
        del self.open[id_]
        self.answered.add(id_)
        self.results_in = index

    def _missing(self) -> Refusal | None:
        """The refusal of the calls that have no result yet."""
        return self._without_results("result-missing") if self.open else None

    def _without_results(self, rule: str, place: str = "") -> Refusal:
        turn = next(iter(self.open.values()))
        return refuse(rule, place or f"messages.{turn}", turn=turn, ids=", ".join(self.open))

    def _note(self, fault: Refusal | None) -> None:
        self.fault = self.fault or fault
        self.strict_fault = self.strict_fault or fault


def _place(index: int, at: int) -> str:
    return f"messages.{index}.content.{at}"
