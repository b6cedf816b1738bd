"""How much room the cache folder takes, all that lies in it counted; and what of it goes first.

What can be made again goes: kernels, and what compilers and drivers keep. What was measured or found on this machine
is small, and stays.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

REMADE = frozenset({"kernels", "opencl", "pocl", "zig", "cupy"})
"""Folders of what can be made again."""
RUNS = "runs"
"""The cache of confined processes, in that of the others."""
TALLY = ("kernels", "tally")
KEEP = 0.8
"""The share of the limit that stays: else every new file would have to look for victims."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A file: when it was used last, in seconds since 1970, and its bytes."""

    used: float
    size: int
    path: Path
    dear: bool = False
    """Whether it takes seconds to make it again."""


def list_entries(root: Path) -> Iterator[Entry]:
    """All files, and folders where kernels should be; links are not followed."""
    for folder, inner, names in os.walk(root):
        in_the_way = [name for name in inner if name.endswith(".so")]
        inner[:] = [name for name in inner if name not in in_the_way]
        for name in [*names, *in_the_way]:
            path = Path(folder, name)
            with contextlib.suppress(OSError):
                status = path.lstat()
                yield Entry(status.st_mtime, status.st_size, path)


def evict(root: Path, limit: int, keep: Path | None = None) -> int:
    """Removes what was unused longest once the folder is over its limit; ``keep`` stays. Returns the bytes that are
    left."""
    entries = list(list_entries(root))
    total = sum(entry.size for entry in entries)
    if total <= limit:
        return total
    for entry in sorted(_find_remade(root, entries), key=lambda entry: (entry.dear, entry)):
        if total <= limit * KEEP:
            break
        if entry.path != keep:
            remove(entry.path)
            total -= entry.size
    return total


def _find_remade(root: Path, entries: Iterable[Entry]) -> Iterator[Entry]:
    """What is made again when it is missing, the C library of zig marked as dear."""
    for entry in entries:
        parts = entry.path.relative_to(root).parts
        parts = parts[1:] if parts[0] == RUNS else parts
        if len(parts) > 1 and parts[0] in REMADE and parts != TALLY:
            yield replace(entry, dear=parts[0] == "zig")


def remove(path: Path) -> None:
    """As far as this user may: the folder may be shared, and what lies in it may be no file. Folders go whatever their
    modes are and however deep they lie: each is moved beside ``path`` first, for a path has a greatest length."""
    waiting, numbers = [path], count()
    while waiting:
        folder = waiting.pop()
        with contextlib.suppress(OSError):
            if not folder.is_dir() or folder.is_symlink():
                folder.unlink()
                continue
            folder.chmod(0o700)
            for entry in list(os.scandir(folder)):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                    continue
                beside = path.with_name(f".tmp-gone-{os.getpid()}-{time.time_ns()}-{next(numbers)}")
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, beside)
                waiting.append(beside)
            folder.rmdir()
