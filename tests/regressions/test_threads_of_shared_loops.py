"""Statements that share the loop over blocks, or over threads: what one thread computes and another reads waits for a
barrier, and what threads add into one element is summed in registers beside what they store one by one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

import heddle as hd
from heddle.explorer.cost_report.run import ORDERS, run

Values = NDArray[np.float32]

CLUSTERS = """def clusters(float(N,D) X, float(K,D) C) -> (S, n, Q) {
    d(i,k) +=! (X(i,j) - C(k,j)) * (X(i,j) - C(k,j))
    m(i) min=! d(i,k)
    w(i,k) = d(i,k) == m(i) ? 1.0 : 0.0
    n(k) +=! w(i,k)
    S(k,j) +=! w(i,k) * X(i,j)
    Q(k,j) = n(k) > 0 ? S(k,j) / n(k) : C(k,j) }"""
SUMS = "def sums(float(N,K) w, float(N,D) X) -> (S, Q) { S(k,j) +=! w(i,k) * X(i,j)  Q(k,j) = 2 * S(k,j) }"
ROWS = "def rows(float(N,D) X) -> (A, m) { A(i,j) = 2 * X(i,j)  m(i) max=! A(i,j) }"
BETWEEN = (
    "together(k, k2); parallelize(k, GPUBlock, {}); parallelize(i, GPUThread, {}); parallelize(j2, GPUThread, NoRaces)"
)
WITHIN = "together(i, i2); together(j, j2); parallelize(i, GPUBlock, {}); parallelize(j, GPUThread, {})"
FOUR_LAUNCHES = (
    "together(k5, k6)",
    "split(i, b1, t1, 8)",
    "parallelize(b1, GPUBlock, NoRaces)",
    "parallelize(t1, GPUThread, Temporary)",
    "parallelize(i2, GPUBlock, IgnoreRaces)",
    "parallelize(k2, GPUThread, Atomics)",
    "split(i3, b2, t2, 4)",
    "parallelize(b2, GPUBlock, Atomics)",
    "parallelize(t2, GPUThread, NoRaces)",
    "parallelize(i4, GPUBlock, Atomics)",
    "parallelize(k4, GPUThread, Temporary)",
    "parallelize(k5, GPUBlock, Atomics)",
    "parallelize(i5, GPUThread, Temporary)",
    "parallelize(j3, GPUThread, Temporary)",
)


def values(seed: int, *shape: int) -> Values:
    return np.random.default_rng(seed).integers(-9, 9, shape).astype(np.float32)


def agree(text: str, schedule: str | tuple[str, ...], operands: Mapping[str, Values], target: str = "cuda") -> None:
    """The checked interpreter finds no race in any order, and the results are those of the loops without a schedule."""
    result = hd.lower(text, schedule=schedule, language="comprehension", target=target)
    for order, seed in ORDERS:
        assert run(result, operands, order=order, seed=seed, traced=False).fault is None
    scheduled, plain = (
        hd.compile(text, schedule=commands, language="comprehension", target="interpreter")(**operands)
        for commands in (schedule, "")
    )
    for name in plain:
        np.testing.assert_allclose(scheduled[name].to_numpy(), plain[name].to_numpy(), 1e-6, err_msg=name)


@pytest.mark.parametrize("target", ["cuda", "opencl"])
@pytest.mark.parametrize(
    ("blocks", "threads"), [("NoRaces", "Atomics"), ("IgnoreRaces", "Atomics"), ("Atomics", "Temporary")]
)
def test_threads_read_what_others_of_their_block_added(blocks: str, threads: str, target: str) -> None:
    agree(SUMS, BETWEEN.format(blocks, threads), {"w": values(1, 5, 3), "X": values(2, 5, 4)}, target)


def test_the_code_has_one_barrier_between_the_two() -> None:
    source = hd.lower(
        SUMS, schedule=BETWEEN.format("NoRaces", "Atomics"), language="comprehension", target="cuda"
    ).source
    assert source is not None
    added, barrier, read = (source.text.find(part) for part in ("atomic_sum_float32(&S", "__syncthreads()", "2.0f * S"))
    assert 0 <= added < barrier < read
    assert source.text.count("__syncthreads()") == 1


@pytest.mark.parametrize("threads", ["Temporary", "ParallelReduction", "Atomics"])
@pytest.mark.parametrize("blocks", ["IgnoreRaces", "NoRaces"])
def test_threads_that_also_store_sum_up_in_registers(blocks: str, threads: str) -> None:
    agree(ROWS, WITHIN.format(blocks, threads), {"X": values(3, 6, 5)})


def test_clusters_of_points_in_four_launches() -> None:
    agree(CLUSTERS, FOUR_LAUNCHES, {"X": values(4, 8, 2), "C": values(5, 3, 2)})
