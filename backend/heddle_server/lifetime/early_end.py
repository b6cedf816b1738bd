"""A server that is told to end while it starts ends at once, and without a word: it has promised nothing yet."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import resource_tracker

CLEANING_SECONDS = 2.0


class Start:
    """From the first moment, before the slow imports, until requests are answered.

    Ctrl+C in a terminal reaches every process of the server. Each inherits that it is blocked, because Python would
    end those that are being started with a traceback; and a thread takes it for this process, because an interrupt in
    the middle of an import comes out as whatever error the import makes of it.
    """

    def __init__(self) -> None:
        self._handle: Callable[[int], object] = end_early

    def begin(self) -> None:
        """To be called in the main thread."""
        signal.signal(signal.SIGTERM, lambda *_: end_early(signal.SIGTERM))
        if hasattr(signal, "sigwait"):
            # Python unblocks signals when it has started its tracker: later, all processes would be without the block.
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            threading.Thread(target=self._watch, name="interrupts", daemon=True).start()
        print("heddle: starting (Ctrl+C stops it)", file=sys.stderr, flush=True)

    def ready(self, handle: Callable[[int], object]) -> None:
        """Interrupts go to ``handle`` from here on, in the thread that watches."""
        self._handle = handle

    def _watch(self) -> None:
        while True:
            number = signal.sigwait({signal.SIGINT})
            self._handle(number)


def end_early(number: int) -> None:
    """Ends this process and its children, as the signal would. Nothing is lost: no request was answered, and SQLite
    takes back what it was in the middle of."""
    from multiprocessing.util import _run_finalizers  # type: ignore[attr-defined]

    # Threads that see their processes die would say so, each with a traceback.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    _kill_descendants()
    # In a thread, which may wait for a lock of the code that the signal came into. Semaphores that are left make
    # Python's tracker of them speak up.
    cleaning = threading.Thread(target=_run_finalizers, args=(0,), daemon=True)
    cleaning.start()
    cleaning.join(CLEANING_SECONDS)
    _kill_descendants()  # what another thread has started meanwhile would miss what was cleaned
    os._exit(128 + number)


def _kill_descendants() -> None:
    """All that is below this process: Dask's workers are children of Python's fork server. They are held first, top
    down, so that none can start another one behind the list. The tracker of semaphores ends by itself."""
    import psutil

    tracker = getattr(resource_tracker._resource_tracker, "_pid", None)
    held: dict[int, psutil.Process] = {}
    while new := {
        child.pid: child
        for child in psutil.Process().children(recursive=True)
        if child.pid != tracker and child.pid not in held
    }:
        held |= new
        for child in new.values():
            with suppress(psutil.Error):
                child.suspend()
    for child in held.values():
        with suppress(psutil.Error):
            child.kill()
