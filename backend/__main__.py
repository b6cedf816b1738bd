"""``python -m backend``: the same as ``python -m backend.cli``."""

from __future__ import annotations

import sys

from backend.cli import main

if __name__ == "__main__":
    sys.exit(main())
