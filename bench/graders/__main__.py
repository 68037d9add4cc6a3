"""Install the graders: python -m bench.graders"""

import shutil
import subprocess
import sys

from bench.graders import GRADERS, Grader


def main() -> None:
    """Install those that are not there yet."""
    for grader in GRADERS:
        if not grader.installed():
            print(f"Installing the grader {grader.name} (a minute or two, once) ...", file=sys.stderr)
            install(grader)


def install(grader: Grader) -> None:
    """Into its folder, from nothing; pip compiles what it installs, as a user's would be."""
    shutil.rmtree(grader.folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(grader.folder)], check=True)
    pip = [str(grader.python), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", str(grader.lock)], check=True)
    grader.stamp.write_bytes(grader.lock.read_bytes())


if __name__ == "__main__":
    main()
