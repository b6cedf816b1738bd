"""The page's files of earlier builds: whoever opened the page before an upgrade can load the rest of it for a day."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path

KEPT_SECONDS = 24 * 3600.0

NOT_LOADED = ".map"
"""Ends the names of files that only tools for developers ask for."""


class EarlierAssets:
    """Copies of the files that builds of the page brought, in a folder that outlives them.

    A file of the current build stays. One that a later build no longer has stays ``KEPT_SECONDS`` longer.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._listing = folder / ".current.json"
        self._build: tuple[int, int] | None = None
        self._lock = threading.Lock()

    def remember(self, frontend: Path, now: float) -> None:
        """Copies the build in ``frontend``, unless it is the one of the last call.

        Parameters
        ----------
        now
            seconds since the epoch, from which the files of the build before this one are kept for a day.
        """
        with self._lock:
            index = frontend / "index.html"
            if not index.is_file() or self._build == (build := _stamp(index)):
                return
            self._replace(frontend / "assets", now)
            self._build = build

    def _replace(self, assets: Path, now: float) -> None:
        current = {
            file.name: file
            for file in (assets.iterdir() if assets.is_dir() else ())
            if file.is_file() and not file.is_symlink() and not file.name.endswith(NOT_LOADED)
        }
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, file in current.items():
            if not (self.folder / name).is_file():
                _copy(file, self.folder / name)
        for name in self._last_build() - current.keys():
            if (self.folder / name).is_file():
                os.utime(self.folder / name, (now, now))
        for file in self.folder.iterdir():
            outlived = file.stat().st_mtime < now - KEPT_SECONDS
            if file != self._listing and file.name not in current and outlived:
                file.unlink()
        self._listing.write_text(json.dumps(sorted(current)), encoding="utf-8")

    def _last_build(self) -> set[str]:
        try:
            return {str(name) for name in json.loads(self._listing.read_text(encoding="utf-8"))}
        except (FileNotFoundError, ValueError):
            return set()


def _stamp(index: Path) -> tuple[int, int]:
    status = index.stat()
    return status.st_mtime_ns, status.st_size


def _copy(file: Path, target: Path) -> None:
    """A whole file or none: another process may serve it meanwhile."""
    part = target.with_name(f".{target.name}.part")
    shutil.copyfile(file, part)
    part.replace(target)
