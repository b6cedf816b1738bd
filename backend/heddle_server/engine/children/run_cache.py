"""The cache of confined processes between two runs: what a kernel that broke out of its own code left there goes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from pathlib import Path

from heddle.runtime.native.cache import limit_bytes
from heddle.runtime.native.cache_folder import cache_of_runs
from heddle.runtime.native.cache_room import Entry, evict, list_entries, remove

KNOWN = re.compile(
    r"kernels/(tally|./[\w-]+\.[0-9a-f]{32}\.so)|seal-\d+\.key|toolchains/[0-9a-f]+\.json"
    r"|machine/[a-z]+-[0-9a-f]{16}\.json|opencl-vendors/[\w.-]+\.icd|(opencl|pocl|zig)/.*"
)
"""What our own programs keep there."""
UNFINISHED = re.compile(r"(.*/)?\.tmp-\w+")
"""What one of them may be writing just now, for another run beside this one."""
UNFINISHED_SECONDS = 120.0
LARGEST_NOTE = 1 << 20
"""Bytes of what is neither a kernel nor of a compiler or driver."""
REMADE = ("kernels/", "opencl/", "pocl/", "zig/")


def tidy_run_cache(now: float | None = None) -> None:
    """Removes what is not known, and of the rest what was unused longest beyond ``HEDDLE_CACHE_BYTES``."""
    folder = cache_of_runs()
    moment = time.time() if now is None else now
    for entry in find_strangers(folder, list_entries(folder), moment):
        remove(entry.path)
    evict(folder, limit_bytes())


def find_strangers(folder: Path, entries: Iterable[Entry], now: float) -> list[Entry]:
    """Links, files that nobody of ours names so, and notes as large as no note is."""
    return [entry for entry in entries if not _is_ours(entry, entry.path.relative_to(folder).as_posix(), now)]


def _is_ours(entry: Entry, name: str, now: float) -> bool:
    if entry.path.is_symlink():
        return False
    if UNFINISHED.fullmatch(name):
        # A time that lies ahead was set by hand.
        return 0 <= now - entry.used < UNFINISHED_SECONDS
    return KNOWN.fullmatch(name) is not None and (name.startswith(REMADE) or entry.size <= LARGEST_NOTE)
