"""``python -m heddle_server``: the same as ``python -m heddle_server.cli``."""

from __future__ import annotations

import sys

from heddle.cli.program import main

if __name__ == "__main__":
    sys.exit(main())
