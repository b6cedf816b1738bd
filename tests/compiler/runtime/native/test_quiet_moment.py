"""A moment is quiet when all that can run has a core."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heddle.runtime.native import cpu
from heddle.runtime.native.quiet_moment import Spread, is_quiet, spread_of


@pytest.fixture
def proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a machine with four processors and a process with two threads, one of which runs."""
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(cpu, "available_cores", lambda: 4)
    for number, state in (("1", "R"), ("2", "S")):
        (tmp_path / "self/task" / number).mkdir(parents=True)
        (tmp_path / "self/task" / number / "stat").write_text(f"{number} (a) R (b) {state} 0 0")
    return tmp_path


@pytest.mark.parametrize(("runnable", "quiet"), [(1, True), (3, True), (4, False), (9, False)])
def test_others_leave_a_core_for_each_thread(proc: Path, runnable: int, quiet: bool) -> None:
    (proc / "loadavg").write_text(f"0.00 0.01 0.05 {runnable}/345 6789\n")
    assert is_quiet(2, str(proc)) is quiet


def test_threads_that_wait_awake_are_not_others(proc: Path) -> None:
    (proc / "loadavg").write_text("0.00 0.01 0.05 4/345 6789\n")
    (proc / "self/task/2/stat").write_text("2 (b) R 0 0")
    assert is_quiet(2, str(proc))


def test_more_threads_than_this_process_has_cores_are_never_quiet(proc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (proc / "loadavg").write_text("0.00 0.01 0.05 1/345 6789\n")
    monkeypatch.setattr(cpu, "available_cores", lambda: 1)
    assert not is_quiet(2, str(proc))
    assert is_quiet(1, str(proc))


@pytest.mark.parametrize("text", [None, "", "0.00 0.00 0.00 0/0 0\n", "busy\n"])
def test_a_system_that_does_not_say_is_taken_to_be_quiet(proc: Path, text: str | None) -> None:
    if text is not None:
        (proc / "loadavg").write_text(text)
    assert is_quiet(2, str(proc))


def test_a_spread_is_the_median_with_its_quartiles() -> None:
    assert spread_of([5.0]) == Spread(5.0, 5.0, 5.0, 1)
    assert spread_of([4.0, 1.0, 3.0, 2.0, 100.0]) == Spread(3.0, 2.0, 4.0, 5)
