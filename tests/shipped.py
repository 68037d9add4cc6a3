"""The learner's files as the lab ships them: whoever runs these tests may have begun to change them."""

import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent


@cache
def shipped(path: Path) -> bytes:
    """A file as it was committed; as it stands where there is no repository."""
    done = subprocess.run(["git", "show", f"HEAD:./{path.name}"], check=False, cwd=path.parent, capture_output=True)
    return path.read_bytes() if done.returncode else done.stdout


def copy(folders: Iterable[str], root: Path) -> None:
    """A copy of folders of the repository, whose learner has done nothing yet."""
    for name in folders:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns(".*", "live"))
    for path in root.glob("tasks/*/learner/*.*"):
        path.write_bytes(shipped(ROOT / path.relative_to(root)))
