"""python -m askless COMMAND."""

import sys

from askless.cli import main

sys.exit(main())
