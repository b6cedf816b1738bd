"""The cache of confined processes between two runs: what a kernel that broke out of its own code left there goes.

A child has its changes of it in a file system of its own where the system allows that
(:mod:`heddle_server.engine.children.private_cache`); elsewhere it writes into the folder itself.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from heddle.runtime.native.cache import limit_bytes, write_tally
from heddle.runtime.native.cache_folder import cache_of_runs
from heddle.runtime.native.cache_room import REMADE, TALLY, Entry, evict, remove

TREES = "|".join(sorted(REMADE - {TALLY[0]}))
"""Folders in which compilers and drivers keep what they like."""
KERNEL = re.compile(r"kernels/./[\w-]+\.[0-9a-f]{32}\.so")
IN_TREES = re.compile(rf"({TREES})/.+", re.DOTALL)
KEY = re.compile(r"seal-\d+\.key")
NOTE = re.compile(
    rf"{KEY.pattern}|toolchains/[0-9a-f]+\.json|machine/[a-z]+-[0-9a-f]{{16}}\.json|opencl-vendors/[\w.-]+\.icd"
)
FOLDER = re.compile(rf"kernels(/.)?|toolchains|machine|opencl-vendors|({TREES})(/.+)?", re.DOTALL)
DEEPEST = 16
"""Folders in each other."""
UNFINISHED = re.compile(r"(.*/)?\.tmp-\w+", re.DOTALL)
"""What one of them may be writing just now, for another run beside this one."""
UNFINISHED_SECONDS = 120.0
UNFINISHED_BYTES = 64 << 20
LARGEST_NOTE = 64 << 10
MOST_NOTES = 32
MOST_KERNELS, MOST_IN_TREES = 20_000, 2000
"""A file without bytes takes room as well, and each run looks at all of them."""


def tidy_run_cache(now: float | None = None) -> None:
    """Removes what is not known, and of the rest what was unused longest beyond ``HEDDLE_CACHE_BYTES``."""
    folder = cache_of_runs()
    if not folder.is_dir():
        return
    moment = time.time() if now is None else now
    for entry in find_strangers(folder, list(_list_files(folder, moment)), moment):
        remove(entry.path)
    left = evict(folder, limit_bytes())
    if (folder / TALLY[0]).is_dir():
        write_tally(folder, left)


class CacheRoom:
    """Whether a child that writes into the cache itself has put more than ``most`` bytes there. Files are counted only
    once so much less of the disk is free than when it began."""

    def __init__(self, most: int) -> None:
        self._folder, self._most = cache_of_runs(), most
        self._free = self._count_free()

    def is_exceeded(self) -> bool:
        if self._free - self._count_free() <= self._most:
            return False
        folders = os.walk(self._folder)
        sizes = (_size_of(os.path.join(folder, name)) for folder, _, names in folders for name in names)
        return sum(sizes) > limit_bytes() + self._most

    def _count_free(self) -> int:
        try:
            return shutil.disk_usage(self._folder).free
        except OSError:
            return 0


def _list_files(root: Path, now: float) -> Iterator[Entry]:
    """All files. On the way folders that are strange go, and those that have been empty for a while."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(os.scandir(folder))
            left = folder != root and not entries and not 0 <= now - folder.stat().st_mtime < UNFINISHED_SECONDS
        except OSError:
            continue
        if left:
            with contextlib.suppress(OSError):
                folder.rmdir()
        for entry in entries:
            path = Path(entry.path)
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if not stat.S_ISDIR(status.st_mode):
                    yield Entry(status.st_mtime, status.st_size, path)
                elif _is_folder_of_ours(path.relative_to(root).as_posix(), status.st_mode):
                    waiting.append(path)
                else:
                    remove(path)


def _is_folder_of_ours(name: str, mode: int) -> bool:
    open_to_us = mode & stat.S_IRWXU == stat.S_IRWXU
    return open_to_us and name.count("/") < DEEPEST and FOLDER.fullmatch(name) is not None


def find_strangers(folder: Path, entries: Iterable[Entry], now: float) -> list[Entry]:
    """Links, pipes and their like, files that nobody of ours names so, notes as large or as many as there are never,
    and what was used longest ago of more files than there are ever."""
    strangers: list[Entry] = []
    notes: list[Entry] = []
    unfinished: list[Entry] = []
    kernels: list[Entry] = []
    in_trees: list[Entry] = []
    for entry in entries:
        name = entry.path.relative_to(folder).as_posix()
        if not _is_file(entry.path):
            strangers.append(entry)
        elif UNFINISHED.fullmatch(name):
            # A time that lies ahead was set by hand.
            (unfinished if 0 <= now - entry.used < UNFINISHED_SECONDS else strangers).append(entry)
        elif name == "/".join(TALLY):
            if entry.size > largest_tally():
                strangers.append(entry)
        elif NOTE.fullmatch(name):
            (notes if entry.size <= LARGEST_NOTE else strangers).append(entry)
        elif KERNEL.fullmatch(name):
            kernels.append(entry)
        elif IN_TREES.fullmatch(name):
            in_trees.append(entry)
        else:
            strangers.append(entry)
    for entry in (*notes, *kernels, *in_trees):
        if entry.used > now + UNFINISHED_SECONDS:
            _date_back(entry.path)
    for group, most in ((notes, MOST_NOTES), (kernels, MOST_KERNELS), (in_trees, MOST_IN_TREES)):
        strangers += _find_oldest(group, now, most)
    return strangers + (unfinished if sum(entry.size for entry in unfinished) > UNFINISHED_BYTES else [])


def _find_oldest(entries: list[Entry], now: float, most: int) -> list[Entry]:
    """Those beyond ``most``. What is dated ahead would stay for ever, and counts as the oldest."""
    return sorted(entries, key=lambda entry: (entry.used <= now + UNFINISHED_SECONDS, entry))[
        : max(0, len(entries) - most)
    ]


def largest_tally() -> int:
    """A byte tells of a KiB, and what is counted twice is put right by the next eviction."""
    return max(LARGEST_NOTE, limit_bytes() >> 9)


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _size_of(path: str) -> int:
    """On the disk: holes in a file take no room."""
    try:
        return os.lstat(path).st_blocks * 512
    except OSError:
        return 0


def _date_back(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(path, (0, 0), follow_symlinks=False)
