"""What a reviewer's own sentences may not hold, whatever they rest on.

Three rules, each plain enough to be told to the reviewer beforehand:
- no source but the one in its field: no address, no "et al.", nothing in square brackets and no name of the catalog's
  form that the catalog does not have. `calls[1]` is an index, and a name that the learner or a source writes is a word.
- no judgement of the learner: verdict, grade, score, marks, so many of so many as 9/10, "you passed", a rung reached.
- no command: a shell's signs and options, and the few programs that install, fetch, remove or reset.

They keep a carried-away reviewer from what is not its to say; English alone is read, and a wording that means the same
in other words passes. What passes is only shown: nothing runs it, and no verdict knows of it.
"""

import re
from collections import Counter
from collections.abc import Collection

ADDRESS = re.compile(
    r"\w:/|\bwww\.|\bmailto:|\w@\w+\.\w|\w\.(?:com|edu|gov|net|org)\b|\w\.[^\W\d_]{2,}/\w", re.IGNORECASE
)
AUTHORS = re.compile(r"\bet\s+al\b", re.IGNORECASE)
BRACKETS = re.compile(r"(?<!\w)[\[【]([^\]】]+)[\]】]")
CITED = re.compile(r"^\s*(?:\w+\s*:)?\s*(.*?)\s*$", re.DOTALL)  # [claim: cache-ttl] cites cache-ttl
JOINED = re.compile(r"\w+(?:-\w+)+")
NAMESAKES = 2  # sources whose names begin alike make that beginning the catalog's

JUDGEMENT = re.compile(
    r"\b(?:verdicts?|grad(?:e|es|ed|ing)|scor(?:e|es|ed|ing)|(?:full|top) marks)\b"
    r"|(?<![\w/.])\d+\s*/\s*\d+(?![\w/])"
    r"|\byou(?:['\u2019]ve| have)? (?:pass|fail)(?:ed)?\s*(?:[.!?,;:]|$)",
    re.IGNORECASE,
)
REACHED = re.compile(
    r"\b(?:rung|target|v\d+)\b[^.!?]*\breached\b|\breached\b[^.!?]*\b(?:rung|target|v\d+)\b", re.IGNORECASE
)

COMMAND = re.compile(
    r"\||&&|\$\(|>>|(?<!\w)~/|(?<!\S)[`'\"]?--?[a-z][\w-]*|\b(?:askless|bash|chmod|curl|git|npm|pip|rm|sh|sudo|uv|wget)\s+\S"
    r"|\b(?:run|type|enter|execute)\s+[`'\"\u201c\u2018]?(?:make|python\d?)\s",
    re.IGNORECASE,
)


def cites(text: str, known: Collection[str], written: str) -> bool:
    """Whether a text names a source that is not among those known; `written` is what learner and sources say."""
    if ADDRESS.search(text) or AUTHORS.search(text):
        return True
    if any(_cited(inside) not in known for inside in BRACKETS.findall(text)):
        return True
    beginnings = Counter(name.partition("-")[0] for name in known)
    names = (name for name in JOINED.findall(text) if name not in known)
    return any(beginnings[name.partition("-")[0].lower()] >= NAMESAKES and name not in written for name in names)


def judges(text: str) -> bool:
    """Whether a text gives a verdict, a grade or a score."""
    return bool(JUDGEMENT.search(text) or REACHED.search(text))


def commands(text: str) -> bool:
    """Whether a text names a command to run."""
    return bool(COMMAND.search(text))


def _cited(inside: str) -> str:
    found = CITED.match(inside)
    return found[1] if found else inside
