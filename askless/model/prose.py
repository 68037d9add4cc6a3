"""Facts in text: line by line, an identifier and the words that follow it."""

import re
from functools import lru_cache

from askless.model.findings import Findings, Ids
from askless.model.ids import is_identifier, normal
from askless.model.label import label
from askless.model.vocabulary import Vocabulary, word_set, words

LONGEST_VALUE = 4  # words; a longer text after an identifier is no value of it

_piece = re.compile(r"[^\W_]+(?:[-_/.][^\W_]+)*")
_cut = re.compile(r"[,;.|()<>\[\]{}\n]|\s-\s")
_sentence_end = re.compile(r"(?<=[.;!?])\s+")
_GLUE = word_set(
    "is are was were be been being has have had it its the a an and or of for to in on at by as with currently now "
    "then status id number there these those this that which total s none no open i yes"
)


def read(text: str, ids: Ids, findings: Findings) -> None:
    """Note every fact that the lines hold; a thing named in one line is spoken of until the next is named."""
    start = ids
    for line in filter(str.strip, text.splitlines()):
        told = [part for part in _sentence_end.split(line) if not _reports_missing(part, findings)]
        if told:
            ids = _line(" ".join(told), ids, findings, alone=ids == start)


def _line(line: str, ids: Ids, findings: Findings, alone: bool) -> Ids:
    places = _places(line, findings)
    if not places:
        if alone or any(label(findings.vocabulary, word).value for word in words(line)):
            _value(line, ids, findings)
        return ids
    for place, end in zip(places, [place.start() for place in places[1:]] + [len(line)], strict=True):
        kind = findings.kind_of(place[0], ids)
        if kind:
            ids = findings.enter(ids, kind, place[0])
            _value(line[place.end() : end], ids, findings, of=kind)
    if len(places) == 1 and kind:
        _value(line[: places[0].start()], ids, findings, of=kind)
    return ids


def _places(text: str, findings: Findings) -> list[re.Match[str]]:
    """Where a text names things."""
    return [match for match in _piece.finditer(text) if _is_thing(match[0], findings)]


def _is_thing(text: str, findings: Findings) -> bool:
    return is_identifier(text) or normal(text) in findings.kinds


def _reports_missing(sentence: str, findings: Findings) -> bool:
    """Whether a sentence of a list call's result says that the things it names, and only those, are not to be had."""
    if not findings.about.many or not findings.says_lost(sentence):
        return False
    things = {normal(place[0]) for place in _places(sentence, findings)}
    if not things or not things <= findings.asked:
        return False
    for thing in sorted(things):
        findings.lose(thing, sentence.strip())
    return True


def _value(chunk: str, ids: Ids, findings: Findings, of: str | None = None) -> None:
    """Note what a piece of text says of the thing spoken of, if a value is known of its kind."""
    fact = findings.vocabulary.values.get(of or findings.deepest(ids) or "")
    if fact and fact.of in ids and not findings.found(fact, ids[fact.of]):
        findings.value(fact, ids, clean(chunk, findings.vocabulary))


def clean(chunk: str, vocabulary: Vocabulary) -> str:
    """The value in a piece of text, "" where there is none: " (currently in transit), 2 boxes" is in transit."""
    for part in _cut.split(chunk):
        spoken = _stripped(part.replace(":", " ").replace("=", " ").split(), vocabulary)
        if spoken:
            return " ".join(spoken) if len(spoken) <= LONGEST_VALUE else ""
    return ""


def _stripped(spoken: list[str], vocabulary: Vocabulary) -> list[str]:
    """The words up to the first with a digit, without glue and names of things and facts at either end."""
    spoken = [word.strip("/'\"`*\u2192>-\u2013\u2014!?") for word in spoken]
    digits = (at for at, word in enumerate(spoken) if any(char.isdigit() for char in word))
    spoken = [word for word in spoken[: next(digits, len(spoken))] if word]
    glue = _glue(vocabulary)
    while spoken and set(words(spoken[0])) <= glue:
        spoken = spoken[1:]
    while spoken and set(words(spoken[-1])) <= glue:
        spoken = spoken[:-1]
    return spoken


@lru_cache(maxsize=16)
def _glue(vocabulary: Vocabulary) -> frozenset[str]:
    return _GLUE.union(vocabulary.kind_by_word, vocabulary.qualifiers, *(fact.words for fact in vocabulary.facts))
