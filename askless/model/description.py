"""What a description says: without what it is not for, the kinds it takes and the facts it names."""

import re
from collections.abc import Iterable, Iterator

from askless.model.vocabulary import Fact, Vocabulary, word_set, words

_PREPOSITIONS = word_set("of for by per about given from")
_REACH = 4  # words from a preposition to the word it governs

_clause_end = re.compile(r"[.;:!?\n()]+|,\s|\sbut\s", re.IGNORECASE)
_negation = re.compile(
    r"\b(?:not|never|without|cannot|\w+n't|excluding|except|instead of|rather than|unlike)\b|\bno\s", re.IGNORECASE
)
_directing = re.compile(r"\b(?:use|call|see|prefer|try|instead)\b", re.IGNORECASE)
_limit = re.compile(r"(?:at most|up to|max(?:imum)?(?: of)?|no more than)\s+(\d+)", re.IGNORECASE)


def told(description: str, others: Iterable[str]) -> str:
    """A description without what it says of other tools, or of what it is not for."""
    return ". ".join(_clauses(description, list(others)))


def _clauses(description: str, others: list[str]) -> Iterator[str]:
    for clause in _clause_end.split(description):
        spoken_of = [name for name in others if _mentions(clause, name)]
        if spoken_of and _directing.search(clause):
            continue
        yield _negation.split(_without(clause, spoken_of), maxsplit=1)[0]


def _without(clause: str, names: list[str]) -> str:
    for name in names:
        clause = clause.replace(name, " ")
    return clause


def _mentions(clause: str, name: str) -> bool:
    """Whether a clause speaks of a tool; a tool named like a plain word must be marked as a name."""
    if name not in clause:  # of thousands of tools hardly one is
        return False
    marked = rf"`{re.escape(name)}`|\b{re.escape(name)}\("
    plain = name.isalpha() and name.islower()
    return bool(re.search(marked if plain else rf"(?<![\w-]){re.escape(name)}(?![\w-])", clause))


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
