"""The scenarios of the production rung as a table: what happens in each, and the most that it may cost."""

from askless.scenario import Scenario
from askless.task import Task

TITLE = "The scenarios, and the most that each may cost"
HEADS = ("scenario", "what happens", "round trips", "tool calls", "input tokens", "failed requests")


def rows(task: Task) -> tuple[tuple[str, ...], ...]:
    """A row for each scenario, under HEADS."""
    return tuple((each.name, each.happens, *_budget(each)) for each in task.scenarios())


def _budget(scenario: Scenario) -> tuple[str, ...]:
    return tuple(f"{limit:,}" for limit in scenario.limits.values() if not isinstance(limit, bool))
