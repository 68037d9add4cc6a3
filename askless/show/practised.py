"""A practice run in a process of its own, as static HTML: the kernel's own state cannot change the verdict."""

import os
import subprocess
import sys

from askless.show import html
from askless.task import Task


def practised(task: Task, rung: str) -> str:
    """What `askless practice` says of the learner's agent. It is run from the repository's root, as in a terminal."""
    root = task.folder.parent.parent
    command = [sys.executable, "-m", "askless", "practice", os.path.relpath(task.folder, root), "--rung", rung]
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    verdict, _, rest = done.stdout.strip().partition("\n")
    said = done.stderr.strip()
    if not verdict:
        return html.frame(html.heading("Your agent was not judged"), html.code(said))
    return html.frame(html.heading(verdict), html.code(rest.strip("\n")), html.code(said) if said else "")
