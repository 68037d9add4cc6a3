"""Words for what does not exist or did not answer: "not found", "is down", and what stands in place of data."""

import re
from typing import Any

from askless.api.remembered import remembered
from askless.model.vocabulary import Vocabulary, words

_TYPES = "string|list|array|number|integer|object|bool"
_INPUTS = r"required|propert|argument|param|field|input|\d"
_PHRASES = (
    r"not[_ ]found|no such\b|not exist|\w+n't exist|unknown\b|non-?existent|not known|unrecogni[sz]ed|not on file",
    r"(?:error|http|status|code)\W{0,4}404\b|^\W*404\b(?!-)|keyerror",
    r"no (?:match|record|result|entry)|invalid (?:id|identifier)",
    r"(?:can't|cannot|can not|couldn't|could not|unable to) (?:be )?(?:find|found|locate)",
    rf"(?:not|isn't) an? (?!{_TYPES})",
    rf"missing\b(?! (?:{_INPUTS}))",
)
_NO_TOOL = r"\b(?:unknown|no such|no|keyerror:?)(?: tool| function)?"

_absent = re.compile(rf"(?<!\w)(?:{'|'.join(_PHRASES)})", re.IGNORECASE)
_no_data = re.compile(r"n/?a|null|undefined", re.IGNORECASE)
_none = re.compile(r"none|nil|nothing|-+|", re.IGNORECASE)

_failed = re.compile(
    r"(?:can't|cannot|can not|couldn't|could not|unable to|failed to) (?:be )?"
    r"(?:look|reach|read|load|check|retriev|fetch|get|connect|answer)"
    r"|(?:not|n't) (?:answer|respond|reachable|available)|unavailable|unreachable|timed?[ -]?out"
    r"|\b(?:is|are|was|were|be|currently) (?:down|offline)\b|\b(?:failed|failure|error)\b",
    re.IGNORECASE,
)
_nothing = re.compile(r"\b(?:no|none|nil|null|nothing|without|zero|empty|0)\b|\[\]|\{\}", re.IGNORECASE)


@remembered(4096)
def says_absent(text: str, vocabulary: Vocabulary, kind: str | None) -> bool:
    """Whether a text says that something of a kind does not exist; having no orders is not that."""
    if _absent.search(text) or _no_data.fullmatch(text.strip()):
        return True
    spoken, by_word = words(text), vocabulary.kind_by_word
    return any(word == "no" and by_word.get(spoken[at + 1]) == kind for at, word in enumerate(spoken[:-1]) if kind)


def in_place_of_data(value: Any) -> bool:
    """Whether what stands where a thing's data should says that there is no such thing."""
    return value is None or value is False or (isinstance(value, str) and bool(_no_data.fullmatch(value.strip())))


def says_failed(text: str) -> bool:
    """Whether a text says that a look-up came to no end: what it asked about may exist or not."""
    return bool(_failed.search(text))


def says_nothing(text: str) -> bool:
    """Whether a text is empty, or says of something that there is none of it."""
    return not text.strip(" \n\t\"'") or bool(_nothing.search(text))


def disowns(text: str, tool: str) -> bool:
    """Whether an error says that it is the called tool itself that does not exist, and not what it was asked about."""
    name = rf"['\"`]?(?<![\w-]){re.escape(tool)}(?![\w-])['\"`]?"
    said = rf"{name}\s+(?:tool |function )?(?:is |was |does |could )?(?:not|unknown|missing)\b|{_NO_TOOL}\W*{name}"
    return bool(re.search(said, text, re.IGNORECASE))


def is_none(text: str) -> bool:
    """Whether a text that stands where an identifier should says that there is none."""
    return bool(_none.fullmatch(text.strip())) or in_place_of_data(text)
