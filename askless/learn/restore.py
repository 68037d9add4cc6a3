"""The learner's file given its first text back; what stood there is kept beside it."""

from itertools import count
from pathlib import Path

from askless.errors import Problem
from askless.files import save


def restore(agent: Path, original: Path, day: str) -> Path | None:
    """Write the original over the agent and return where the agent's own text is kept (None where there was none).

    A copy is named after the day, as agent.2026-11-29-1.py, and never overwritten. A Problem leaves all as it was.
    """
    kept = _keep(agent, day) if agent.exists() else None
    save(agent, original.read_text("utf-8"))
    return kept


def _keep(agent: Path, day: str) -> Path:
    try:
        text = agent.read_bytes()
        for number in count(1):
            copy = agent.with_name(f"{agent.stem}.{day}-{number}{agent.suffix}")
            if not copy.exists():
                break
        with copy.open("xb") as file:
            file.write(text)
    except OSError as error:
        raise Problem(f"{agent} could not be copied: {error.strerror}.", "make room, or move the file away.") from None
    return copy
