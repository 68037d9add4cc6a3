"""What was found in a learner's explanation: by code, and by a model within what code could hold it to."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from askless.catalog import Source, sources
from askless.check.target import Finding, counted
from askless.learn.claims import REASONS, Claim, Kept
from askless.learn.feedback import ABOUT, MODEL, Review
from askless.show.text import Line

SCHEMA = "askless.feedback/1"
OPINION = f"Below is what {MODEL} thinks of it: an opinion. It moves no verdict."


def facts(found: list[Finding], path: str) -> Iterator[Line]:
    """What code found, each with its next act."""
    if not found:
        yield Line(0, f"{path}: what code can check is there and right.", "green")
        return
    yield Line(0, f"{path}, as far as code can check:", "bold")
    for finding in found:
        yield Line(2, f"{finding.what[0].upper()}{finding.what[1:]}.")
        yield Line(4, f"Next: {finding.next}.")


def review(done: Review, usd: float) -> Iterator[Line]:
    """The findings by the question they are about, how many were dropped, and what it cost."""
    kept = done.kept
    yield Line(0, "")
    yield Line(0, OPINION, "bold")
    for about, heading in ABOUT.items():
        claims = [claim for claim in kept.claims if claim.about == about]
        if claims:
            yield Line(0, "")
            yield Line(0, heading, "bold")
            for claim in claims:
                yield from _claim(claim, sources()[claim.source])
    yield Line(0, "")
    yield Line(0, _counted(kept))
    yield Line(0, f"It cost ${usd:.4f}: {counted(done.requests, 'requests')}.", "dim")


def document(task: str, found: Iterable[Finding], done: Review | None = None, usd: float = 0.0) -> dict[str, Any]:
    """The same as JSON; `review` is null where no model was asked, `cost` in US dollars."""
    reviewed = done and {
        "model": MODEL,
        "findings": [asdict(claim) for claim in done.kept.claims],
        "dropped": done.kept.dropped,
        "requests": done.requests,
        "cost_usd": round(usd, 6),
    }
    return {"schema": SCHEMA, "task": task, "facts": [asdict(each) for each in found], "review": reviewed}


def _claim(claim: Claim, source: Source) -> Iterator[Line]:
    yield Line(2, f"“{claim.quote.strip()}”", "cyan")
    yield Line(4, claim.says)
    yield Line(4, f"Next: {claim.next}")
    yield Line(4, f"{source.title}: {source.address} [{source.id}]", "dim", whole=True)


def _counted(kept: Kept) -> str:
    """How many findings there were, how many of them were dropped, and why."""
    number = sum(kept.dropped.values())
    if not number and not kept.claims:
        return "The reviewer had no finding: nothing to mend, and nothing was dropped."
    if not number:
        return "Dropped: none. Each finding quotes you literally, cites the catalog and uses only your runs' numbers."
    why = "; ".join(f"{count} {REASONS[reason]}" for reason, count in kept.dropped.items())
    none = "" if kept.claims else "No finding was kept. "
    return f"{none}Dropped: {number} of {counted(number + len(kept.claims), 'findings')}: {why}."
