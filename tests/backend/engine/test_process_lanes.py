"""A compile that hangs, dies or swallows memory takes down its own process and nothing else."""

from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from heddle.diagnostics import CompileError
from heddle.notation.parser import parse
from heddle_server.engine import process_lanes
from heddle_server.engine.process_lanes import Lane, ProcessDied, ProcessKilled, ProcessLanes, Starved, TookTooLong
from tests.backend.serving import assert_ended

pytestmark = pytest.mark.takes_turns(4)


def nothing() -> None:
    pass


def double(number: int) -> int:
    return 2 * number


def wait(seconds: float) -> str:
    time.sleep(seconds)
    return "done"


def hang() -> None:
    time.sleep(600)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(mark: str) -> str:
    if not os.path.exists(mark):
        Path(mark).touch()
        die()
    return "done"


def crash(calls: str) -> None:
    with open(calls, "a") as file:
        file.write(".")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.string_at(0)  # the first process of a namespace ignores a signal that it sends itself


def fail() -> None:
    raise LookupError("the words of the error")


def swallow() -> int:
    return len(bytearray(1 << 40))


def load_dask() -> None:
    import distributed  # noqa: F401


def parse_nonsense() -> None:
    parse("\x9e")


@pytest.fixture
async def lanes(tmp_path: Path) -> AsyncIterator[ProcessLanes]:
    started = ProcessLanes(2, 1 << 30, nothing, tmp_path / "timing.lock")
    await started.start()
    yield started
    started.stop()


async def test_errors_come_back_from_a_process_that_has_loaded_dask(tmp_path: Path) -> None:
    """As forks of the server have: an error that a parser's led to ended them."""
    started = ProcessLanes(1, 1 << 30, load_dask, tmp_path / "timing.lock")
    try:
        with pytest.raises(CompileError, match="expected a tensor"):
            await started.call(60, parse_nonsense)
    finally:
        started.stop()


async def test_values_and_errors_come_back(lanes: ProcessLanes) -> None:
    assert await asyncio.gather(*(lanes.call(10, double, number) for number in range(6))) == [0, 2, 4, 6, 8, 10]
    with pytest.raises(LookupError, match="the words of the error"):
        await lanes.call(10, fail)


async def test_a_call_that_hangs_is_killed_and_its_neighbours_go_on(lanes: ProcessLanes) -> None:
    pids = {lane.pid for lane in lanes.lanes}
    hanging = asyncio.create_task(lanes.call(0.3, time.sleep, 600))
    await asyncio.sleep(0.05)
    assert await lanes.call(10, double, 1) == 2
    with pytest.raises(TookTooLong):
        await hanging
    gone = pids - {lane.pid for lane in lanes.lanes}
    assert len(gone) == 1
    assert_ended(int(gone.pop() or 0))
    assert await asyncio.gather(*(lanes.call(20, double, 1) for _ in range(4))) == [2, 2, 2, 2]


async def test_a_process_that_dies_is_replaced(lanes: ProcessLanes) -> None:
    for _ in range(3):
        with pytest.raises(ProcessKilled):
            await lanes.call(10, die)
    assert await lanes.call(20, double, 4) == 8


async def test_a_call_whose_process_is_killed_once_is_done_all_the_same(lanes: ProcessLanes, tmp_path: Path) -> None:
    assert await lanes.call(20, die_once, str(tmp_path / "died")) == "done"


async def test_one_that_crashes_by_itself_is_not_called_again(lanes: ProcessLanes, tmp_path: Path) -> None:
    with pytest.raises(ProcessDied) as died:
        await lanes.call(10, crash, str(tmp_path / "calls"))
    assert not isinstance(died.value, ProcessKilled)
    assert (tmp_path / "calls").read_text() == "."


async def test_memory_is_limited(lanes: ProcessLanes) -> None:
    with pytest.raises(MemoryError):
        await lanes.call(10, swallow)


async def test_stopping_ends_the_processes(lanes: ProcessLanes) -> None:
    pids = [int(lane.pid or 0) for lane in lanes.lanes]
    lanes.stop()
    for pid in pids:
        assert_ended(pid)


async def test_time_without_a_processor_does_not_count(lanes: ProcessLanes, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a listing of commands was refused as one that takes too long."""
    starved = iter([0.0, *(0.2 * look for look in range(1, 1000))])
    monkeypatch.setattr(Lane, "_starved_seconds", lambda lane: next(starved))
    assert await lanes.call(0.2, wait, 0.5) == "done"


async def test_nobody_waits_for_a_processor_for_ever(lanes: ProcessLanes, monkeypatch: pytest.MonkeyPatch) -> None:
    starved = iter([0.0, *range(8, 1000, 8)])
    monkeypatch.setattr("heddle_server.engine.process_lanes.MOST_STARVED_SECONDS", 0.1)
    monkeypatch.setattr(Lane, "_starved_seconds", lambda lane: next(starved))
    with pytest.raises(Starved):
        await lanes.call(0.1, time.sleep, 600)


async def test_a_process_that_hangs_while_it_starts_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process_lanes, "START_SECONDS", 0.3)
    before = set(multiprocessing.active_children())
    with pytest.raises(TookTooLong):
        await ProcessLanes(1, 1 << 30, hang, tmp_path / "timing.lock").start()
    for process in set(multiprocessing.active_children()) - before:
        process.join(20)
        assert process.exitcode == -signal.SIGKILL


async def test_a_process_that_died_while_it_had_nothing_to_do_is_replaced_unnoticed(lanes: ProcessLanes) -> None:
    for lane in lanes.lanes:
        pool = lane._pool
        assert pool is not None
        os.kill(int(lane.pid or 0), signal.SIGKILL)
        while not pool._broken:
            await asyncio.sleep(0.01)
    assert await asyncio.gather(*(lanes.call(60, double, number) for number in range(3))) == [0, 2, 4]


async def test_a_process_that_the_system_does_not_give_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lanes = ProcessLanes(1, 1 << 30, nothing, tmp_path / "timing.lock")
    start = ProcessPoolExecutor.submit
    no_memory = OSError(12, "Cannot allocate memory")
    refusals: list[Exception] = [no_memory, no_memory, RuntimeError("can't start new thread")]

    def refused(self: ProcessPoolExecutor, *arguments: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return start(self, *arguments)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", refused)
    with pytest.raises(ProcessDied):
        await lanes.start()
    with pytest.raises(ProcessDied):
        await lanes.call(60, double, 1)
    try:
        assert await lanes.call(60, double, 1) == 2
    finally:
        lanes.stop()
