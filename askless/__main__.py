"""python -m askless COMMAND. It leaves without teardown, which takes as long as a light command does."""

import os
import sys
from contextlib import suppress

try:
    from askless.cli import main

    code = main()
except KeyboardInterrupt:  # before the command line was there to hear it
    code = 130
for stream in (sys.stdout, sys.stderr):
    with suppress(OSError):  # main has told what could not be written
        stream.flush()
os._exit(code)
