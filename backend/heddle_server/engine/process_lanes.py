"""A capped set of worker processes for compiles, each in its own pool.

One process per pool, so that a compile that hangs or dies takes down its own process alone: that one is killed and
replaced, and its neighbours do not notice.
"""

from __future__ import annotations

import asyncio
import copyreg
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

import psutil

from heddle_server.engine.fork_server import start_method
from heddle_server.engine.quiet_time import COMPILE_WAIT_SECONDS, in_turn, prepare_locks
from heddle_server.garbage import nothing_collected

Value = TypeVar("Value")

# Only a process that hangs takes this long: the imports need a second, on a busy machine a minute.
START_SECONDS = 300.0


# For so long a process may wait for a processor in addition to its time; the page waits for an answer for 30 s.
MOST_STARVED_SECONDS = 15.0


class TookTooLong(Exception):  # noqa: N818 - reads as what happened
    """The call ran past its time limit; its process was killed."""


class Starved(TookTooLong):
    """Its process waited for a processor for longer than anybody waits for an answer."""


class ProcessDied(Exception):  # noqa: N818
    """The process of the call ended in the middle: it crashed."""


class ProcessKilled(ProcessDied):
    """It was ended from outside, often by the system because memory ran out, or the system gave no process."""


OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)
"""Exit codes of a process that others have ended."""
ATTEMPTS = 2


class Lane:
    """One worker process at a time, started on demand and after every death."""

    def __init__(self, memory_bytes: int, prepare: Callable[[], None]) -> None:
        self._arguments = (memory_bytes, prepare)
        self._pool: ProcessPoolExecutor | None = None
        self._process: BaseProcess | None = None
        self.pid: int | None = None

    async def start(self) -> None:
        if self._pool is not None and self._pool._broken:
            self.kill()  # It died while it had nothing to do.
        if self._pool is None:
            # Not as a fork of the server, which would copy its threads' locks in whatever state they are.
            context = multiprocessing.get_context(start_method())
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=begin, initargs=self._arguments)
            self.pid = await self.call(START_SECONDS, os.getpid)
            self._process = next(iter(self._pool._processes.values()))
            read_exit_once(self._process)

    async def call(self, seconds: float, function: Callable[..., Value], *arguments: object) -> Value:
        """Raises what the function raises, TookTooLong, Starved, ProcessDied or ProcessKilled. The time for which the
        process could go on and had no processor does not count."""
        assert self._pool is not None
        loop = asyncio.get_running_loop()
        end, before, left, waited = time.monotonic() + seconds, self._starved_seconds(), seconds, 0.0
        try:
            answer = loop.run_in_executor(self._pool, function, *arguments)
        except Exception as error:
            # Nothing was called: the process has died just now, or the system gives no other one.
            self.kill()
            raise ProcessKilled from error
        try:
            while left > 0:
                done, _ = await asyncio.wait((answer,), timeout=left)
                if done:
                    return answer.result()
                waited = self._starved_seconds() - before
                left = end + min(waited, MOST_STARVED_SECONDS) - time.monotonic()
        except BrokenProcessPool:
            killed = await asyncio.to_thread(was_killed, self._process)
            self.kill()
            raise ProcessKilled if killed else ProcessDied from None
        except asyncio.CancelledError:
            answer.cancel()
            self.kill()
            raise
        answer.cancel()
        self.kill()
        raise Starved if waited >= MOST_STARVED_SECONDS else TookTooLong

    def _starved_seconds(self) -> float:
        """For how long the process could go on and had no processor since it began; 0 where no system tells."""
        try:
            return int(Path(f"/proc/{self.pid}/schedstat").read_text(encoding="utf-8").split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0

    def kill(self) -> None:
        pool, self._pool, self._process, self.pid = self._pool, None, None, None
        if pool is None:
            return
        # A process that has not begun yet never told its pid, and Python waits for it at its own end.
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)


class ProcessLanes:
    """Calls functions in at most ``count`` processes at once; more callers wait their turn.

    All calls take turns with the runs that are timed on this machine (``quiet_time.py``), by its ``timing_lock``.
    """

    def __init__(self, count: int, memory_bytes: int, prepare: Callable[[], None], timing_lock: Path) -> None:
        self._timing_lock = timing_lock
        self.lanes = [Lane(memory_bytes, prepare) for _ in range(count)]
        self._free: asyncio.Queue[Lane] = asyncio.Queue()
        for lane in self.lanes:
            self._free.put_nowait(lane)

    async def start(self) -> None:
        prepare_locks(self._timing_lock)
        await asyncio.gather(*(lane.start() for lane in self.lanes))

    async def call(self, seconds: float, function: Callable[..., Value], *arguments: object) -> Value:
        """``seconds`` counts from the start in a process, not from the wait for one. What was killed from outside is
        called once more."""
        until = time.monotonic() + COMPILE_WAIT_SECONDS
        lane = await self._free.get()
        try:
            for attempt in range(ATTEMPTS):
                try:
                    await lane.start()
                    return await lane.call(seconds, in_turn, self._timing_lock, until, function, *arguments)
                except ProcessKilled:
                    if attempt + 1 == ATTEMPTS:
                        raise
            raise AssertionError("the last attempt returns or raises")
        finally:
            self._free.put_nowait(lane)

    def stop(self) -> None:
        for lane in self.lanes:
            lane.kill()


def was_killed(process: BaseProcess | None) -> bool:
    """Whether others have ended it. Blocks for a moment: Python may not have collected it yet. Of a process that ended
    while it began nothing is known."""
    if process is None:
        return True
    process.join(10)
    return process.exitcode is None or process.exitcode in OUTSIDE


def read_exit_once(process: BaseProcess) -> None:
    """Let threads that wait for the end of ``process`` take turns. A fork server tells its exit code through a pipe,
    once: of two threads that read one got nothing, and set 255 in place of the code, here the pool's and ours."""
    handle: Any = vars(process)["_popen"]
    poll, turn = handle.poll, threading.Lock()

    def poll_in_turn(flag: int = os.WNOHANG) -> int | None:
        with turn:
            code: int | None = poll(flag)
            return code

    handle.poll = poll_in_turn


def begin(memory_bytes: int, prepare: Callable[[], None]) -> None:
    """First steps of a worker process: limits, its end with its parent's, and the slow imports."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit = memory_bytes + psutil.Process().memory_info().vms  # beside what it shares with the server
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    threading.Thread(target=end_with_parent, name="end-with-parent", daemon=True).start()
    with nothing_collected():
        prepare()
    pickle_errors_alone()


def pickle_errors_alone() -> None:
    """Dask, which a fork of the server has loaded, lets errors be pickled with all that led to them. The state of a
    parser cannot be, and the process would end instead of telling the error."""
    for kind in [kind for kind in copyreg.dispatch_table if issubclass(kind, BaseException)]:
        del copyreg.dispatch_table[kind]


def end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
