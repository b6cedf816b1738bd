"""Timing and compiling take turns on a machine, so that a timed round has the processors to itself.

Two locks beside the machine's timing lock. ``quiet`` is held alone by a run while its rounds are timed, and shared by
every compile that is under way, of every server on the machine. ``turn`` keeps the order: who waits for ``quiet`` alone
holds it, so that compiles that come later cannot keep a run waiting for ever. A run gives the machine back after each
window; a compile that has waited for its longest time goes ahead all the same, for a person sits before it.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from backend.engine.timing_slot import open_shared, try_lock

Value = TypeVar("Value")

# A run keeps the machine for so long, or for one round where that takes longer.
WINDOW_SECONDS = 0.1
# Between two windows: long enough for whoever waits to notice.
GAP_SECONDS = 0.005
# What an edit waits at most for timed rounds.
COMPILE_WAIT_SECONDS = 1.0
# What a run waits at most for compiles, all its waits together.
PATIENCE_SECONDS = 10.0


def prepare_locks(timing_lock: Path) -> None:
    """Makes the files, which a confined child can open but not make. Raises OSError where they cannot be made."""
    for path in (turn_lock(timing_lock), quiet_lock(timing_lock)):
        os.close(open_shared(path))


def turn_lock(timing_lock: Path) -> Path:
    return timing_lock.with_name(f"{timing_lock.name}.turn")


def quiet_lock(timing_lock: Path) -> Path:
    return timing_lock.with_name(f"{timing_lock.name}.quiet")


def in_turn(timing_lock: Path, function: Callable[..., Value], *arguments: object) -> Value:
    """What the function answers; it begins when no round is timed on this machine, or after COMPILE_WAIT_SECONDS."""
    with compile_turn(timing_lock):
        return function(*arguments)


@contextmanager
def compile_turn(timing_lock: Path) -> Iterator[None]:
    until = time.monotonic() + COMPILE_WAIT_SECONDS
    with opened(quiet_lock(timing_lock)) as quiet:
        with opened(turn_lock(timing_lock)) as turn:
            if lock_by(until, turn, fcntl.LOCK_SH):
                lock_by(until, quiet, fcntl.LOCK_SH)
        yield


class QuietTime:
    """A context in which no compile begins on this machine, but in the gaps that ``pause`` makes.

    Without a lock there is nobody to take turns with. ``waited`` are the seconds spent waiting for compiles;
    ``disturbed`` is True when there were so many that rounds were timed beside them.
    """

    def __init__(self, timing_lock: Path | None) -> None:
        self._timing_lock = timing_lock
        self._files = ExitStack()
        self._locks: tuple[int, int] | None = None
        self._taken = 0.0
        self.waited = 0.0
        self.disturbed = False

    def __enter__(self) -> QuietTime:
        if self._timing_lock is not None:
            turn = self._files.enter_context(opened(turn_lock(self._timing_lock)))
            quiet = self._files.enter_context(opened(quiet_lock(self._timing_lock)))
            self._locks = turn, quiet
            self._take(turn, quiet)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._locks = None
        self._files.close()

    def pause(self) -> bool:
        """Call it between two rounds: lets compiles that wait go first once the window has passed. True when one did,
        and left the caches and the threads of what is timed cold."""
        if self._locks is None or time.monotonic() - self._taken < WINDOW_SECONDS:
            return False
        for lock in self._locks:
            fcntl.flock(lock, fcntl.LOCK_UN)
        time.sleep(GAP_SECONDS)
        return self._take(*self._locks)

    def _take(self, turn: int, quiet: int) -> bool:
        """Whether there was somebody to wait for."""
        begun = time.monotonic()
        free = try_lock(turn) and try_lock(quiet)
        if not free:
            until = begun + PATIENCE_SECONDS - self.waited
            alone = lock_by(until, turn, fcntl.LOCK_EX) and lock_by(until, quiet, fcntl.LOCK_EX)
            self.disturbed = self.disturbed or not alone
        self._taken = time.monotonic()
        self.waited += self._taken - begun
        return not free


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """For locking alone: a confined child may not write. The lock goes with the descriptor."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def lock_by(until: float, descriptor: int, kind: int) -> bool:
    """Whether the lock was got before that time of the monotonic clock.

    A thread waits in the kernel: whoever polls takes the processor from what is being timed. It cannot be called off;
    where the time is over first, it gets the lock later, and lets go when the descriptor is closed, too.
    """
    if try_lock(descriptor, kind):
        return True
    got, own = threading.Event(), os.dup(descriptor)

    def wait() -> None:
        try:
            fcntl.flock(own, kind)
            got.set()
        finally:
            os.close(own)

    threading.Thread(target=wait, name="waits for its turn", daemon=True).start()
    return got.wait(max(0.0, until - time.monotonic()))
