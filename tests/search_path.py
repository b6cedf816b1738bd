"""Where another process finds what tests import: PYTHONPATH for it."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def search_path(root: Path = ROOT) -> str:
    return os.pathsep.join(str(folder) for folder in (root, root / "compiler", root / "backend"))
