"""Rows with several columns in a lane are summed side by side, in one walk over the nonzeros
(docs/sources.toml G6, G7, G10)."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import heddle as hd
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.interpreter.trace import LoadEvent
from heddle.runtime.devices import nvrtc, occupancy
from heddle.runtime.devices.opencl_devices import CHOICE, OpenClDevice, devices
from heddle.runtime.kernels.calling import plain_arguments
from heddle.tuning.rules.gpu.mttkrp import Form, mttkrp, tile
from tests.differential.check import check
from tests.differential.gpu.gpu_schedules import commands
from tests.differential.results.test_segments import loops

Array = NDArray[Any]
MTTKRP = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
SPMM = "C(i,j) = A(i,k) * B(k,j)"
WALK = "reorder(i, k, l, j); fuse(k, l, g); fuse(i, g, f); pos(f, p, B); split(p, p0, p1, 5); "
ROWS = "reorder(i, k, j); fuse(i, k, f); pos(f, p, A); split(p, p0, p1, 5); "
COLUMNS = "split(j, j0, j1, 4); reorder(p0, j0, p1, j1)"
THREADS = "; parallelize(p0, CPUThread, Atomics)"
SIZES = {"i": 7, "k": 5, "l": 6, "j": 9}
SHAPES = {3: {"i": 5, "k": 3, "l": 2}, 4: {"i": 4, "k": 3, "l": 2, "m": 2}, 5: {"i": 3, "k": 2, "l": 2, "m": 2, "n": 1}}
RANKS = (1, 5, 16, 33, 64, 100)


@pytest.mark.combinations(4, "format", "column", "unit")
@pytest.mark.parametrize("unit", ["", THREADS])
@pytest.mark.parametrize("column", ["", "; unroll(j1, 4)", "; parallelize(j1, CPUVector, NoRaces)"])
@pytest.mark.parametrize("format", ["coo", "csf", "coo:1,0,2"])
def test_mttkrp_by_entries(format: str, column: str, unit: str) -> None:
    walk = WALK.replace("fuse(k, l, g); fuse(i, g, f)", "fuse(i, l, g); fuse(k, g, f)") if "1,0" in format else WALK
    walk = walk.replace("i, k, l, j", "k, i, l, j") if "1,0" in format else walk
    check(MTTKRP, {"B": format}, commands(walk + COLUMNS + column + unit), sizes=SIZES)


@pytest.mark.parametrize("format", ["csr", "coo", "dcsr", "compressed(nonunique, unordered), singleton(unordered)"])
def test_spmm_by_entries(format: str) -> None:
    schedule = commands(ROWS + COLUMNS + THREADS)
    assert "C_sum[j1] += A_value * B_vals[jB]" in loops(SPMM, {"A": format}, schedule)
    check(SPMM, {"A": format}, schedule)


@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize(
    ("reduction", "dtype", "fill", "reduce"),
    [
        *(
            ("sum(k, A(i,k) * B(k,j))", dtype, 0, np.matmul)
            for dtype in ("float32", "float64", "int32", "int64", "complex128")
        ),
        ("min(k, A(i,k) + B(k,j))", "float64", np.inf, lambda a, b: (a[:, :, None] + b).min(axis=1)),
        ("max(k, A(i,k) + B(k,j))", "float32", -np.inf, lambda a, b: (a[:, :, None] + b).max(axis=1)),
    ],
)
def test_sums_start_at_what_is_neutral_for_them(
    reduction: str, dtype: str, fill: float, reduce: Callable[[Array, Array], Array], target: str
) -> None:
    rng = np.random.default_rng(5)
    dense = np.where(rng.random((9, 11)) < 0.4, rng.integers(-3, 4, (9, 11)), fill).astype(dtype)
    other = rng.integers(-3, 4, (11, 6)).astype(dtype)
    schedule = commands(ROWS + COLUMNS + THREADS)
    dtypes = {"A": dtype, "B": dtype}
    kernel = hd.compile(f"C(i,j) = {reduction}", {"A": "csr"}, schedule, target, dtypes=dtypes, fills={"A": fill})
    np.testing.assert_array_equal(kernel(A=dense, B=other).to_numpy(), reduce(dense, other))


def test_two_loops_inside_have_a_sum_for_each_pair_of_iterations() -> None:
    schedule = commands(ROWS + "split(j, j0, j1, 6); split(j1, j2, j3, 3); reorder(p0, j0, p1, j3, j2)" + THREADS)
    assert "C_sum[j3 * 2 + j2] += A_value * B_vals[jB]" in loops(SPMM, {"A": "csr"}, schedule)
    check(SPMM, {"A": "csr"}, schedule)


def test_sums_inside_the_columns_are_added_to_those_of_the_row() -> None:
    expression = "D(i,j) = A(i,k) * B(k,l) * C(l,j)"
    schedule = commands(ROWS.replace("j)", "j, l)") + COLUMNS.replace("j1)", "j1, l)", 2) + THREADS)
    schedule = schedule.replace("split(j, j0, j1, l)", "split(j, j0, j1, 4)")
    found = loops(expression, {"A": "csr"}, schedule)
    assert "D_sum2 += A_value * B_vals[lB] * C_vals[jC]" in found
    check(expression, {"A": "csr"}, schedule)


def test_a_result_with_the_rows_of_an_operand() -> None:
    schedule = commands(
        "reorder(i, j, l, k); fuse(j, l, g); fuse(i, g, f); pos(f, p, B); split(p, p0, p1, 5); "
        "split(k, k0, k1, 2); reorder(p0, k0, p1, k1); parallelize(p0, CPUThread, Atomics)"
    )
    check("A(i,j,k) = B(i,j,l) * C(l,k)", {"B": "csf", "A": "compressed, compressed, dense"}, schedule)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ("reorder(p0, p1, j)", "as many as the data say"),
        ("split(j, j0, j1, 33); reorder(p0, j0, p1, j1)", "more than stay in registers"),
        ("divide(j, j0, j1, 4); reorder(p0, j0, p1, j1)", "as many as the data say"),
    ],
)
def test_other_columns_are_added_one_by_one(columns: str, why: str) -> None:
    found = loops(SPMM, {"A": "csr"}, commands(ROWS + columns + THREADS))
    assert not any("C_sum" in line for line in found), why
    check(SPMM, {"A": "csr"}, commands(ROWS + columns + THREADS))


def test_a_cpu_that_shares_no_row_adds_in_its_cache() -> None:
    found = loops(SPMM, {"A": "csr"}, commands(ROWS + COLUMNS))
    assert "C_vals[jC] += A_vals[p] * B_vals[jB]" in found
    check(SPMM, {"A": "csr"}, commands(ROWS + COLUMNS))


@pytest.mark.parametrize(("rank", "blocks"), [(1, 1), (5, 1), (16, 1), (33, 2), (64, 1), (100, 1), (130, 2)])
def test_nonzeros_are_read_once_for_each_block_of_columns(rank: int, blocks: int) -> None:
    """By each lane; not once for each of its columns (G10)."""
    made = mttkrp(3, Form.C, rank, entries=4, threads=64)
    kernel = hd.compile(made.expression, made.formats, "\n".join(made.schedule), "interpreter")
    rng = np.random.default_rng(3)
    tensor = (rng.random((5, 3, 4)) < 0.5) * rng.random((5, 3, 4))
    call = kernel.bind(B=hd.pack(tensor, made.formats["B"]), C=rng.random((3, rank)), D=rng.random((4, rank)))
    function = kernel.result.function
    assert function is not None
    run = interpret(function, plain_arguments(function, call.operands, call.output), trace=True)
    loads = Counter(event.array for event in run.trace if isinstance(event, LoadEvent))
    lanes = tile(rank).lanes
    for array in ("B_vals", "B1_crd", "B2_crd", "B3_crd"):
        assert loads[array] == np.count_nonzero(tensor) * lanes * blocks


def test_a_full_block_of_columns_is_computed_without_tests() -> None:
    """GenTen's TinyVec: the remainder has code of its own (G6), although threads fuse members and lanes."""
    made = mttkrp(3, Form.C, 33)
    result = hd.lower(made.expression, made.formats, "\n".join(made.schedule), "opencl")
    assert result.flat is not None
    text, test = result.flat.text, "if columns * 32 + (24 + lane) < C2_dimension:"
    indent = next(line for line in text.splitlines() if test in line).removesuffix(test)
    full, remainder = text.split(test)[1].split(f"\n{indent}else:\n")
    assert "< C2_dimension" not in full
    assert ">= C2_dimension" not in full
    assert remainder.count("if j >= C2_dimension:") == 4  # the sums, and what is stored of them


@pytest.mark.combinations(4)
@pytest.mark.parametrize("order", SHAPES)
@pytest.mark.parametrize("rank", RANKS)
def test_form_c_with_rows_that_workers_share(order: int, rank: int) -> None:
    """Members of 3 nonzeros: rows of up to 6 begin and end in the middle of one, and of a block."""
    made = mttkrp(order, Form.C, rank, entries=3, threads=2 * tile(rank).lanes)
    sizes = SHAPES[order] | {"j": rank}
    check(made.expression, made.formats, "\n".join(made.schedule), targets=("interpreter",), sizes=sizes)


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.combinations(4)
@pytest.mark.skipif(not devices(), reason="there is no OpenCL device: no wheel of a runtime for this machine")
@pytest.mark.parametrize("device", devices(), ids=lambda device: device.platform)
@pytest.mark.parametrize("order", SHAPES)
@pytest.mark.parametrize("rank", RANKS)
def test_form_c_in_opencl(order: int, rank: int, device: OpenClDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOICE, device.platform)
    made = mttkrp(order, Form.C, rank, entries=4)
    sizes = SHAPES[order] | {"j": rank}
    check(made.expression, made.formats, "\n".join(made.schedule), targets=("opencl",), sizes=sizes)


@pytest.mark.skipif(importlib.util.find_spec("nvidia") is None, reason="NVRTC is not installed")
@pytest.mark.parametrize("architecture", ["sm_75", "sm_90"])
@pytest.mark.parametrize("rank", [5, 33, 100])
def test_the_sums_are_registers_of_a_gpu(rank: int, architecture: str) -> None:
    """Their loops are unrolled: an array whose place is known at run time only would lie in the GPU's memory."""
    made = mttkrp(3, Form.C, rank)
    source = hd.lower(made.expression, made.formats, "\n".join(made.schedule), "cuda").source
    assert source is not None
    (figures,) = occupancy.figures(nvrtc.compile_text(source.text, architecture).cubin)
    assert figures.local_bytes == 0
