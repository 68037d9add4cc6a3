"""Which calls come next: the tools that answer in the fewest trips, then in the fewest calls, then the first offered.

A tool is sure of a fact once one of its results held it; before that, if its
text says so. One that says nothing is tried with one thing first.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from askless.model.known import Known
from askless.model.queue import Path
from askless.model.tools import Tool
from askless.model.vocabulary import Fact

WHOLE = ""  # in place of a thing: a tool that was asked about nothing, or is on trial, in this reply
LARGEST_CALL = 1_000_000  # things
NOTHING: frozenset[str] = frozenset()
Stage = tuple[int, int]  # trips and calls
NO_STAGE: Stage = (2, 0)  # where no tool gives a fact
TRIALS = 2  # things a tool that does not say what it gives is tried with, before it is given up


@dataclass(frozen=True)
class Call:
    """A call that the model wants to make.

    `slip` is the input that it sends instead while the tool is not strict and no error has told it better.
    """

    name: str
    input: dict[str, Any]
    slip: dict[str, Any] | None = None


@dataclass(frozen=True)
class Plan:
    """What is known, against the tools on offer; `parallel` is whether a reply may hold several calls."""

    known: Known
    tools: Sequence[Tool]
    parallel: bool
    _trusted: dict[tuple[str, str], bool] = field(default_factory=dict, compare=False, repr=False)

    def calls(self) -> Iterator[Call]:
        """The calls that depend on nothing unknown, lazily; each thing at most once through one tool."""
        asked: set[tuple[str, str]] = set()
        for fact in self.known.vocabulary.facts:
            for path, things in self.known.queues[fact.name].groups():
                if self._settled(path, fact):
                    continue
                for tool, some in self._choose(fact, path, things, asked):
                    yield from self._ask(tool, some, asked)

    def forced(self) -> Call | None:
        """A call to make where one is demanded and nothing is left to ask: the first tool, the first thing it takes."""
        for tool in self.tools:
            thing = next((thing for thing, kind in self.known.kinds.items() if tool.takes(kind)), None)
            if tool.slot is None or thing is not None:
                return next(self._ask(tool, [] if thing is None else [thing], set()))
        return None

    def unanswered(self) -> list[Fact]:
        """The facts that stay open, once there is nothing left to ask, and that no tool on offer ever gave."""
        offered = {tool.name for tool in self.tools}
        given = {name for (tool, _), names in self.known.held.items() if tool in offered for name in names}
        facts = self.known.vocabulary.facts
        return [fact for fact in facts if fact.name not in given and any(self._open_paths(fact))]

    def outcome(self, fact: str, thing: str) -> Any:
        """What is known of a fact about a thing: the things it lists, its value, a Note, or None."""
        value = self.known.facts[fact].get(thing)
        if value is not None:
            return value
        note = self.known.notes.get((fact, thing))
        return note if note and self._is_trusted(note.by, self.known.vocabulary.by_name[fact]) else None

    def _open_paths(self, fact: Fact) -> Iterator[Path]:
        return (path for path, _ in self.known.queues[fact.name].groups() if not self._settled(path, fact))

    def _gives(self, tool: Tool, kind: str) -> frozenset[str]:
        """The facts that a tool is sure to give when asked about a kind."""
        says = tool.gives if tool.takes(kind) else NOTHING
        return says - self.known.lacked.get((tool.name, kind), NOTHING) | self.known.held.get(
            (tool.name, kind), NOTHING
        )

    def _is_trusted(self, name: str, fact: Fact) -> bool:
        """Whether a tool's silence or error speaks of the thing: it is sure of the fact, or no longer on offer."""
        trusted = self._trusted.get((name, fact.name))
        if trusted is None:
            trusted = self._trusted[name, fact.name] = self._trusts(name, fact)
        return trusted

    def _trusts(self, name: str, fact: Fact) -> bool:
        tool = self._by_name.get(name)
        return tool is None or name in self.known.vouched or fact.name in self._gives(tool, fact.of)

    @cached_property
    def _by_name(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.tools}

    def _settled(self, path: Path, fact: Fact) -> bool:
        """Whether things on a path are done with."""
        return path.word is not None and self._is_trusted(path.word, fact) and not self._advised(path, fact)

    def _advised(self, path: Path, fact: Fact) -> list[Tool]:
        names = [name for name in path.advised if name not in path.tried]
        return [tool for tool in self.tools if tool.name in names and tool.takes(fact.of)] if names else []

    def _choose(
        self, fact: Fact, path: Path, things: Collection[str], asked: set[tuple[str, str]]
    ) -> Iterable[tuple[Tool, Iterable[str]]]:
        """The tools to ask about the things on a path, and which of them each is asked about."""
        usable = [tool for tool in self.tools if self._is_usable(tool, path, fact)]
        sure = self._advised(path, fact) or [tool for tool in usable if fact.name in self._gives(tool, fact.of)]
        if sure:
            return [(self._cheapest(sure, fact, len(things)), things)]
        vague = [tool for tool in usable if not self._gives(tool, fact.of) and not tool.elsewhere]
        tries = {tool.name: self.known.asks[tool.name, fact.of] for tool in vague}
        fewest = min(tries.values(), default=TRIALS)
        trial = [tool for tool in vague if tries[tool.name] == fewest < TRIALS and (tool.name, WHOLE) not in asked]
        asked.update((tool.name, WHOLE) for tool in trial if tool.slot)
        return [(tool, islice(things, 1)) for tool in trial]

    def _is_usable(self, tool: Tool, path: Path, fact: Fact) -> bool:
        spent = tool.slot is None and tool.name in self.known.spent
        return tool.takes(fact.of) and tool.name not in path.tried and not spent

    def _cheapest(self, tools: list[Tool], fact: Fact, count: int) -> Tool:
        if len(tools) == 1:
            return tools[0]
        below = self.known.vocabulary.below(fact.lists) if fact.lists else ()
        further = {each.name: self._best_stage(each, count) for each in below}
        return min(tools, key=lambda tool: self._cost(tool, fact, count, further))

    def _cost(self, tool: Tool, fact: Fact, count: int, further: Mapping[str, Stage | None]) -> tuple[int, int, int]:
        """Facts left without a tool, trips and calls: this tool for one fact, and the best for what follows from it."""
        gives = self._gives(tool, fact.of)
        after = [stage for name, stage in further.items() if name not in gives]
        trips, calls = zip(self._stage(tool, count), *(stage or NO_STAGE for stage in after), strict=True)
        return after.count(None), sum(trips), sum(calls)

    def _best_stage(self, fact: Fact, count: int) -> Stage | None:
        """The best tool's for a fact; None where no tool on offer gives it."""
        able = (tool for tool in self.tools if fact.name in self._gives(tool, fact.of))
        return min((self._stage(tool, count) for tool in able), default=None)

    def _stage(self, tool: Tool, count: int) -> Stage:
        """Trips and calls to ask a tool about so many things."""
        calls = -(-count // self._at_once(tool, count))
        return (1 if self.parallel else calls), calls

    def _at_once(self, tool: Tool, count: int) -> int:
        """How many things go into one call."""
        if tool.slot is None:
            return max(1, count)
        limit = min(tool.slot.limit or count, self.known.limits.get(tool.name, count))
        return max(1, limit) if tool.slot.many else 1

    def _ask(self, tool: Tool, things: Iterable[str], asked: set[tuple[str, str]]) -> Iterator[Call]:
        """The calls that ask a tool about things, in order."""
        if tool.slot is None:
            if (tool.name, WHOLE) not in asked:
                asked.add((tool.name, WHOLE))
                yield Call(tool.name, tool.input([], {}))
            return
        at_once = self._at_once(tool, LARGEST_CALL)
        left = (thing for thing in things if (tool.name, thing) not in asked)
        while some := list(islice(left, at_once)):
            asked.update((tool.name, thing) for thing in some)
            owners = self._owners(some[0]) if tool.owners else {}
            yield Call(tool.name, tool.input([self._written(thing) for thing in some], owners))

    def _written(self, thing: str) -> str:
        return self.known.sent_as.get(thing) or self.known.spelled[thing]

    def _owners(self, thing: str) -> dict[str, str]:
        """The thing and what lists it, by kind."""
        chain: dict[str, str] = {}
        at: str | None = thing
        while at is not None:
            chain[self.known.kinds[at]] = self._written(at)
            at = self.known.owners.get(at)
        return chain
