"""Compiles and timed rounds take turns on a machine, and neither waits for ever."""

from __future__ import annotations

import fcntl
import threading
import time
from pathlib import Path

import pytest

from backend.engine import quiet_time
from backend.engine.quiet_time import (
    QuietTime,
    compile_turn,
    in_turn,
    lock_by,
    opened,
    prepare_locks,
    quiet_lock,
    turn_lock,
)
from backend.engine.timing_slot import try_lock


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "timing.lock"
    prepare_locks(path)
    return path


def is_free(path: Path, kind: int) -> bool:
    with opened(path) as descriptor:
        return try_lock(descriptor, kind)


def test_a_compile_waits_for_the_gap_between_two_windows(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_time, "WINDOW_SECONDS", 0.0)
    monkeypatch.setattr(quiet_time, "COMPILE_WAIT_SECONDS", 60.0)
    compiled = threading.Event()
    with QuietTime(lock) as quiet:
        compiling = threading.Thread(target=in_turn, args=(lock, compiled.set))
        compiling.start()
        assert not compiled.wait(0.05)
        deadline = time.monotonic() + 30
        while not compiled.is_set() and time.monotonic() < deadline:
            quiet.pause()
        assert compiled.is_set()
    compiling.join()
    assert not quiet.disturbed


def test_a_window_goes_on_until_it_has_passed(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_time, "WINDOW_SECONDS", 60.0)
    monkeypatch.setattr(quiet_time, "GAP_SECONDS", 60.0)
    with QuietTime(lock) as quiet:
        quiet.pause()
        assert not is_free(quiet_lock(lock), fcntl.LOCK_SH)
    assert is_free(quiet_lock(lock), fcntl.LOCK_EX)


def test_a_run_is_told_that_somebody_had_the_machine_meanwhile(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_time, "WINDOW_SECONDS", 0.0)
    monkeypatch.setattr(quiet_time, "GAP_SECONDS", 0.1)
    ended = threading.Event()
    with QuietTime(lock) as quiet:
        assert not quiet.pause()
        compiling = threading.Thread(target=in_turn, args=(lock, ended.wait))
        compiling.start()
        threading.Timer(0.3, ended.set).start()
        deadline = time.monotonic() + 30
        while not (told := quiet.pause()) and time.monotonic() < deadline:
            pass
        assert told
    compiling.join()
    assert not quiet.disturbed


def test_who_waits_does_not_poll(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    def tried(descriptor: int, kind: int = fcntl.LOCK_EX) -> bool:
        tries.append(descriptor)
        return try_lock(descriptor, kind)

    with QuietTime(lock), opened(quiet_lock(lock)) as descriptor:
        monkeypatch.setattr(quiet_time, "try_lock", tried)
        assert not lock_by(time.monotonic() + 0.1, descriptor, fcntl.LOCK_SH)
        assert len(tries) == 1
    with opened(quiet_lock(lock)) as descriptor:
        assert lock_by(time.monotonic() + 30, descriptor, fcntl.LOCK_EX)


def test_a_compile_that_has_waited_long_enough_goes_ahead(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_time, "COMPILE_WAIT_SECONDS", 0.02)
    with QuietTime(lock):
        assert in_turn(lock, lambda number: number + 1, 41) == 42


def test_a_run_waits_for_compiles_under_way_and_later_ones_wait_for_it(lock: Path) -> None:
    timed = threading.Event()
    quiet = QuietTime(lock)

    def time_rounds() -> None:
        with quiet:
            timed.set()

    with compile_turn(lock), compile_turn(lock):
        timing = threading.Thread(target=time_rounds)
        timing.start()
        deadline = time.monotonic() + 30
        while is_free(turn_lock(lock), fcntl.LOCK_SH) and time.monotonic() < deadline:
            time.sleep(0.001)
        # The run has its turn: a compile that comes now would wait.
        assert not is_free(turn_lock(lock), fcntl.LOCK_SH)
        assert not timed.is_set()
    timing.join(timeout=30)
    assert timed.is_set()
    assert quiet.waited > 0
    assert not quiet.disturbed


def test_a_run_that_has_waited_long_enough_says_that_it_was_disturbed(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quiet_time, "PATIENCE_SECONDS", 0.02)
    with compile_turn(lock), QuietTime(lock) as quiet:
        assert quiet.disturbed


def test_a_run_alone_takes_no_turns() -> None:
    with QuietTime(None) as quiet:
        assert not quiet.pause()
    assert (quiet.waited, quiet.disturbed) == (0.0, False)
