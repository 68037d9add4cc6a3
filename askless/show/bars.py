"""The figure of a reveal in plain text: a bar a request, its digits saying which request sent that part first."""

from collections.abc import Iterator, Sequence

from askless.check.target import counted
from askless.show.segments import Panel
from askless.show.text import Line
from askless.trace import Trace

WIDE_CHARS = 60  # the longest bar
GHOSTS = 12  # predicted requests beyond the run that are drawn one by one


def bars(panels: Sequence[Panel]) -> Iterator[Line]:
    """Every run on one scale; | is where a prediction has the request."""
    most = max(trip.input_tokens for panel in panels for trip in panel.trace.round_trips)
    scale = max(1, -(-most // WIDE_CHARS))  # tokens a character
    yield Line(0, "Input tokens of each request", "bold")
    key = f"A digit is {counted(scale, 'tokens')}: 1 were first sent by request 1, 2 by request 2, and so on."
    guesses = [f" | marks {panel.guess}." for panel in panels if panel.guess]
    yield Line(0, key + "".join(guesses[:1]))
    for panel in panels:
        yield from _run(panel, scale)


def _run(panel: Panel, scale: int) -> Iterator[Line]:
    totals = panel.trace.totals
    sent = f"{counted(totals.round_trips, 'requests')}, {counted(totals.input_tokens, 'tokens')}"
    yield Line(0, f"{panel.trace.rung}: {sent}")
    sent_bars = [_bar(panel.trace, index, scale) for index in range(len(panel.trace.round_trips))]
    for at in range(max(len(sent_bars), min(len(panel.expected), GHOSTS))):
        bar = sent_bars[at] if at < len(sent_bars) else ""
        total = f"{panel.trace.round_trips[at].input_tokens:,}" if at < len(sent_bars) else "not sent"
        marked = _marked(bar, round(panel.expected[at] / scale)) if at < len(panel.expected) else bar
        yield Line(0, f"{at + 1:>3} {marked} {total}", whole=True)


def _bar(trace: Trace, index: int, scale: int) -> str:
    """Its pieces, each ending where its tokens do, so that the whole is as long as the sum."""
    drawn, upto = "", 0
    for first_sent, tokens in enumerate(trace.new_tokens(index), 1):
        upto += tokens
        drawn += f"{first_sent % 10}" * (round(upto / scale) - len(drawn))
    return drawn


def _marked(bar: str, at: int) -> str:
    """The bar with the prediction's mark; one that is farther than there is room for points out of it."""
    if at > WIDE_CHARS:
        return f"{bar:<{WIDE_CHARS}}>"
    return f"{bar[:at]:<{at}}|{bar[at + 1 :]}"
