"""What a parallel region costs is measured by the first processes on a machine, and kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.native import parallel_region, toolchain
from heddle.runtime.native.parallel_region import USUAL_SECONDS, recall_region
from heddle.runtime.native.quiet_moment import Spread
from heddle.tuning.facts.machine import this_machine


@pytest.fixture(autouse=True)
def folder(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    parallel_region.measure_region.cache_clear()
    yield own_cache
    parallel_region.measure_region.cache_clear()


def in_another_process(threads: int) -> float:
    parallel_region.measure_region.cache_clear()
    return parallel_region.measure_region(threads)


def found(monkeypatch: pytest.MonkeyPatch, *seconds: float | None) -> list[int]:
    """What measuring finds, one after the other; the threads of each measurement come into the list."""
    answers, asked = iter(seconds), list[int]()

    def measure(_: object, threads: int) -> float | None:
        asked.append(threads)
        return next(answers)

    monkeypatch.setattr(parallel_region, "_measure", measure)
    return asked


@pytest.fixture
def with_openmp() -> None:
    if toolchain.discover().openmp is None:
        pytest.skip("no OpenMP")


@pytest.mark.usefixtures("with_openmp")
def test_the_median_of_the_first_quiet_moments_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """One run said 714 µs and another 541 ns, and the least of all stayed for good."""
    asked = found(monkeypatch, 30e-6, 714e-6, 541e-9, 32e-6, 31e-6, 29e-6, 33e-6, 30e-6, 31e-6)
    assert recall_region(2) == USUAL_SECONDS
    assert parallel_region.measure_region(2) == parallel_region.measure_region(2) == recall_region(2) == 30e-6
    assert [in_another_process(2) for _ in range(10)][-1] == recall_region(2) == 31e-6
    assert asked == [2] * 9
    assert parallel_region.spreads() == {2: Spread(31e-6, 30e-6, 32e-6, 9)}
    assert recall_region(4) == USUAL_SECONDS


@pytest.mark.usefixtures("with_openmp")
def test_a_moment_that_was_not_quiet_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found(monkeypatch, None, 30e-6, None)
    assert in_another_process(2) == recall_region(2) == USUAL_SECONDS
    assert parallel_region.spreads() == {}
    assert in_another_process(2) == in_another_process(2) == 30e-6
    assert asked == [2, 2, 2]
    assert parallel_region.spreads()[2].times == 1


@pytest.mark.usefixtures("with_openmp")
def test_regions_count_between_two_quiet_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program began in the second of four batches and ended in the third; later one is always there."""
    batches = iter([[9.0], [1e-5] * 10, [4e-3] * 10, [4e-3] * 10, [3e-5] * 10] + [[5e-3] * 10] * 90)
    monkeypatch.setattr(parallel_region, "_regions", lambda *_: lambda: next(batches))
    monkeypatch.setattr(parallel_region, "_REGIONS", 40)
    monkeypatch.setattr(parallel_region, "_LONGEST_SECONDS", 60)
    looks = iter([True, True, False, True, True] + [False, True] * 30)
    monkeypatch.setattr(parallel_region, "is_quiet", lambda threads: next(looks))
    assert parallel_region._measure(toolchain.discover(), 2) == pytest.approx(2e-5)
    assert parallel_region._measure(toolchain.discover(), 2) is None


@pytest.mark.usefixtures("with_openmp")
def test_what_runs_measured_is_known_to_the_service(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Confined processes have a cache of their own, and the rules never saw what was measured there."""
    found(monkeypatch, 30e-6)
    monkeypatch.setenv("HEDDLE_CACHE", str(folder / "runs"))
    assert in_another_process(2) == 30e-6
    monkeypatch.setenv("HEDDLE_CACHE", str(folder))
    assert recall_region(2) == 30e-6


def test_an_empty_region_takes_some_time() -> None:
    region = parallel_region.empty_region(2)
    if toolchain.discover().openmp is None:
        assert region is None
    else:
        assert region is not None
        assert 0 < region() < 1e9
    assert parallel_region.empty_region(1) is None


@pytest.mark.usefixtures("with_openmp")
def test_threads_that_sleep_are_measured_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, 3e-6)
    parallel_region.measure_region(2)
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")
    assert recall_region(2) == USUAL_SECONDS


@pytest.mark.usefixtures("with_openmp")
def test_a_damaged_file_is_measured_anew(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    found(monkeypatch, 3e-6, 6e-6)
    parallel_region.measure_region(2)
    (kept,) = (folder / "machine").glob("region-*.json")
    kept.write_text('{"2": [')
    assert recall_region(2) == USUAL_SECONDS
    assert in_another_process(2) == recall_region(2) == 6e-6


def test_nothing_is_measured_where_there_is_no_region(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found(monkeypatch)
    assert in_another_process(1) == USUAL_SECONDS

    def none() -> toolchain.Toolchain:
        raise CompileError(Diagnostic("runtime/no-c-compiler", "No C compiler works on this machine."))

    monkeypatch.setattr(toolchain, "discover", none)
    assert in_another_process(2) == recall_region(2) == USUAL_SECONDS
    assert asked == []


@pytest.mark.usefixtures("with_openmp")
def test_the_rules_know_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heddle.runtime.native.cpu.available_cores", lambda: 2)
    found(monkeypatch, 3e-6)
    assert this_machine(2).region_seconds == USUAL_SECONDS
    assert this_machine(2, measure=True).region_seconds == this_machine(2).region_seconds == 3e-6
