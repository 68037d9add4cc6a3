"""What one result says about the things a call asked about; rows and prose are read into it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from askless.model.absence import in_place_of_data, says_absent, says_failed
from askless.model.ids import alike, is_identifier, normal
from askless.model.vocabulary import Fact, Vocabulary

Ids = Mapping[str, str]  # kind -> the thing of that kind that is being spoken of, in normal form


@dataclass(frozen=True)
class About:
    """What a call asked: things of one kind, in normal form; `many` where it could have asked about several."""

    kind: str
    items: tuple[str, ...]
    many: bool


LOWEST = -2  # below every rank of a value


@dataclass
class Findings:
    """Facts as a result gave them, things in normal form.

    Only a list call may report that a thing is missing or failed; in the result
    of a one-item call the same words are data, and teach nothing.
    """

    vocabulary: Vocabulary
    about: About
    kinds: Mapping[str, str]  # thing -> kind, of all things known before
    lists: dict[str, dict[str, dict[str, None]]] = field(default_factory=dict)  # fact -> thing -> things, in order
    values: dict[str, dict[str, str]] = field(default_factory=dict)  # fact -> thing -> value
    named: set[str] = field(default_factory=set)  # facts that had a place of their own, be it empty
    seen: set[str] = field(default_factory=set)  # things asked about that it speaks of
    lost: dict[str, str] = field(default_factory=dict)  # things asked about that it says are missing -> its words
    spelled: dict[str, str] = field(default_factory=dict)  # things in the result's own spelling
    _ranks: dict[tuple[str, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.asked = frozenset(self.about.items)

    @property
    def start(self) -> Ids:
        """What is spoken of before anything is read: the thing asked about, where it was the only one."""
        return {self.about.kind: self.about.items[0]} if len(self.about.items) == 1 else {}

    def kind_of(self, text: str, ids: Ids, hint: str | None = None) -> str | None:
        """The kind of the thing that a text identifies, None where it is no thing of the task's.

        A known thing has its kind; else the hint says; else one that looks like a thing spoken of is of its
        kind; else it is what the thing spoken of lists.
        """
        name = normal(text)
        if name in self.kinds:
            return self.kinds[name]
        if hint or not is_identifier(text):
            return hint
        return self._likeness(name, ids) or self.next_kind(ids)

    def _likeness(self, name: str, ids: Ids) -> str | None:
        """The kind of the first thing spoken of that looks the same."""
        if self.about.items and alike(name, self.about.items[0]):
            return self.about.kind
        for kind, held in ids.items():
            if alike(name, held):
                return kind
        return None

    def next_kind(self, ids: Ids) -> str | None:
        """The kind that is listed of the deepest thing spoken of."""
        deepest = self.deepest(ids)
        fact = self.vocabulary.listing.get(deepest) if deepest else None
        return fact.lists if fact else None

    def deepest(self, ids: Ids) -> str | None:
        """The kind furthest down of the things spoken of."""
        return max(ids, key=self.vocabulary.depth.__getitem__, default=None)

    def enter(self, ids: Ids, kind: str, text: str) -> Ids:
        """Speak of a thing from here on; what lists things of its kind has listed it."""
        name = normal(text)
        self.spelled.setdefault(name, text.strip("'\"` "))
        if name in self.asked:
            self.seen.add(name)
        fact = self.vocabulary.listed_by.get(kind)
        owner = ids.get(fact.of) if fact else None
        if fact and owner and owner != name:
            self.lists.setdefault(fact.name, {}).setdefault(owner, {})[name] = None
        return {**{other: ids[other] for other in self.vocabulary.above(kind) if other in ids}, kind: name}

    def value(self, fact: Fact, ids: Ids, value: str, rank: int = 0) -> None:
        """Note a value of the thing spoken of; of two, the one of the higher rank, then the first."""
        thing = ids.get(fact.of)
        if thing is None or not value.strip():
            return
        if self._ranks.get((fact.name, thing), LOWEST) < rank:
            self._ranks[fact.name, thing] = rank
            self.values.setdefault(fact.name, {})[thing] = value.strip()

    def says_absent(self, text: str) -> bool:
        """Whether a text says that what was asked about does not exist."""
        return says_absent(text, self.vocabulary, self.about.kind)

    def says_lost(self, text: str) -> bool:
        """Whether a text says that what was asked about does not exist, or could not be looked up.

        Where a thing has a value of its own, such as a status, that may be a word for a failure, too.
        """
        return self.says_absent(text) or (self.about.kind not in self.vocabulary.values and says_failed(text))

    def gives_none(self, value: Any) -> bool:
        """Whether what stands where data of a thing asked about should says that there is none to be had."""
        return in_place_of_data(value) or (self.about.many and isinstance(value, str) and self.says_lost(value))

    def lose(self, thing: str | None, said: Any = None) -> None:
        """Note that a thing is reported missing, and in which words."""
        if self.about.many and thing in self.asked:
            self.lost.setdefault(thing, said if isinstance(said, str) else "not found")

    @property
    def tells(self) -> bool:
        """Whether anything was understood of the result: a fact, a place for one, or what is missing."""
        return bool(self.lists or self.values or self.named or self.lost)

    def found(self, fact: Fact, thing: str) -> list[str] | str | None:
        """What the result holds of one fact about one thing."""
        if fact.lists:
            listed = self.lists.get(fact.name, {}).get(thing)
            return list(listed) if listed else None
        return self.values.get(fact.name, {}).get(thing)
