"""Sums that belong to several workers, in schedules that walk positions in an unusual order."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.runtime.devices.opencl_devices import devices
from tests.differential.check import check

SPMV, TTV = "y(i) = A(i,j) * x(j)", "A(i,j) = B(i,j,k) * c(k)"
POSITIONS = "fuse(i, j, f); pos(f, p, A); "
STRIDES = {
    "blocks of a GPU take every so manieth": "divide(p, a, b, 4); reorder(b, a); parallelize(b, GPUBlock, Atomics)",
    "threads of a CPU take every third": "split(p, a, b, 3); reorder(b, a); parallelize(b, CPUThread, Atomics)",
    "threads of a CPU inside serial tiles": "split(p, a, b, 6); split(b, c, d, 2); reorder(a, d, c); "
    "parallelize(d, CPUThread, Atomics)",
}


@pytest.mark.parametrize("format", ["csr", "coo", "dcsr"])
@pytest.mark.parametrize("name", STRIDES)
def test_a_row_between_the_first_and_the_last_is_shared_where_a_worker_strides(name: str, format: str) -> None:
    """No row is a worker's alone unless it takes neighbouring positions: all of its sums are added atomically."""
    schedule = (POSITIONS + STRIDES[name]).replace("; ", "\n")
    check(SPMV, {"A": format}, schedule, targets=("interpreter",))


@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_positions_that_go_back_are_searched_not_tracked(target: str) -> None:
    """The digits of a position in another order, fused: a tracker would stay after the first step back."""
    schedule = "fuse(j, k, jk); fuse(i, jk, f); pos(f, p, B); split(p, a, b, 8); split(b, d, e, 2); reorder(a, e, d); "
    check(TTV, {"B": "csf"}, f"{schedule}fuse(e, d, z)".replace("; ", "\n"), targets=(target,))


WORKSPACE = "split(i, a, b, 4); precompute(A(i,j) * x(j), b, bw, w); "
SUMMED = (
    "parallelize(j, CPUThread, ParallelReduction)",
    "parallelize(j, CPUThread, IgnoreRaces)",
    "parallelize(j, CPUVector, ParallelReduction)",
    "parallelize(a, GPUBlock, NoRaces); parallelize(j, GPUThread, Temporary)",
)


@pytest.mark.parametrize("format", ["coo", "dcsr"])
@pytest.mark.parametrize("units", SUMMED)
def test_an_element_of_a_workspace_that_follows_from_a_stored_row_is_summed_up(units: str, format: str) -> None:
    """Which row of the tile it is comes from data, but is known before the loop over the row's entries."""
    schedule = (WORKSPACE + units).replace("; ", "\n")
    flat = hd.lower(SPMV, {"A": format}, schedule, target="cuda" if "GPU" in units else "c").flat
    assert flat is not None
    several = "CPUVector" in units
    assert ("w_sum_lanes += A_vals[jA:+8 if kept]" if several else "w_sum += A_vals[jA] * x_vals[j]") in flat.text
    check(SPMV, {"A": format}, schedule, targets=("interpreter",))


@pytest.mark.skipif(not devices(), reason="there is no OpenCL device")
def test_sums_that_a_warp_shares_are_declared_for_full_tiles_and_for_the_last_one() -> None:
    """Both variants of the loops have an array of that name, of which one was declared."""
    expression = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
    schedule = (
        "reorder(i, k, l, j); fuse(k, l, kl); fuse(i, kl, f); pos(f, p, B); split(j, a, b, 16); split(b, t, e, 8); "
        "reorder(a, t, p, e); unroll(e, 4); parallelize(a, GPUBlock, IgnoreRaces); parallelize(t, GPUWarp, IgnoreRaces)"
    ).replace("; ", "\n")
    check(expression, {"B": "coo"}, schedule, targets=("opencl",), sizes={"j": 40})
