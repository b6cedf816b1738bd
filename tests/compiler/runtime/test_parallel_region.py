"""What a parallel region costs is measured by the first processes on a machine, and kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.diagnostics import CompileError, Diagnostic
from compiler.runtime.native import parallel_region, toolchain
from compiler.runtime.native.parallel_region import USUAL_SECONDS, known
from compiler.tuning.facts.machine import this_machine


@pytest.fixture(autouse=True)
def folder(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    parallel_region.measured.cache_clear()
    yield own_cache
    parallel_region.measured.cache_clear()


def in_another_process(threads: int) -> float:
    parallel_region.measured.cache_clear()
    return parallel_region.measured(threads)


def found(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> list[int]:
    """What measuring finds, one after the other; the threads of each measurement come into the list."""
    answers, asked = iter(seconds), list[int]()

    def measure(_: object, threads: int) -> float:
        asked.append(threads)
        return next(answers)

    monkeypatch.setattr(parallel_region, "_measure", measure)
    return asked


@pytest.fixture
def with_openmp() -> None:
    if toolchain.discover().openmp is None:
        pytest.skip("no OpenMP")


@pytest.mark.usefixtures("with_openmp")
def test_the_least_of_the_first_measurements_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found(monkeypatch, 3e-6, 400e-6, 2e-6, 4e-6, 5e-6)
    assert known(2) == USUAL_SECONDS
    assert parallel_region.measured(2) == parallel_region.measured(2) == known(2) == 3e-6
    assert [in_another_process(2) for _ in range(6)] == [3e-6, 2e-6, 2e-6, 2e-6, 2e-6, 2e-6]
    assert asked == [2] * 5
    assert known(4) == USUAL_SECONDS


@pytest.mark.usefixtures("with_openmp")
def test_threads_that_sleep_are_measured_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, 3e-6)
    parallel_region.measured(2)
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")
    assert known(2) == USUAL_SECONDS


@pytest.mark.usefixtures("with_openmp")
def test_a_damaged_file_is_measured_anew(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    found(monkeypatch, 3e-6, 6e-6)
    parallel_region.measured(2)
    (kept,) = (folder / "machine").glob("region-*.json")
    kept.write_text('{"2": [')
    assert known(2) == USUAL_SECONDS
    assert in_another_process(2) == known(2) == 6e-6


def test_nothing_is_measured_where_there_is_no_region(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found(monkeypatch)
    assert in_another_process(1) == USUAL_SECONDS

    def none() -> toolchain.Toolchain:
        raise CompileError(Diagnostic("runtime/no-c-compiler", "No C compiler works on this machine."))

    monkeypatch.setattr(toolchain, "discover", none)
    assert in_another_process(2) == known(2) == USUAL_SECONDS
    assert asked == []


@pytest.mark.usefixtures("with_openmp")
def test_a_region_takes_some_time() -> None:
    assert 0 < in_another_process(2) < 1


@pytest.mark.usefixtures("with_openmp")
def test_the_rules_know_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compiler.runtime.native.cpu.available_cores", lambda: 2)
    found(monkeypatch, 3e-6)
    assert this_machine(2).region_seconds == USUAL_SECONDS
    assert this_machine(2, measure=True).region_seconds == this_machine(2).region_seconds == 3e-6
