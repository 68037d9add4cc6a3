"""Sandboxes as this machine has them, as for a plain user, where namespaces are refused; and what runs there say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from shop import HEAD, Shop
from stand_in import MODEL

from askless.judge.process import isolation
from askless.judge.room import Room
from askless.judge.sandbox import End, Sandbox
from askless.service import Service

REFUSED = isolation.refusal()
EVERYWHERE = pytest.mark.parametrize("sandbox", ["started", "plain", "refused"], indirect=True)
ISOLATED = pytest.mark.parametrize("sandbox", ["started", "plain"], indirect=True)


def opened(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """The sandbox that a test is parametrized with."""
    with Sandbox(request.getfixturevalue(request.param)) as made:
        made.ready()
        if request.param != "refused" and made.exposed:
            pytest.skip(f"runs are not isolated here: {made.exposed}")
        yield made


def said(sandbox: Sandbox, lines: str, agent: Path | None = None) -> str | None:
    """What an agent of a few lines answers; one that stands nowhere stands beside this file."""
    source = HEAD + "".join(f"    {line}\n" for line in lines.splitlines())
    made = Room(str(agent or __file__), source.encode(), Shop(), Service(MODEL), 20, 60.0)
    end = sandbox.run(made)
    assert (end, made.outcome and made.outcome.crash) == (End("exited", 0, ""), None)
    assert made.outcome
    return made.outcome.text
