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

NAMED = re.compile(r"heddle-(?:run|worker)-(?P<process>\d+)(?:\.(?P<began>\d+))?-.*")
UNNAMED = re.compile(r"heddle-run-[a-z0-9_]{8}|dask-scratch-space(-\d+)?")
"""What earlier versions made, which named no process."""
UNNAMED_SECONDS = 86_400.0


def scratch_prefix(kind: str) -> str:
    """How the name of a folder begins that ``kind``, "run" or "worker", has in the temporary directory."""
    return f"heddle-{kind}-{os.getpid()}.{began(os.getpid())}-"


def began(process: int) -> int:
    """When a process began, in ticks since the system did; 0 where nothing tells. Its number alone does not name it: in
    a container that starts again every process gets the number that it had."""
    try:
        # Behind the name of the program, in which anything may stand.
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return int(fields[19])
    except (OSError, ValueError, IndexError):
        return 0


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
        process, then = int(named["process"]), int(named["began"] or 0)
        return not psutil.pid_exists(process) or bool(then and (now := began(process)) and now != then)
    return UNNAMED.fullmatch(name) is not None and age > UNNAMED_SECONDS
