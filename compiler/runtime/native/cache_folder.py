"""Where the runtime keeps files: the cache folder, and writes that other processes never see half done."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


def cache_root() -> Path:
    """``$HEDDLE_CACHE``, else ``kernels_cache/objects`` of this checkout. All of it can be deleted at any time."""
    configured = os.environ.get("HEDDLE_CACHE")
    return Path(configured) if configured else REPOSITORY / "kernels_cache" / "objects"


def cache_of_runs() -> Path:
    """Where confined processes have their cache: nothing of it is loaded into others, which only read its numbers."""
    return cache_root() / "runs"


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a temporary file next to ``path`` and renames it: readers see the old content or the new, nothing else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tmp-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
