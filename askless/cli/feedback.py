"""feedback: what code, and a model if it may, finds in the learner's explanation of their changes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from askless.errors import Problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from askless.check.target import Finding
    from askless.learn.explanation import Explanation
    from askless.learn.feedback import Material, Review
    from askless.live.reviewer import Reviewer
    from askless.show.text import Line
    from askless.task import Rung, Task
    from askless.trace import Trace

BUDGET_USD = "0.25"
MOST_USD = 100.0
UNREVIEWED = {"holds_key", "empty", "too_long", "not_run"}  # facts beside which nothing is sent


def add(commands: Any) -> None:
    """Add the command to the parser."""
    what = "review what you wrote of your changes in learner/explain.md"
    feedback = commands.add_parser("feedback", help=what, description=f"{what[0].upper()}{what[1:]}.")
    feedback.add_argument("task", nargs="?", help="a task's name, or its beginning (else the first)")
    feedback.add_argument("--offline", action="store_true", help="what code can check: no key, and nothing is sent")
    feedback.add_argument("--budget", default=BUDGET_USD, metavar="USD", help=f"the most to spend ({BUDGET_USD})")
    feedback.add_argument("--yes", action="store_true", help="do not ask before sending")
    feedback.add_argument("--json", action="store_true", help="print what was found as JSON, and nothing else")
    feedback.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """What code finds; then, where there is a key and something to review, what a model finds. Neither is a verdict."""
    from askless import task as tasks
    from askless.cli import record
    from askless.learn import explanation
    from askless.learn.feedback_facts import facts
    from askless.show import feedback

    task, budget_usd = tasks.load(args.task or tasks.names()[0]), _usd(args.budget)
    path = record.near(task.explanation)
    written = explanation.read(path, record.near(task.form))
    trace = record.last(task) if record.has_run(task) else None
    found = facts(written, task, trace)
    if not args.json:
        _print(feedback.facts(found, str(path)))
    done = None
    if not args.offline and _worth_it(found) and trace:
        done = _review(task, written, trace, budget_usd, yes=args.yes)
    if args.json:
        _print_json(feedback.document(task.name, found, *(done or ())))
    elif done:
        _print(feedback.review(*done))
    return 0


def _usd(text: str) -> float:
    try:
        usd = float(text)
    except ValueError:
        usd = 0.0
    if not 0 < usd <= MOST_USD:
        raise Problem(f"--budget {text} is no number of US dollars up to {MOST_USD:g}.", f"name one: {BUDGET_USD}")
    return usd


def _worth_it(found: list[Finding]) -> bool:
    """Whether there is something to review; whoever waits for a review is told why not."""
    why = [finding.what for finding in found if finding.id in UNREVIEWED]
    if why:
        _say(f"No model was asked: {'; '.join(why)}.")
    return not why


def _review(
    task: Task, written: Explanation, trace: Trace, budget_usd: float, *, yes: bool
) -> tuple[Review, float] | None:
    """A model's review and what it cost in US dollars; None where there is no key, or nobody agreed to ask one."""
    from askless.catalog import sources
    from askless.cli.live import agreed
    from askless.learn import feedback
    from askless.live.access import access
    from askless.live.purse import Purse
    from askless.live.reviewer import Reviewer

    try:
        way_in = access()
    except Problem as problem:
        _say(f"No model was asked, so this is what code can check alone: {problem}")
        return None
    material = feedback.material(written, task, trace, _shown(task), sources().values())
    reviewer = Reviewer(way_in, Purse(budget_usd))
    _say(_beforehand(reviewer, material))
    if not agreed(yes):
        _say("Nothing was sent.")
        return None
    return _paid(reviewer, material), reviewer.purse.spent_usd


def _paid(reviewer: Reviewer, material: Material) -> Review:
    """The review; where it comes to none, what was spent all the same is told."""
    from askless.learn import feedback

    try:
        return feedback.review(reviewer, material)
    except Problem as problem:
        if not reviewer.purse.spent_usd:
            raise
        seen = f"{problem.seen} Asking cost ${reviewer.purse.spent_usd:.4f}."
        raise Problem(seen, problem.next_act, exit_code=problem.exit_code) from None


def _shown(task: Task) -> list[Rung]:
    """The worked rungs whose numbers the learner has seen."""
    from askless.cli import record

    progress = record.load(task)
    return [rung for rung in task.rungs if rung.measured and progress.rung(rung.name).seen]


def _beforehand(reviewer: Reviewer, material: Material) -> str:
    """What is sent to whom, and what it can cost."""
    from askless.api.conversation import Request
    from askless.learn import feedback
    from askless.live import ceiling

    body = feedback.request(material)
    most_usd = ceiling.of(Request.of(body)).usd
    runs = ", ".join(["your last practice run", *(run["run"] for run in material.runs[1:])])
    return "\n".join(
        (
            f"{feedback.MODEL} at {reviewer.access.host} is to read what you wrote, beside the numbers of {runs}.",
            f"That is one request of at most ${most_usd:.2f} by the prices of {ceiling.as_of()}, and one more only if",
            f"the reply has not the right form. Nothing goes over ${reviewer.purse.budget_usd:g} in all (--budget).",
        )
    )


def _print(lines: Iterable[Line]) -> None:
    from askless.show.text import console, show

    show(console(), lines)


def _print_json(document: dict[str, Any]) -> None:
    import json

    print(json.dumps(document, indent=2, ensure_ascii=False))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
