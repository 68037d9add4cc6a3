"""rules --live: the rules asked of the real API."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from askless.errors import Problem

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from askless.live.access import Access
    from askless.live.asking import Answered
    from askless.live.purse import Purse

TIMEOUT_S = 120.0
DECLINED, CHANGED = 1, 1


def run(words: Namespace) -> int:
    """Say what will be sent, ask, ask the API, and keep the dated result; 1 where a rule no longer holds."""
    from askless.cli.live import agreed
    from askless.live import access, asked_rules, asking
    from askless.live.purse import Purse

    if words.id:
        raise Problem("--live asks every rule that can be asked.", "leave the rule out, or leave --live out.")
    way_in, purse = access.access(), Purse(asking.BUDGET_USD)
    requests = len(list(asked_rules.asked()))
    _say(f"{requests} short requests to {way_in.host}. Nearly all are to be refused, which is free; none is about you.")
    _say(f"At most ${purse.budget_usd:g} is spent; one that could go over is not sent.")
    if not agreed(words.yes):
        _say("Nothing was sent.")
        return DECLINED
    rows, problem = _asked(way_in, purse)
    kept = _keep(rows, way_in, purse) if rows else None
    _show(rows, way_in, purse, kept, words)
    if problem:
        _say(str(problem))
        return problem.exit_code
    return CHANGED if any(row.outcome == "changed" for row in rows) else 0


def _asked(way_in: Access, purse: Purse) -> tuple[list[Answered], Problem | None]:
    """What was answered, and what kept the rest from being asked."""
    from askless.live import asking
    from askless.live.carrier import Carrier

    rows: list[Answered] = []
    try:
        with Carrier(way_in, TIMEOUT_S) as carrier:
            for row in asking.ask(carrier, purse):
                rows.append(row)
                _say(f"  {row.rule}: {row.outcome.replace('_', ' ')}")
    except Problem as problem:
        return rows, problem
    except KeyboardInterrupt:
        return rows, Problem("you stopped it.", "askless rules --live asks them all again.", exit_code=130)
    return rows, None


def _keep(rows: list[Answered], way_in: Access, purse: Purse) -> Path:
    """The file with the dated result; a second one of a day stands beside the first."""
    import json
    from datetime import date

    from askless import folders
    from askless.files import save
    from askless.live import asking

    today = date.today().isoformat()
    folder = folders.TASKS.parent / ".askless" / "rules"
    folder.mkdir(parents=True, exist_ok=True)
    taken = len(list(folder.glob(f"{today}*.json")))
    path = folder / f"{today}{f'-{taken + 1}' if taken else ''}.json"
    save(path, json.dumps(asking.document(rows, today, way_in.host, purse), indent=2, ensure_ascii=False) + "\n")
    return path


def _show(rows: list[Answered], way_in: Access, purse: Purse, kept: Path | None, words: Namespace) -> None:
    from askless.cli.record import near

    if words.json:
        import json
        from datetime import date

        from askless.live import asking

        today = date.today().isoformat()
        print(json.dumps(asking.document(rows, today, way_in.host, purse), indent=2, ensure_ascii=False))
        return
    from askless.show.asked import lines
    from askless.show.text import console, show

    if rows:
        show(console(), lines(rows, way_in.host, purse))
    elif purse.guessed:
        _say(f"Nobody told what it cost: ${purse.spent_usd:.4f} at most.")
    if kept:
        print(f"Kept: {near(kept)}")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
