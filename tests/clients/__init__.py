"""Clients of the Messages API that are not the lab's: agents for the order desk on each, and what those need."""

import os
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
NODE = Path(__file__).parent / "node"
SOURCES = Path(__file__).parent / "python"
FOLDER = ROOT / ".askless" / "clients"  # ignored by git
PYTHON = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LOCKS = (SOURCES / "requirements.lock", NODE / "package-lock.json")
STAMP = FOLDER / ".installed"


def locked() -> str:
    """A digest of what is to be installed."""
    return sha256(b"".join(lock.read_bytes() for lock in LOCKS)).hexdigest()


def installed() -> bool:
    """Whether just that is installed."""
    return STAMP.is_file() and STAMP.read_text() == locked() and (NODE / "node_modules").is_dir()
