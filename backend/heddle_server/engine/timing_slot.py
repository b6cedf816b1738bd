"""One timed run at a time per machine: a file lock that every process of Heddle on the machine respects."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from heddle_server.file_lock import open_shared, try_lock

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
