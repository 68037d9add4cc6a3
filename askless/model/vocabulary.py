"""A task's vocabulary: the kinds of things it speaks of, and the facts it wants about them.

A script gives one; the equipment that reads tools, results and errors knows no
other word of the task.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from askless.api.remembered import remembered

_camel = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_word = re.compile(r"[^\W\d_]+")


def word_set(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


ID_WORDS = word_set("id identifier number no num nr ref reference key code")


@remembered(4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a name or a sentence, lower case and singular; `orderIds` is order, id."""
    spaced = _camel.sub(" ", text.replace("IDs", "Ids"))
    return tuple([singular(word) for word in _word.findall(spaced.lower())])


def singular(word: str) -> str:
    """One of them: orders is order, statuses is status; status stays."""
    if word.endswith(("uses", "sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and (len(word) > 3 or word == "ids"):
        return word[:-1]
    return word


@dataclass(frozen=True)
class Kind:
    """A kind of thing that has identifiers, and the singular words for it."""

    name: str
    words: frozenset[str]


@dataclass(frozen=True)
class Fact:
    """Something to be known of each thing of a kind: a list of things of another kind, or one value."""

    name: str
    of: str  # the kind it is about
    lists: str | None  # the kind it lists; None where it is one value
    words: frozenset[str]  # singular; what a tool or a field calls it


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Kinds and facts, each from the first asked about to the last; at most one fact lists a kind."""

    kinds: tuple[Kind, ...]
    facts: tuple[Fact, ...]
    qualifiers: frozenset[str] = frozenset()  # words that narrow what is wanted: open, current

    @cached_property
    def kind_by_word(self) -> dict[str, str]:
        """Which kind a word names."""
        return {word: kind.name for kind in reversed(self.kinds) for word in kind.words}

    @cached_property
    def by_name(self) -> dict[str, Fact]:
        """The facts by their names."""
        return {fact.name: fact for fact in self.facts}

    @cached_property
    def depth(self) -> dict[str, int]:
        """How far down each kind stands."""
        return {kind.name: depth for depth, kind in enumerate(self.kinds)}

    @cached_property
    def listing(self) -> dict[str, Fact]:
        """By the kind it is about: the fact that lists things."""
        return {fact.of: fact for fact in self.facts if fact.lists}

    @cached_property
    def values(self) -> dict[str, Fact]:
        """By the kind it is about: the fact that is one value."""
        return {fact.of: fact for fact in reversed(self.facts) if not fact.lists}

    def facts_of(self, kind: str) -> tuple[Fact, ...]:
        """The facts that are about things of a kind."""
        return self._by_kind.get(kind, ())

    @cached_property
    def _by_kind(self) -> dict[str, tuple[Fact, ...]]:
        return {kind.name: tuple(fact for fact in self.facts if fact.of == kind.name) for kind in self.kinds}

    @cached_property
    def listed_by(self) -> dict[str, Fact]:
        """By the kind it lists: the fact that lists things."""
        return {fact.lists: fact for fact in self.facts if fact.lists}

    def above(self, kind: str) -> tuple[str, ...]:
        """The kinds that stand further up."""
        return self._above[kind]

    @cached_property
    def _above(self) -> dict[str, tuple[str, ...]]:
        names = tuple(self.depth)
        return {name: names[:depth] for name, depth in self.depth.items()}

    def below(self, kind: str) -> tuple[Fact, ...]:
        """The facts about a kind, and about the things that those list, and so on."""
        return self._below[kind]

    @cached_property
    def _below(self) -> dict[str, tuple[Fact, ...]]:
        return {kind.name: tuple(self._facts_below(kind.name)) for kind in self.kinds}

    def _facts_below(self, kind: str) -> Iterator[Fact]:
        for fact in self.facts_of(kind):
            yield fact
            if fact.lists:
                yield from self._facts_below(fact.lists)

    def kinds_in(self, text: str) -> list[str]:
        """The kinds that a text names, in the order it names them."""
        return [self.kind_by_word[word] for word in words(text) if word in self.kind_by_word]


@lru_cache(maxsize=16)
def vocabulary_of(kinds: tuple[Kind, ...], facts: tuple[Fact, ...], qualifiers: frozenset[str]) -> Vocabulary:
    """A vocabulary; the same words give the same one, so that what was read with it is not read again."""
    return Vocabulary(kinds, facts, qualifiers)
