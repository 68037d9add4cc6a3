"""The launcher of runs that fits this system."""

import os
import socket

from askless.judge.process.runs import Launcher


def launcher() -> Launcher:
    """The fastest launcher this system has; its process begins to import the SDK at once."""
    if hasattr(os, "fork") and hasattr(socket, "send_fds"):
        from askless.judge.process.forked import Forking

        return Forking()
    from askless.judge.process.fresh import Fresh

    return Fresh()
