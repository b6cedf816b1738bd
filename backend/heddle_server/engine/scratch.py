"""Folders of runs and workers in the temporary directory, and those that a killed process left there."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

NAMED = re.compile(r"heddle-(?:run|worker)-(?P<process>\d+)-.*")
UNNAMED = re.compile(r"heddle-run-[a-z0-9_]{8}|dask-scratch-space(-\d+)?")
"""What earlier versions made, which named no process."""
UNNAMED_SECONDS = 86_400.0


def scratch_prefix(kind: str) -> str:
    """How the name of a folder begins that ``kind``, "run" or "worker", has in the temporary directory."""
    return f"heddle-{kind}-{os.getpid()}-"


def remove_abandoned(folder: Path | None = None) -> None:
    """Removes this user's folders of processes that are gone. What cannot be removed stays."""
    for path in find_abandoned(folder or Path(tempfile.gettempdir()), time.time()):
        shutil.rmtree(path, ignore_errors=True)


def find_abandoned(folder: Path, now: float) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # gone meanwhile
                status = entry.stat(follow_symlinks=False)
                ours = entry.is_dir(follow_symlinks=False) and status.st_uid == os.geteuid()
                if ours and _is_abandoned(entry.name, now - status.st_mtime):
                    yield Path(entry.path)


def _is_abandoned(name: str, age: float) -> bool:
    named = NAMED.fullmatch(name)
    if named is not None:
        return not psutil.pid_exists(int(named["process"]))
    return UNNAMED.fullmatch(name) is not None and age > UNNAMED_SECONDS
