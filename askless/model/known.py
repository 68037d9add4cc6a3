"""What a conversation has taught so far: a fold's state along its texts and results.

It decides nothing. Whether a tool's word about a thing is good depends on the
tools on offer, so that is left to plan.py; learning.py reads the results.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from askless.model import question
from askless.model.ids import normal
from askless.model.queue import Path, Queue
from askless.model.vocabulary import Fact, Vocabulary

Fate = Literal["nothing", "absent", "failed", "unread"]


class Note(NamedTuple):
    """Why a fact is not known: nothing to tell, no such thing, a look-up that failed, or a result not understood."""

    kind: Fate
    text: str
    by: str  # the tool that said so


@dataclass
class Known:
    """Things are held in their normal form; `spelled` has each as it was first written."""

    vocabulary: Vocabulary
    asked: dict[str, None] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    spelled: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)  # thing -> the thing that lists it
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)  # fact -> thing -> its things or its value
    notes: dict[tuple[str, str], Note] = field(default_factory=dict)  # (fact, thing)
    queues: dict[str, Queue] = field(default_factory=dict)  # fact -> things of which it is open
    # Of tools: (tool, kind asked about) -> facts that a result held, or could have held and did not
    held: defaultdict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    lacked: defaultdict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    asks: Counter[tuple[str, str]] = field(default_factory=Counter)  # (tool, kind) -> calls
    limits: dict[str, int] = field(default_factory=dict)  # tool -> things in one call, learned from its errors
    spent: set[str] = field(default_factory=set)  # tools that have answered a call that named nothing
    vouched: set[str] = field(default_factory=set)  # tools that an error said to use, and that were used
    # Of errors: (tool, thing) whose advice was taken; the identifier given in a thing's place, and the other way round
    followed: set[tuple[str, str]] = field(default_factory=set)
    sent_as: dict[str, str] = field(default_factory=dict)
    meant: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for fact in self.vocabulary.facts:
            self.facts[fact.name] = {}
            self.queues[fact.name] = Queue()

    def hear(self, text: str, fresh: bool) -> None:
        """Take a user's text: a fresh question replaces what was asked, a further text adds to it."""
        kind = self.vocabulary.kinds[0].name
        named = question.asked(text, kind, self.vocabulary)
        if fresh and named:
            self.asked.clear()
            self.spent.clear()
            for queue in self.queues.values():
                queue.clear()
        for item in named:
            self.asked[self.meet(item, kind)] = None

    def settle(self, fact: Fact, thing: str, value: Any) -> bool:
        """Keep a fact; False where it was known before."""
        if thing in self.facts[fact.name]:
            return False
        self.facts[fact.name][thing] = value
        self.queues[fact.name].drop(thing)
        self.notes.pop((fact.name, thing), None)
        return True

    def meet(self, item: str, kind: str, owner: str | None = None) -> str:
        """Get to know a thing, as it is spelled here."""
        thing = normal(item)
        self.kinds.setdefault(thing, kind)
        self.spelled.setdefault(thing, item)
        if owner is not None:
            self.owners.setdefault(thing, owner)
        self._open(thing)
        return thing

    def _open(self, thing: str) -> None:
        """Ask for whatever of a thing is not known, and of what it lists; a failure may be tried again."""
        for fact in self.vocabulary.facts_of(self.kinds[thing]):
            known, note = self.facts[fact.name].get(thing), self.notes.get((fact.name, thing))
            if known is None and thing not in self.queues[fact.name] and (note is None or note.kind == "failed"):
                self.queues[fact.name].put(thing)
            for listed in known or () if fact.lists else ():
                self._open(listed)

    def is_open(self, thing: str) -> bool:
        """Whether something is still to be known of a thing."""
        return any(thing in queue for queue in self.queues.values())

    def leave(self, tool: str, thing: str, note: Note, advised: tuple[str, ...] = ()) -> None:
        """A tool has had its say on a thing: what is still open goes on without it."""
        for fact in self.vocabulary.facts_of(self.kinds[thing]):
            queue = self.queues[fact.name]
            if thing in queue:
                path = queue.path(thing)
                self.notes[fact.name, thing] = note
                if tool in path.advised:
                    self.vouched.add(tool)
                queue.put(thing, Path(path.tried | {tool}, tool, advised))

    def advise(self, thing: str, tools: tuple[str, ...]) -> None:
        """Go on with these tools, if they are on offer; what was tried before stays possible."""
        for fact in self.vocabulary.facts_of(self.kinds[thing]):
            queue = self.queues[fact.name]
            if thing in queue:
                queue.put(thing, Path(queue.path(thing).tried, None, tools))

    def follow(self, tool: str, things: list[str]) -> bool:
        """Take an error's advice about things, each once; False where it was taken for all of them before."""
        new = {(tool, thing) for thing in things} - self.followed
        self.followed |= new
        return bool(new)

    def correct(self, thing: str, identifier: str) -> bool:
        """Send another identifier for a thing from now on; False where one was given before, or is another's."""
        name = normal(identifier)
        if thing in self.sent_as or name in self.kinds or name in self.meant:
            return False
        self.sent_as[thing], self.meant[name] = identifier, thing
        return True
