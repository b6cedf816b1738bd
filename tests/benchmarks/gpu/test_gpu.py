"""The GPU benchmark without a GPU: every schedule that it tries compiles for CUDA, is right on OpenCL, and its summary
says what it should."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heddle as hd
from benchmarks.device import gpu_measuring
from benchmarks.device.gpu_kernels import KERNELS, Kernel
from benchmarks.device.gpu_summary import best_of_cusparse, line, summary
from benchmarks.suite.matrices import BY_NAME, load
from heddle.runtime.devices import opencl_devices
from tests.differential.gpu.cuda_text import check_text, needs_nvrtc


def made(name: str) -> list[Kernel]:
    return list(KERNELS[name](load(BY_NAME["rmat"], 2_000, "float64")))


@pytest.mark.combinations(2)
@pytest.mark.parametrize("name", KERNELS)
def test_every_schedule_compiles_for_cuda(name: str) -> None:
    for kernel in made(name):
        for schedule in kernel.schedules.values():
            hd.lower(kernel.expression, dict(kernel.formats), schedule, "cuda").raise_errors()


@pytest.mark.combinations(2)
@needs_nvrtc
@pytest.mark.parametrize("name", KERNELS)
def test_the_longest_texts_compile_for_two_architectures(name: str) -> None:
    """One of each kernel: NVRTC takes its time."""
    for kernel in made(name):
        lowered = [hd.lower(kernel.expression, dict(kernel.formats), one, "cuda") for one in kernel.schedules.values()]
        check_text(max(lowered, key=lambda one: len(one.source.text) if one.source else 0))


@pytest.mark.combinations(2)
@pytest.mark.skipif(not opencl_devices.devices(), reason="there is no OpenCL device")
@pytest.mark.parametrize("name", KERNELS)
def test_what_is_expected_is_right(name: str) -> None:
    """The first and the last schedule of each kernel give it."""
    for kernel in made(name):
        operands = kernel.operands()
        for schedule in [*kernel.schedules.values()][:: max(1, len(kernel.schedules) - 1)]:
            found = hd.compile(kernel.expression, dict(kernel.formats), schedule, "opencl")(**operands)
            np.testing.assert_allclose(found.vals, kernel.expected(operands), rtol=1e-9)


@pytest.mark.parametrize("name", KERNELS)
def test_what_a_kernel_needs_is_known_before_it_is_made(name: str) -> None:
    for kernel in made(name):
        operands = kernel.operands()
        needed = sum(tensor.nbytes for tensor in operands.values()) + 2 * kernel.expected(operands).nbytes
        assert needed <= kernel.nbytes <= 2 * needed


def test_the_hosts_memory_is_what_linux_can_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "meminfo"
    told.write_text("MemTotal:  9 kB\nMemFree:  2 kB\nMemAvailable:   7 kB\n")
    monkeypatch.setattr(gpu_measuring, "MEMORY", told)
    assert gpu_measuring._available() == 7 << 10
    monkeypatch.setattr(gpu_measuring, "MEMORY", tmp_path / "none")
    assert gpu_measuring._available() > 1 << 20


def row(
    matrix: str, ours: dict[str, float], theirs: dict[str, float], wrong: list[str] | None = None
) -> dict[str, Any]:
    algorithms = {name: {"ms": ms, "preparation_ms": 1.0} for name, ms in theirs.items()}
    numbers = {"bytes": 2_000_000, "ours_ms": ours, "cusparse": algorithms, "wrong": wrong or []}
    return {"matrix": matrix, "kernel": "SpMV", **numbers}


def test_the_summary_compares_with_the_best_algorithm_of_each_matrix() -> None:
    rows = [
        row("m", {"a": 1.0, "b": 2.0}, {"ALG1": 4.0, "ALG2": 2.0}),
        row("n", {"a": 8.0, "b": 2.0}, {"ALG1": 8.0}),
        row("o", {"b": 4.0}, {}),
    ]
    (entry,) = summary(rows, 100.0)
    assert (entry["compared"], entry["best_speedup"]) == (2, pytest.approx(np.sqrt(2.0 * 4.0)))
    assert (entry["one_schedule"], entry["one_speedup"]) == ("b", pytest.approx(np.sqrt(1.0 * 4.0)))
    assert entry["bandwidth_share"] == {"m": 0.02, "n": 0.01, "o": 0.005}
    assert best_of_cusparse(rows[2]) == float("inf")
    assert line(rows[0]).endswith("1.000 ms (a)  cuSPARSE 2.000 ms (ALG2)")
    assert line(row("m", {}, {}, ["a"])).endswith("nothing of ours  WRONG: a")
