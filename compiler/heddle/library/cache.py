"""The folder of compiled kernels: where it is, what is in it, and how to empty it. ``hd.cache.info()``."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from heddle.library.einsum.evaluate import EVALUATIONS
from heddle.runtime.native.cache_folder import cache_root

__all__ = ["CacheInfo", "clear", "info", "path"]


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """``files`` of so many ``bytes`` in the folder at ``path``, and ``evaluations``: the kinds of operands for which
    :func:`heddle.evaluate` has kernels in this process."""

    path: Path
    files: int
    bytes: int
    evaluations: int


def path() -> Path:
    """The folder: ``HEDDLE_CACHE`` of the environment, else that of the checkout or of the user's caches."""
    return cache_root()


def info() -> CacheInfo:
    """What is in the folder now."""
    root = cache_root()
    sizes = [file.stat().st_size for file in root.rglob("*") if file.is_file()] if root.is_dir() else []
    return CacheInfo(root, len(sizes), sum(sizes), EVALUATIONS.count)


def clear() -> None:
    """Deletes all that is in the folder, and forgets the kernels of :func:`heddle.evaluate`. Kernels that are loaded go
    on; others are compiled again when they are needed."""
    EVALUATIONS.clear()
    root = cache_root()
    for entry in list(root.iterdir()) if root.is_dir() else []:
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
