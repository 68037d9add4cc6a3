"""Where a task's files stand, found without reading any of them."""

from pathlib import Path

from askless.errors import Problem

TASKS = Path(__file__).parent.parent / "tasks"


def names() -> list[str]:
    """Every task, by listing the folder."""
    return sorted(path.parent.name for path in TASKS.glob("*/rungs.json"))


def find(name: str) -> Path:
    """A task's folder, by its path, its name, or the beginning of its name."""
    matching = [TASKS / known for known in names() if known.startswith(name)] if name else []
    if not matching and name and Path(name).is_dir():
        return Path(name)
    if len(matching) != 1:
        seen = f"{name!r} fits several tasks." if matching else f"there is no task {name!r}."
        raise Problem(seen, f"name one of: {', '.join(names())}.")
    return matching[0]


def worked(folder: Path, rung: str) -> Path:
    """Where the worked version of a rung stands, if there is one."""
    return folder.parent.parent / "worked" / folder.name / f"{rung}.py"
