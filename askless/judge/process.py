"""The launcher of runs that fits this system."""

import os
import socket

from askless.judge.runs import Launcher


def launcher() -> Launcher:
    """The fastest launcher this system has; its process begins to import the SDK at once."""
    if hasattr(os, "fork") and hasattr(socket, "send_fds"):
        from askless.judge.forked import Forking

        return Forking()
    from askless.judge.fresh import Fresh

    return Fresh()
