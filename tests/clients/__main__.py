"""Install the clients, the Python ones into a folder of their own: python -m tests.clients"""

import shutil
import subprocess
import sys

from tests.clients import FOLDER, LOCKS, NODE, PYTHON, STAMP, installed, locked


def main() -> int:
    """Install what is not there yet; 2 where something is missing for it."""
    if installed():
        return 0
    npm = shutil.which("npm")
    if npm is None:
        print(
            "npm is not installed here.\nNext: install Node.js 20 or newer with npm, then make clients", file=sys.stderr
        )
        return 2
    print("Installing other clients of the Messages API (a minute or two, once) ...", file=sys.stderr)
    shutil.rmtree(FOLDER, ignore_errors=True)
    for command in (
        [sys.executable, "-m", "venv", str(FOLDER)],
        [
            str(PYTHON),
            "-m",
            "pip",
            "install",
            "-qq",
            "--disable-pip-version-check",
            "--require-hashes",
            "-r",
            str(LOCKS[0]),
        ],
        [npm, "ci", "--silent", "--prefix", str(NODE)],
    ):
        subprocess.run(command, check=True)
    STAMP.write_text(locked())
    return 0


if __name__ == "__main__":
    sys.exit(main())
