"""One set-up of a kind at a time: two ./heddle started together must not install into one folder."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from tools.paths import STATE
from tools.progress import say


@contextmanager
def setup_lock(what: str) -> Iterator[None]:
    """Waits until nobody else sets up ``what``. The system frees the lock when its holder ends, however it ends."""
    STATE.mkdir(parents=True, exist_ok=True)
    with (STATE / f"{what}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another set-up of {what} is under way; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
