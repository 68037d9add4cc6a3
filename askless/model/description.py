"""What a description says: without what it is not for, the kinds it takes and the facts it names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from askless.model.vocabulary import Fact, Vocabulary, word_set, words

_PREPOSITIONS = word_set("of for by per about given from")
_REACH = 4  # words from a preposition to the word it governs

_clause_end = re.compile(r"[.;:!?\n()]+|,\s|\sbut\s", re.IGNORECASE)
_negation = re.compile(
    r"\b(?:not|never|without|cannot|\w+n't|excluding|except|instead of|rather than|unlike)\b|\bno\s", re.IGNORECASE
)
_directing = re.compile(r"\b(?:use|call|see|prefer|try|instead)\b", re.IGNORECASE)
_limit = re.compile(r"(?:at most|up to|max(?:imum)?(?: of)?|no more than)\s+(\d{1,9})", re.IGNORECASE)
_name = re.compile(r"[\w-]+")
_marked = re.compile(r"`(\w+)`")


@dataclass(frozen=True)
class Others:
    """The tools that are offered beside one, by name."""

    offered: frozenset[str]
    itself: str

    def named_in(self, clause: str) -> frozenset[str]:
        """Those that a clause speaks of; a tool named like a plain word must be marked as a name."""
        named = (name for name in _name.findall(clause) if not (name.isalpha() and name.islower()))
        return self.offered.intersection([*named, *_marked.findall(clause)]) - {self.itself}


def told(description: str, others: Others) -> str:
    """A description without what it says of other tools, or of what it is not for."""
    return ". ".join(_clauses(description, others))


def _clauses(description: str, others: Others) -> Iterator[str]:
    for clause in _clause_end.split(description):
        spoken_of = others.named_in(clause)
        if spoken_of and _directing.search(clause):
            continue
        yield _negation.split(_without(clause, spoken_of), maxsplit=1)[0]


def _without(clause: str, names: frozenset[str]) -> str:
    return _name.sub(lambda name: " " if name[0] in names else name[0], clause) if names else clause


def kind_taken(says: str, vocabulary: Vocabulary) -> str | None:
    """What a tool takes by its text alone: what it is for or of, else what owns the facts it names."""
    governed = _governed(says, vocabulary)
    facts = facts_named(says, vocabulary)
    roots = [kind for kind in vocabulary.kinds_in(says) if kind not in {fact.lists for fact in vocabulary.facts}]
    if governed or roots:
        return min(governed or roots, key=vocabulary.depth.__getitem__)
    return min((fact.of for fact in facts), key=vocabulary.depth.__getitem__, default=None)


def _governed(says: str, vocabulary: Vocabulary) -> list[str]:
    """The kinds that stand closely after a preposition."""
    kinds, left = [], 0
    for word in words(says):
        left = _REACH if word in _PREPOSITIONS else left - 1
        if left > 0 and word in vocabulary.kind_by_word:
            kinds.append(vocabulary.kind_by_word[word])
    return kinds


def facts_named(says: str, vocabulary: Vocabulary) -> list[Fact]:
    """The facts that a text names."""
    spoken = set(words(says))
    return [fact for fact in vocabulary.facts if spoken & fact.words]


def limit(description: str) -> int | None:
    """How many things a call may hold, where a description says so."""
    said = _limit.search(description)
    return int(said[1]) if said else None
