"""Copies of a server's data on the machine of a worker, named by their hash and kind, and bounded in all."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

NAME = re.compile(r"[0-9a-f]{64}\.[a-z]{1,8}")
ARRIVING = ".arriving"


class DataCopies:
    """One run at a time uses them, and its copies are the latest: making room never takes these away."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._limit = limit_bytes

    def find(self, name: str) -> Path | None:
        """The whole copy, which counts as used now; None when it is not here."""
        path = self._path(name)
        try:
            os.utime(path)
        except FileNotFoundError:
            return None
        return path

    def write(self, name: str, offset: int, piece: bytes) -> None:
        """The pieces of a copy come in order; the first starts it from scratch."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._path(name + ARRIVING).open("ab" if offset else "wb") as file:
            file.write(piece)

    def complete(self, name: str) -> Path:
        """Raises ValueError when what arrived is not what the name says; nothing is kept then."""
        arrived, path = self._path(name + ARRIVING), self._path(name)
        with arrived.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != name.partition(".")[0]:
            arrived.unlink()
            raise ValueError(f"The copy {name} arrived damaged, as {digest}.")
        os.replace(arrived, path)
        self._make_room(path)
        return path

    def _make_room(self, newest: Path) -> None:
        others = [path for path in self._folder.iterdir() if path != newest]
        used = newest.stat().st_size
        for path in sorted(others, key=lambda path: path.stat().st_mtime, reverse=True):
            used += path.stat().st_size
            if used > self._limit:
                path.unlink()

    def _path(self, name: str) -> Path:
        if NAME.fullmatch(name.removesuffix(ARRIVING)) is None:
            raise ValueError(f"{name!r} is not the name of a copy.")
        return self._folder / name
