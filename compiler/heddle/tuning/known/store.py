"""The files of tuned schedules: one for each program, ``<digest>.json``. Those of the checkout are only read.

A file appears by renaming, and who writes holds a lock meanwhile, so that any number of processes may read and add.
"""

from __future__ import annotations

import fcntl
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from heddle.diagnostics import CompileError
from heddle.runtime.checkout import REPOSITORY
from heddle.runtime.native.cache_folder import cache_root, write_atomically
from heddle.tuning.known.entry import Known, read_known

SEEDS = REPOSITORY / "kernels_cache" / "tuned"
LARGEST_FILE = 4 << 20

logger = logging.getLogger("heddle.tuned")


@dataclass(frozen=True, slots=True)
class Store:
    """``folder`` is written to, ``seeds`` are read as well."""

    folder: Path
    seeds: Path | None = None

    def find(self, program: str) -> Known | None:
        """All that is known of a program, from both folders; a file that is damaged is left out, and logged."""
        union: Known | None = None
        for path in self._files(program):
            known = _read(path)
            if known is not None:
                union = known if union is None else union.merge(known)
        return union

    def all(self) -> Iterator[Known]:
        """What is known, program by program."""
        folders = [folder for folder in (self.seeds, self.folder) if folder is not None]
        for program in sorted({path.stem for folder in folders for path in folder.glob("*.json")}):
            known = self.find(program)
            if known is not None:
                yield known

    def join(self, known: Known) -> None:
        """Joins these entries to what is known of their program already."""
        self._change(known.program, lambda mine: known if mine is None else mine.merge(known))

    def forget(self, program: str, digest: str | None = None) -> int:
        """Removes what was added here, all of it or the entry of one key, and says how many entries that were."""
        removed = 0

        def remove_offer(mine: Known | None) -> Known | None:
            nonlocal removed
            if mine is None:
                return None
            left = tuple(entry for entry in mine.entries if digest is not None and not entry.digest.startswith(digest))
            removed = len(mine.entries) - len(left)
            return replace(mine, entries=left) if left else None

        self._change(program, remove_offer)
        return removed

    def _files(self, program: str) -> Iterator[Path]:
        for folder in (self.seeds, self.folder):
            if folder is not None and (path := folder / f"{program}.json").is_file():
                yield path

    def _change(self, program: str, change: Callable[[Known | None], Known | None]) -> None:
        path = self.folder / f"{program}.json"
        with _lock(self.folder):
            changed = change(_read(path) if path.is_file() else None)
            if changed is None:
                path.unlink(missing_ok=True)
            else:
                write_atomically(path, (json.dumps(changed.document(), indent=1) + "\n").encode())


def store_here() -> Store:
    """The one of this machine's cache folder, which the seeds of the checkout come in front of."""
    return Store(cache_root() / "tuned", SEEDS)


def _read(path: Path) -> Known | None:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(f"more than {LARGEST_FILE:,} bytes")
        return read_known(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, CompileError) as error:
        logger.warning("%s is left out: %s", path, error)
        return None


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
