"""What a conversation has taught so far: a fold over its texts and results.

It decides nothing. Whether a tool's word about a thing is good depends on the
tools on offer, so that is left to plan.py.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from askless.model import advice, ids, reading
from askless.model.findings import About, Findings
from askless.model.ids import normal
from askless.model.queue import Path, Queue
from askless.model.reading import Result
from askless.model.vocabulary import Fact, Vocabulary

LEFT_OUT = "left out of the result"


@dataclass(frozen=True)
class Note:
    """Why a fact is not known: it has nothing to tell, the thing does not exist, or the look-up failed."""

    kind: Literal["nothing", "absent", "failed"]
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
    held: set[tuple[str, str, str]] = field(default_factory=set)  # (tool, kind asked about, fact) that a result held
    lacked: set[tuple[str, str, str]] = field(default_factory=set)  # the same, where a result could have and did not
    asks: Counter[tuple[str, str]] = field(default_factory=Counter)  # (tool, kind) -> calls
    limits: dict[str, int] = field(default_factory=dict)  # tool -> things in one call, learned from its errors
    spent: set[str] = field(
        default_factory=set
    )  # tools that were asked about nothing, and have answered; done if they take nothing
    vouched: set[str] = field(default_factory=set)  # tools that an error said to use, and that were used
    followed: set[tuple[str, str]] = field(default_factory=set)  # (tool, thing) whose error's advice was taken
    sent_as: dict[str, str] = field(default_factory=dict)  # thing -> the identifier an error gave in its place
    meant: dict[str, str] = field(default_factory=dict)  # the other way round

    def __post_init__(self) -> None:
        for fact in self.vocabulary.facts:
            self.facts[fact.name] = {}
            self.queues[fact.name] = Queue()

    def hear(self, text: str, fresh: bool) -> None:
        """Take a user's text: a fresh question replaces what was asked, a further text adds to it."""
        kind = self.vocabulary.kinds[0].name
        named = ids.asked(text, kind, self.vocabulary)
        if fresh and named:
            self.asked.clear()
            self.spent.clear()
            for queue in self.queues.values():
                queue.clear()
        for item in named:
            thing = self._meet(item, kind)
            self.asked[thing] = None
            self._open(thing)

    def learn(self, tool: str, given: Mapping[str, Any], result: Result) -> None:
        """Take the result of one call."""
        about = self._about(given)
        if about is None:
            self._learn_of_all(tool, result)
            return
        self.asks[tool, about.kind] += 1
        found = reading.read(result, about, self.vocabulary, self.kinds)
        self._keep(tool, found)
        if result.is_error:
            self._fail(tool, about, result.text)
        else:
            self._close(tool, about, found)

    def note(self, fact: str, thing: str) -> Note | None:
        """Why a fact is not known."""
        return self.notes.get((fact, thing))

    def _meet(self, item: str, kind: str) -> str:
        thing = normal(item)
        self.kinds.setdefault(thing, kind)
        self.spelled.setdefault(thing, item)
        return thing

    def _open(self, thing: str) -> None:
        """Ask for whatever of a thing is not known, and of what it lists."""
        for fact in self.vocabulary.facts_of(self.kinds[thing]):
            known = self.facts[fact.name].get(thing)
            if known is None and thing not in self.queues[fact.name] and (fact.name, thing) not in self.notes:
                self.queues[fact.name].put(thing)
            for listed in known or () if fact.lists else ():
                self._open(listed)

    def _about(self, given: Mapping[str, Any]) -> About | None:
        """What a call asked about: the things deepest down that its input holds."""
        named = {self.meant.get(normal(text), normal(text)): many for text, many in _strings(given, False)}
        known = {thing: many for thing, many in named.items() if thing in self.kinds}
        kind = max((self.kinds[thing] for thing in known), key=self.vocabulary.depth.__getitem__, default=None)
        things = tuple(thing for thing in known if self.kinds[thing] == kind)
        return About(kind, things, many=any(known[thing] for thing in things)) if kind else None

    def _learn_of_all(self, tool: str, result: Result) -> None:
        """Take the result of a call that named nothing: it speaks of everything that was asked, or of nothing."""
        about = About(self.vocabulary.kinds[0].name, tuple(self.asked), many=True)
        found = reading.read(result, about, self.vocabulary, self.kinds)
        self._keep(tool, found)
        if result.is_error and advice.read(result.text, (), self.vocabulary, None).retry and self._follow(tool, [""]):
            return
        self.spent.add(tool)
        if found.lists and not result.is_error:
            self._close(tool, about, found)

    def _keep(self, tool: str, found: Findings) -> None:
        """Keep every fact that a result holds: the lists of the things asked about, and all values of known things."""
        for fact in self.vocabulary.facts:
            things = found.about.items if fact.lists else found.values.get(fact.name, ())
            for thing in things:
                value = found.found(fact, thing)
                if value is not None and self._is_of(fact, thing):
                    self._set(fact, thing, value, found)
        self._judge(tool, found)

    def _is_of(self, fact: Fact, thing: str) -> bool:
        return self.kinds.get(thing) == fact.of

    def _set(self, fact: Fact, thing: str, value: Any, found: Findings) -> None:
        if thing in self.facts[fact.name]:
            return
        self.facts[fact.name][thing] = value
        self.queues[fact.name].drop(thing)
        self.notes.pop((fact.name, thing), None)
        for listed in value if fact.lists else ():
            self._meet(found.spelled[listed], fact.lists or "")
            self.owners.setdefault(listed, thing)
            self._open(listed)

    def _judge(self, tool: str, found: Findings) -> None:
        """Note which facts the tool's results hold, and which they could have held and do not."""
        listed: Sequence[str] = found.about.items
        for fact in self.vocabulary.below(found.about.kind):
            held = fact.name in found.named or any(found.found(fact, thing) is not None for thing in listed)
            if held:
                self.held.add((tool, found.about.kind, fact.name))
            elif listed and fact.of != found.about.kind:
                self.lacked.add((tool, found.about.kind, fact.name))
            if fact.lists:
                listed = [further for thing in listed for further in found.lists.get(fact.name, {}).get(thing, ())]

    def _close(self, tool: str, about: About, found: Findings) -> None:
        """Note what a result left unsaid; what it reports as failed is read like an error."""
        for thing in about.items:
            if thing in found.lost:
                said = advice.read(found.lost[thing], about.items, self.vocabulary, about.kind)
                self._end(tool, thing, "absent" if said.absent else "failed", said)
            elif about.many and thing not in found.seen:
                self._leave(tool, thing, Note("absent", LEFT_OUT, tool))
            else:
                self._leave(tool, thing, Note("nothing", "", tool))

    def _fail(self, tool: str, about: About, text: str) -> None:
        """Read a flagged error: what it names is closed or mended, the rest stays open."""
        things = [thing for thing in about.items if self._is_open(thing)]
        said = advice.read(text, about.items, self.vocabulary, about.kind)
        named = [thing for thing in things if thing in set(said.named)]
        if len(about.items) == 1:
            self._mend(tool, things, said)
        elif said.limit and said.limit < len(about.items):
            self.limits[tool] = said.limit
        elif said.retry and not said.absent and not said.tools and self._follow(tool, things):
            return
        elif named and (len(named) < len(about.items) or said.absent):
            self._mend(tool, named, said)
        else:
            self.limits[tool] = 1
            self._advise(things, said.tools)

    def _advise(self, things: list[str], tools: tuple[str, ...]) -> None:
        """Let an error that names no thing say with which tool to go on."""
        for thing in things if tools else ():
            for fact in self.vocabulary.facts_of(self.kinds[thing]):
                queue = self.queues[fact.name]
                if thing in queue:
                    queue.put(thing, Path(queue.path(thing).tried, None, tools))

    def _is_open(self, thing: str) -> bool:
        return any(thing in queue for queue in self.queues.values())

    def _follow(self, tool: str, things: list[str]) -> bool:
        """Take an error's advice about things once; False where it was taken before."""
        new = {(tool, thing) for thing in things} - self.followed
        self.followed |= new
        return bool(new)

    def _mend(self, tool: str, things: list[str], said: advice.Advice) -> None:
        for thing in things:
            corrected = said.corrected(thing)
            if corrected and self._is_new(corrected) and self._follow(tool, [thing]):
                self.sent_as[thing], self.meant[normal(corrected)] = corrected, thing
            elif said.retry and not said.absent and not said.tools and self._follow(tool, [thing]):
                continue
            else:
                self._end(tool, thing, "absent" if said.absent else "failed", said)

    def _is_new(self, identifier: str) -> bool:
        return normal(identifier) not in self.kinds and normal(identifier) not in self.meant

    def _end(self, tool: str, thing: str, kind: Literal["absent", "failed"], said: advice.Advice) -> None:
        advised = said.tools if self._follow("", [thing]) else ()
        self._leave(tool, thing, Note(kind, said.text, tool), advised)

    def _leave(self, tool: str, thing: str, note: Note, advised: tuple[str, ...] = ()) -> None:
        """A tool has had its say on a thing: what is still open goes on without it."""
        for fact in self.vocabulary.facts_of(self.kinds[thing]):
            queue = self.queues[fact.name]
            if thing in queue:
                path = queue.path(thing)
                self.notes[fact.name, thing] = note
                self.vouched |= {tool} & set(path.advised)
                queue.put(thing, Path(path.tried | {tool}, tool, advised))


def _strings(value: Any, many: bool) -> Iterator[tuple[str, bool]]:
    """The texts and whole numbers in an input, and whether each stands in a list."""
    if isinstance(value, str):
        parts = value.split(",")
        yield from ((part.strip(), many or len(parts) > 1) for part in parts)
    elif isinstance(value, int):
        yield str(value), many
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner, many)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner, True)
