"""A recording played back, as text: as recorded, or where it first parted and what to do."""

from collections.abc import Iterator

from askless.check.target import counted
from askless.judge.played import Played
from askless.model.replay import Parting
from askless.show.text import Line, quoted

WHOLE = "record a run that comes to its answer; a larger --budget lets a longer one end"
AGAIN = "if the change is meant, record the run again; else undo it"


def lines(played: Played, recording: str, agent: str) -> Iterator[Line]:
    """One line where all is as recorded; else what is not, and the next act."""
    trips = played.recorded.totals.round_trips
    same = f"{trips - played.unplayed} of {counted(trips, 'requests')} as recorded"
    if played.same:
        yield Line(0, f"{recording}, played back to {agent}: {same}, and the same answer.", "green")
        return
    yield Line(0, f"{recording}, played back to {agent}: {same}.", "bold")
    if played.broken_off:
        last = played.recorded.round_trips[-1:]
        at = f" after request {last[0].n}, answered with {last[0].status}" if last else ""
        yield Line(0, f"The recorded run itself broke off{at}: it came to no answer.")
    elif played.parted:
        yield from _parting(played.parted)
    else:
        yield from _after(played)
    yield Line(0, f"Next: {_next(played)}.")


def _parting(parting: Parting) -> Iterator[Line]:
    if not parting.part:
        yield Line(0, f"{str(parting)[0].upper()}{str(parting)[1:]}.")
        return
    yield Line(0, f"The first difference is in request {parting.n}: {parting.part}, character {parting.at:,}")
    yield Line(2, f"recorded  {parting.recorded or 'nothing'}")
    yield Line(2, f"sent      {parting.sent or 'nothing'}")


def _after(played: Played) -> Iterator[Line]:
    """What is not as recorded although every request was."""
    for finding in played.endings:
        yield from (Line(2, line) for line in finding.what.splitlines())
    if not played.endings and played.unplayed:
        yield Line(0, f"The agent ended before the recording did, by {counted(played.unplayed, 'requests')}.")
    elif not played.endings:
        yield from _words(played)


def _words(played: Played) -> Iterator[Line]:
    recorded, trace = played.recorded, played.trace
    asked = not played.same_question
    yield Line(0, f"The {'question' if asked else 'answer'} is another one:")
    yield Line(2, f"recorded  {quoted(recorded.question if asked else recorded.answer)}")
    yield Line(2, f"{'asked' if asked else 'returned':10}{quoted(trace.question if asked else trace.answer)}")


def _next(played: Played) -> str:
    if played.broken_off:
        return WHOLE
    return played.endings[0].next if played.endings and not played.parted else AGAIN
