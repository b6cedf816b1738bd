"""One timed run at a time per machine: a file lock that every process of Heddle on the machine respects."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

POLL_SECONDS = 0.1


@contextmanager
def timing_slot(path: Path, cancel: threading.Event, waiting: Callable[[], None]) -> Iterator[bool]:
    """Holds the machine's slot for timed runs; yields False when cancelled while another run had it.

    ``waiting`` is called once when the slot is taken. The lock goes away with its process, however that ends.
    """
    descriptor = open_shared(path)
    try:
        told = False
        while not try_lock(descriptor):
            if not told:
                waiting()
                told = True
            if cancel.wait(POLL_SECONDS):
                yield False
                return
        yield True
    finally:
        os.close(descriptor)


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
