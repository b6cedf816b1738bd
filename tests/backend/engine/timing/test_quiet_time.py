"""Compiles and timed rounds take turns on a machine, and neither waits forever."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heddle_server.engine import quiet_time
from heddle_server.engine.quiet_time import (
    QuietTime,
    compile_turn,
    in_turn,
    lock_by,
    open_lock,
    prepare_locks,
    quiet_lock,
    turn_lock,
    waiting_lock,
)
from heddle_server.file_lock import try_lock


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "timing.lock"
    prepare_locks(path)
    return path


def is_open(path: Path, kind: int) -> bool:
    with open_lock(path) as descriptor:
        return try_lock(descriptor, kind)


def much_later() -> float:
    return time.monotonic() + 60


def until_true(wanted: Callable[[], object]) -> None:
    deadline = much_later()
    while not wanted():
        assert time.monotonic() < deadline
        time.sleep(0.001)


@contextlib.contextmanager
def compiling(lock: Path, function: Callable[[], object]) -> Iterator[None]:
    """A compile in a thread that waits, or has begun, when the context is entered."""
    entered = threading.Event()

    def compile_it() -> None:
        entered.set()
        function()

    thread = threading.Thread(target=in_turn, args=(lock, much_later(), compile_it))
    thread.start()
    until_true(lambda: entered.is_set() or not is_open(waiting_lock(lock), fcntl.LOCK_EX))
    yield
    thread.join()


def test_a_compile_that_waits_goes_between_two_windows(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_time, "WINDOW_SECONDS", 0.0)
    compiled = threading.Event()

    def pause_and_look() -> bool:
        # A window of no length may be over before the compile has begun.
        assert quiet.pause() or compiled.is_set()
        return compiled.is_set()

    with QuietTime(lock) as quiet, compiling(lock, compiled.set):
        assert not compiled.is_set()
        until_true(pause_and_look)
    assert quiet.waited > 0
    assert not quiet.disturbed


def test_compiles_that_come_meanwhile_go_too_while_their_window_lasts(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with QuietTime(lock) as quiet:
        monkeypatch.setattr(quiet_time, "WINDOW_SECONDS", 60.0)
        quiet._taken -= 60
        compiled: list[int] = []

        def compile_and_ask_again() -> None:
            compiled.append(1)
            if len(compiled) < 5:
                threading.Thread(target=in_turn, args=(lock, much_later(), compile_and_ask_again)).start()
                until_true(lambda: len(compiled) == 5)

        with compiling(lock, compile_and_ask_again):
            assert quiet.pause()
            assert len(compiled) == 5


def test_a_window_goes_on_until_it_has_passed(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_time, "WINDOW_SECONDS", 60.0)
    with open_lock(waiting_lock(lock)) as waiting, QuietTime(lock) as quiet:
        assert try_lock(waiting, fcntl.LOCK_SH)
        assert not quiet.pause()
        assert not is_open(quiet_lock(lock), fcntl.LOCK_SH)
    assert is_open(quiet_lock(lock), fcntl.LOCK_EX)


def test_a_window_goes_on_while_nobody_waits(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet_time, "WINDOW_SECONDS", 0.0)
    with QuietTime(lock) as quiet:
        monkeypatch.setattr(QuietTime, "_take", None)  # It keeps what it has.
        assert not quiet.pause()
        assert not is_open(quiet_lock(lock), fcntl.LOCK_SH)


def test_who_times_again_takes_the_machine_again(lock: Path) -> None:
    quiet = QuietTime(lock)
    for _ in range(2):
        with quiet:
            assert not is_open(quiet_lock(lock), fcntl.LOCK_SH)
        assert is_open(quiet_lock(lock), fcntl.LOCK_EX)


def test_who_waits_does_not_poll(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []

    def tried(descriptor: int, kind: int = fcntl.LOCK_EX) -> bool:
        tries.append(descriptor)
        return try_lock(descriptor, kind)

    with QuietTime(lock), open_lock(quiet_lock(lock)) as descriptor:
        monkeypatch.setattr(quiet_time, "try_lock", tried)
        assert not lock_by(time.monotonic() + 0.1, descriptor, fcntl.LOCK_SH)
        assert len(tries) == 1
    with open_lock(quiet_lock(lock)) as descriptor:
        assert lock_by(time.monotonic() + 30, descriptor, fcntl.LOCK_EX)


def test_a_compile_that_has_waited_long_enough_goes_ahead(lock: Path) -> None:
    with QuietTime(lock):
        assert in_turn(lock, time.monotonic() + 0.02, lambda number: number + 1, 41) == 42


def left_open(lock: Path) -> list[str]:
    """The lock files of one test that this process holds open; others come and go with threads of earlier tests."""
    found = []
    for descriptor in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    return [path for path in found if path.startswith(str(lock))]


def test_a_compile_goes_ahead_where_the_system_gives_no_thread_to_wait(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with QuietTime(lock):
        monkeypatch.setattr(threading.Thread, "start", refused)
        assert len(left_open(lock)) == 3
        assert in_turn(lock, much_later(), lambda: 42) == 42
    assert left_open(lock) == []


def test_locks_that_were_tidied_away_are_made_again(lock: Path) -> None:
    for name in (turn_lock, quiet_lock, waiting_lock):
        name(lock).unlink()
    assert in_turn(lock, much_later(), lambda: 42) == 42


def test_a_run_waits_for_compiles_under_way_and_later_ones_wait_for_it(lock: Path) -> None:
    timed = threading.Event()
    quiet = QuietTime(lock)

    def time_rounds() -> None:
        with quiet:
            timed.set()

    with compile_turn(lock, much_later()), compile_turn(lock, much_later()):
        timing = threading.Thread(target=time_rounds)
        timing.start()
        # Once the run has its turn, a compile that comes would wait.
        until_true(lambda: not is_open(turn_lock(lock), fcntl.LOCK_SH))
        assert not timed.is_set()
    timing.join(timeout=60)
    assert timed.is_set()
    assert quiet.waited > 0
    assert not quiet.disturbed


def test_a_run_that_has_waited_long_enough_says_that_it_was_disturbed(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quiet_time, "PATIENCE_SECONDS", 0.02)
    with compile_turn(lock, much_later()), QuietTime(lock) as quiet:
        assert quiet.disturbed


def test_a_run_alone_takes_no_turns() -> None:
    with QuietTime(None) as quiet:
        assert not quiet.pause()
    assert (quiet.waited, quiet.disturbed) == (0.0, False)
