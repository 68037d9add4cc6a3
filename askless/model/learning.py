"""What a result teaches: the facts it holds, what it leaves out, and what its errors say to try next."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from askless.model import advice, reading
from askless.model.absence import disowns, says_nothing
from askless.model.advice import Advice
from askless.model.findings import About, Findings
from askless.model.ids import normal
from askless.model.known import Known, Note
from askless.model.reading import Result

LEFT_OUT = "left out of the result"


def learn(known: Known, tool: str, given: Mapping[str, Any], result: Result) -> None:
    """Take the result of one call."""
    about = _about(known, given)
    if about is None:
        _learn_of_all(known, tool, result)
        return
    known.asks[tool, about.kind] += 1
    found = _keep(known, tool, about, result)
    if result.is_error:
        _fail(known, tool, about, result.text)
    else:
        _close(known, tool, found, result)


def _about(known: Known, given: Mapping[str, Any]) -> About | None:
    """What a call asked about: the things deepest down that its input holds."""
    by_kind: dict[str, dict[str, bool]] = {}  # kind -> thing -> whether it stands in a list
    for value in given.values():
        for text, many in _texts(value, many=False):
            thing = known.meant.get(normal(text), normal(text))
            if thing in known.kinds:
                by_kind.setdefault(known.kinds[thing], {})[thing] = many
    if not by_kind:
        return None
    kind = max(by_kind, key=known.vocabulary.depth.__getitem__)
    return About(kind, tuple(by_kind[kind]), many=any(by_kind[kind].values()))


def _texts(value: Any, many: bool) -> list[tuple[str, bool]]:
    """The texts and whole numbers in a value, and whether each stands in a list."""
    if isinstance(value, str):
        parts = value.split(",")
        return [(part.strip(), many or len(parts) > 1) for part in parts]
    if isinstance(value, int):
        return [(str(value), many)]
    if isinstance(value, Mapping):
        return [found for inner in value.values() for found in _texts(inner, many)]
    return [found for inner in value for found in _texts(inner, True)] if isinstance(value, list) else []


def _learn_of_all(known: Known, tool: str, result: Result) -> None:
    """Take the result of a call that named nothing: it speaks of everything that was asked, or of nothing."""
    about = About(known.vocabulary.kinds[0].name, tuple(known.asked), many=True)
    found = _keep(known, tool, about, result)
    said = advice.read(result.text, (), known.vocabulary, None) if result.is_error else None
    if said and said.retry and known.follow(tool, [""]):
        return
    known.spent.add(tool)
    if found.lists and not result.is_error:
        _close(known, tool, found, result)


def _keep(known: Known, tool: str, about: About, result: Result) -> Findings:
    """Keep every fact that a result holds: the lists of the things asked about, and all values of known things."""
    found = reading.read(result, about, known.vocabulary, known.kinds)
    for fact in known.vocabulary.facts:
        for thing in about.items if fact.lists else found.values.get(fact.name, ()):
            value = found.found(fact, thing)
            if value is not None and known.kinds.get(thing) == fact.of and known.settle(fact, thing, value):
                for listed in value if fact.lists else ():
                    known.meet(found.spelled[listed], fact.lists or "", owner=thing)
    _judge(known, tool, found)
    return found


def _judge(known: Known, tool: str, found: Findings) -> None:
    """Note which facts the tool's results hold, and which they could have held and do not."""
    kind = found.about.kind
    things: Sequence[str] = found.about.items
    for fact in known.vocabulary.below(kind):
        if fact.name in found.named or any(found.found(fact, thing) is not None for thing in things):
            known.held[tool, kind].add(fact.name)
        elif things and fact.of != kind:
            known.lacked[tool, kind].add(fact.name)
        if fact.lists:
            things = [listed for thing in things for listed in found.lists.get(fact.name, {}).get(thing, ())]


def _close(known: Known, tool: str, found: Findings, result: Result) -> None:
    """Note what a result left unsaid; what a list call's result reports as missing is read like an error."""
    about = found.about
    if not found.tells and not says_nothing(result.text) and not found.says_absent(result.text):
        for thing in about.items:
            known.leave(tool, thing, Note("unread", "", tool))
        return
    for thing in about.items:
        if thing in found.lost:
            _mend(known, tool, thing, advice.read(found.lost[thing], (thing,), known.vocabulary, about.kind))
        elif about.many and thing not in found.seen:
            known.leave(tool, thing, Note("absent", LEFT_OUT, tool))
        else:
            known.leave(tool, thing, Note("nothing", "", tool))


def _fail(known: Known, tool: str, about: About, text: str) -> None:
    """Read a flagged error: what it names is closed or mended, the rest of a list call stays open."""
    things = [thing for thing in about.items if known.is_open(thing)]
    said = advice.read(text, about.items, known.vocabulary, about.kind)
    said = replace(said, absent=False) if disowns(text, tool) and not said.named else said
    if len(about.items) == 1:
        _mend_all(known, tool, things, said)
    elif said.limit and said.limit < len(about.items):
        known.limits[tool] = said.limit
    elif said.retry and not said.absent and not said.tools and known.follow(tool, things):
        return
    elif said.named and (len(said.named) < len(about.items) or said.absent):
        _mend_all(known, tool, [thing for thing in said.named if known.is_open(thing)], said)
    else:
        known.limits[tool] = 1
        for thing in things if said.tools else ():
            known.advise(thing, said.tools)


def _mend_all(known: Known, tool: str, things: list[str], said: Advice) -> None:
    for thing in things:
        _mend(known, tool, thing, said)


def _mend(known: Known, tool: str, thing: str, said: Advice) -> None:
    """Do what an error says of a thing, once: another identifier, another tool, the same again; else give it up."""
    corrected = said.corrected(thing)
    if corrected and known.correct(thing, corrected):
        return
    if said.retry and not said.absent and not said.tools and known.follow(tool, [thing]):
        return
    advised = said.tools if known.follow("", [thing]) else ()
    known.leave(tool, thing, Note("absent" if said.absent else "failed", said.text, tool), advised)
