"""What threads cost on a busy machine is the median of moments that are far apart, kept by machine and compiler."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heddle.runtime.native import loaded_wake, toolchain
from heddle.runtime.native.cache_folder import cache_root
from heddle.runtime.native.loaded_wake import APART_SECONDS, USUAL_SECONDS, recall_wake
from heddle.runtime.native.quiet_moment import Spread
from heddle.tuning.facts.machine import this_machine

pytestmark = pytest.mark.skipif(toolchain.discover().openmp is None, reason="no OpenMP")


@pytest.fixture(autouse=True)
def folder(own_cache: Path) -> Iterator[Path]:
    loaded_wake.measure_wake.cache_clear()
    yield own_cache
    loaded_wake.measure_wake.cache_clear()


def measure(monkeypatch: pytest.MonkeyPatch, *moments: tuple[float, float | None]) -> list[float]:
    """What the rules know after each moment: when a process began, and what it would measure."""
    facts = []
    for when, seconds in moments:
        monkeypatch.setattr("time.time", lambda now=when: now)
        monkeypatch.setattr(loaded_wake, "_measure", lambda threads, answer=seconds: answer)
        loaded_wake.measure_wake.cache_clear()
        assert loaded_wake.measure_wake(2) == recall_wake(2)
        facts.append(recall_wake(2))
    return facts


def test_one_busy_minute_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = measure(monkeypatch, *((float(second), 8e-3) for second in range(60)))
    assert set(busy) == {USUAL_SECONDS}
    later = measure(monkeypatch, *((APART_SECONDS * moment, 1e-6 * moment) for moment in range(1, 6)))
    assert later == pytest.approx([USUAL_SECONDS, 2e-6, 2.5e-6, 3e-6, 3.5e-6])
    assert loaded_wake.spreads()[2].times == 6


def test_enough_moments_settle_it(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = [(2 * APART_SECONDS * number, 40e-6) for number in range(9)]
    assert measure(monkeypatch, *moments)[-1] == 40e-6
    assert measure(monkeypatch, *((1e6 * number, 8e-3) for number in range(1, 9)))[-1] == 40e-6
    assert loaded_wake.spreads() == {2: Spread(40e-6, 40e-6, 40e-6, 9)}
    assert recall_wake(4) == USUAL_SECONDS


def test_a_clock_that_is_put_back_does_not_crowd_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    measure(monkeypatch, (5000.0, 1e-6), (4990.0, 1e-6), (1000.0, 1e-6), (900.0, 1e-6))
    (kept,) = loaded_wake._read(cache_root()).values()
    assert [when for when, _ in kept] == [5000.0, 1000.0]


def test_a_damaged_file_is_measured_anew(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    moments = [(APART_SECONDS * number, 40e-6) for number in range(3)]
    assert measure(monkeypatch, *moments)[-1] == 40e-6
    (kept,) = (folder / "machine").glob("loaded-*.json")
    kept.write_text('{"2": [[1')
    assert recall_wake(2) == USUAL_SECONDS
    assert measure(monkeypatch, *moments)[-1] == 40e-6


def test_nothing_is_measured_of_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded_wake._measure(1) is None
    assert measure(monkeypatch, (0.0, None)) == [USUAL_SECONDS]


def test_the_rules_know_what_was_measured(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Also where runs have a cache apart, as in the service."""
    monkeypatch.setattr("heddle.runtime.native.cpu.available_cores", lambda: 2)
    monkeypatch.setenv("HEDDLE_CACHE", str(folder / "runs"))
    measure(monkeypatch, *((APART_SECONDS * moment, 90e-6) for moment in range(1, 4)))
    monkeypatch.setenv("HEDDLE_CACHE", str(folder))
    machine = this_machine(2)
    assert (machine.loaded_seconds, machine.loaded_spread) == (90e-6, Spread(90e-6, 90e-6, 90e-6, 3))


def test_a_moment_is_a_finite_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded_wake, "_SECONDS", 0.001)
    seconds = loaded_wake._measure(2)
    assert seconds is not None
    assert 0 <= seconds < 10
