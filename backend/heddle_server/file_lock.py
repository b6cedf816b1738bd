"""Locks on files that several processes, and several users of a machine, share."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


def open_private(path: Path) -> int:
    """A descriptor to lock, of a file for this user alone."""
    return os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)


def open_shared(path: Path) -> int:
    """A descriptor to lock. Users of the machine share the file: all may lock it, which takes no right to write."""
    # Opened before created: in a sticky directory such as /tmp the system refuses O_CREAT on another user's file.
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o444)
        os.fchmod(descriptor, 0o444)
        return descriptor


def try_lock(descriptor: int, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
