"""Timing and compiling take turns on a machine, so that a timed round has the processors to itself.

Three locks next to the machine's timing lock. ``quiet`` is held alone by a run while its rounds are timed, and shared
by every compile that is under way, of every server on the machine. ``waiting`` is shared by the compiles that wait for
it: a run looks there after each of its windows, and lets them in. ``turn`` keeps the order: a run that wants the
machine back holds it alone, so that compiles that come later cannot keep it waiting forever. A compile that has waited
for its longest time goes ahead all the same, for a person sits before it.
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

from heddle_server.file_lock import open_shared, try_lock

Value = TypeVar("Value")

# A run keeps the machine for so long, or for one round where that takes longer; then compiles, where some wait, have it
# as long. What begins in that time comes to its end.
WINDOW_SECONDS = 0.05
# How often a run looks whether compiles have left the machine; it times nothing meanwhile.
LOOK_SECONDS = 0.002
# What an edit waits at most for timed rounds, from when it is asked for.
COMPILE_WAIT_SECONDS = 1.0
# What a run waits at most for compiles, all its waits together.
PATIENCE_SECONDS = 20.0


def prepare_locks(timing_lock: Path) -> None:
    """Makes the files, which a confined child can open but not make. Raises OSError where they cannot be made."""
    for name in (turn_lock, quiet_lock, waiting_lock):
        os.close(open_shared(name(timing_lock)))


def locks_of(timing_lock: Path) -> tuple[Path, ...]:
    """The files by which compiles and timed rounds take turns."""
    return turn_lock(timing_lock), quiet_lock(timing_lock), waiting_lock(timing_lock)


def turn_lock(timing_lock: Path) -> Path:
    return timing_lock.with_name(f"{timing_lock.name}.turn")


def quiet_lock(timing_lock: Path) -> Path:
    return timing_lock.with_name(f"{timing_lock.name}.quiet")


def waiting_lock(timing_lock: Path) -> Path:
    return timing_lock.with_name(f"{timing_lock.name}.waiting")


def in_turn(timing_lock: Path, until: float, function: Callable[..., Value], *arguments: object) -> Value:
    """What the function answers; it begins when no round is timed on this machine, or at that time of the monotonic
    clock, which is the same in all processes."""
    with compile_turn(timing_lock, until):
        return function(*arguments)


@contextmanager
def compile_turn(timing_lock: Path, until: float) -> Iterator[None]:
    # Anew each time: systems delete what lies in a folder for temporary files for days.
    prepare_locks(timing_lock)
    with open_lock(quiet_lock(timing_lock)) as quiet:
        with open_lock(turn_lock(timing_lock)) as turn, open_lock(waiting_lock(timing_lock)) as waiting:
            if not (try_lock(turn, fcntl.LOCK_SH) and try_lock(quiet, fcntl.LOCK_SH)):
                lock_by(until, waiting, fcntl.LOCK_SH)
                if lock_by(until, turn, fcntl.LOCK_SH):
                    lock_by(until, quiet, fcntl.LOCK_SH)
        yield


class QuietTime:
    """A context in which no compile begins on this machine, but where ``pause`` lets those in that wait. It can be
    entered again.

    Without a lock there is nobody to take turns with. ``waited`` are the seconds spent waiting for compiles;
    ``disturbed`` is True when there were so many that rounds were timed alongside them.
    """

    def __init__(self, timing_lock: Path | None) -> None:
        self._timing_lock = timing_lock
        self._files = ExitStack()
        self._locks: tuple[int, int, int] | None = None
        self._taken = 0.0
        self.waited = 0.0
        self.disturbed = False

    def __enter__(self) -> QuietTime:
        if self._timing_lock is not None:
            turn = self._files.enter_context(open_lock(turn_lock(self._timing_lock)))
            quiet = self._files.enter_context(open_lock(quiet_lock(self._timing_lock)))
            waiting = self._files.enter_context(open_lock(waiting_lock(self._timing_lock)))
            self._locks = turn, quiet, waiting
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
        turn, quiet, waiting = self._locks
        if is_free(waiting):
            return False
        begun = time.monotonic()
        for lock in (turn, quiet):
            fcntl.flock(lock, fcntl.LOCK_UN)
        looks = 0
        # One look is not enough: the next compile of a server that has several begins a moment after the last.
        while looks < 2 and time.monotonic() < begun + WINDOW_SECONDS:
            time.sleep(LOOK_SECONDS)
            looks = looks + 1 if is_free(waiting) and is_free(quiet) else 0
        self.waited += time.monotonic() - begun
        self._take(turn, quiet)
        return True

    def _take(self, turn: int, quiet: int) -> None:
        begun = time.monotonic()
        until = begun + PATIENCE_SECONDS - self.waited
        alone = lock_by(until, turn, fcntl.LOCK_EX) and lock_by(until, quiet, fcntl.LOCK_EX)
        self.disturbed = self.disturbed or not alone
        self._taken = time.monotonic()
        self.waited += self._taken - begun


def is_free(descriptor: int) -> bool:
    """Whether nobody else has the lock."""
    if not try_lock(descriptor):
        return False
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return True


@contextmanager
def open_lock(path: Path) -> Iterator[int]:
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
    got, event = threading.Event(), os.dup(descriptor)

    def wait() -> None:
        try:
            fcntl.flock(event, kind)
            got.set()
        finally:
            os.close(event)

    try:
        threading.Thread(target=wait, name="waits for its turn", daemon=True).start()
    except RuntimeError:  # The system gives no more threads.
        os.close(event)
        return False
    return got.wait(max(0.0, until - time.monotonic()))
