"""Sums that gather in vector lanes: right for every length of a row, with and without the instructions."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.interpreter import interpreter
from heddle.loop_ir.nodes.expressions import AVX2, AVX512, VectorUnit
from heddle.runtime.native import cache
from heddle.runtime.tensors.tensor import LevelArrays
from tests.compiler.codegen.built_kernels import kernels_in
from tests.compiler.codegen.native import build
from tests.differential.check import check

SPMV = "y(i) = A(i,j) * x(j)"
IN_LANES = "parallelize(j, CPUVector, ParallelReduction)"
STAIRS = np.tril(np.arange(1.0, 20 * 19 + 1).reshape(20, 19))
"""Rows of 1 to 19 entries."""


def text_of(expression: str = SPMV, schedule: str = IN_LANES, dtypes: dict[str, str] | None = None) -> str:
    result = hd.lower(expression, {"A": "csr"}, schedule, dtypes=dtypes)
    assert result.source is not None, result.diagnostics
    return result.source.text


@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        (SPMV, {"A": "csr"}, IN_LANES),
        (SPMV, {"A": "csr"}, f"{IN_LANES}\nbalance(i, i0, i1, A, 2)\nparallelize(i0, CPUThread, NoRaces)"),
        (SPMV, {"A": "dcsr"}, IN_LANES),
        ("y(i) = A(i,j) * x(j) * z(j)", {"A": "csr"}, IN_LANES),
        ("y(i) = 3 * A(i,j) * x(j)", {"A": "csr"}, IN_LANES),
        ("y(i) = b(i) * A(i,j) * x(j)", {"A": "csr"}, IN_LANES),
        ("s = a(j) * x(j)", {"a": "sparse"}, IN_LANES),
        ("C(i,j) = B(i,j,k) * x(k)", {"B": "csf"}, "parallelize(k, CPUVector, ParallelReduction)"),
    ],
)
def test_right(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_lanes_load_gather_and_add_up_once(dtype: str) -> None:
    result = hd.lower(SPMV, {"A": "csr"}, IN_LANES, dtypes={"A": dtype, "x": dtype})
    assert result.flat is not None
    assert result.source is not None
    lines = [line.strip() for line in result.flat.text.splitlines()]
    assert f"var y_sum_lanes: {dtype}x8 = 0.0" in lines
    assert "for jA in [A2_pos[i], A2_pos[i + 1]) by 8:" in lines
    assert "kept: boolx8 = lanes_between(0, A2_pos[i + 1] - jA)" in lines
    assert "y_sum_lanes += A_vals[jA:+8 if kept] * x_vals[j if kept]" in lines
    assert "for jA in [jA_begin, jA_full) by 8:" in lines
    assert "y_sum_lanes += A_vals[jA:+8] * x_vals[j]" in lines
    assert "for jA in [jA_full, A2_pos[i + 1]):" in lines
    adds_up = {
        "float64": ["y_sum += lane_sum(y_sum_lanes)"],
        "float32": [
            "y_sum_part += lane_sum(y_sum_lanes)",
            "y_sum += float64(y_sum_part)",
            "y_vals[i] = float32(y_sum)",
        ],
    }
    assert set(adds_up[dtype]) <= set(lines)
    assert "for (int64_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA += 8) {" in result.source.text
    assert "#pragma omp simd" not in result.source.text


def test_positions_recovered_from_the_lane_follow_it_from_step_to_step() -> None:
    """The position in a full tile is a scalar of the body: that of the first lane of each step, not of the tile."""
    schedule = "pos(j, p, A)\nsplit(p, p0, p1, 16)\nparallelize(p1, CPUVector, ParallelReduction)"
    result = hd.lower(SPMV, {"A": "csr"}, schedule)
    assert result.flat is not None
    lines = [line.strip() for line in result.flat.text.splitlines()]
    first = lines.index("p = p0 * 16 + p1")
    assert lines[first + 1] == "j: int32x8 = A2_crd[p:+8 if kept]"
    dense, x = np.arange(1.0, 151).reshape(3, 50), np.arange(50.0)
    kernel = hd.compile(SPMV, {"A": "csr"}, schedule)
    np.testing.assert_array_equal(kernel(A=dense, x=x).to_numpy(), dense @ x)


@pytest.mark.parametrize("expression", ["y(i) = A(i,j) * B(i,j)", "y(i) = B(i,j) * x(j)"])
def test_what_is_not_gathered_is_left_to_the_compiler(expression: str) -> None:
    result = hd.lower(expression, {}, IN_LANES)
    assert result.source is not None
    assert "#pragma omp simd reduction(+:y_sum)" in result.source.text


@pytest.mark.parametrize("rows", [slice(None), slice(7, 8), slice(8, 9)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "complex128"])
def test_every_length_of_a_row(rows: slice, dtype: str) -> None:
    kernel = hd.compile(SPMV, {"A": "csr"}, IN_LANES, dtypes={"A": dtype, "x": dtype})
    dense, x = STAIRS[rows].astype(dtype), np.arange(19).astype(dtype)
    np.testing.assert_array_equal(kernel(A=dense, x=x).to_numpy(), dense @ x)


@pytest.mark.parametrize("factor", ["x(j) * b(i)", "(x(j) + b(i))"])
def test_lanes_behind_the_end_of_a_row_add_nothing(factor: str) -> None:
    """Where b is infinite, 0 times b in an empty lane would be no number."""
    kernel = hd.compile(f"y(i) = A(i,j) * {factor}", {"A": "csr"}, IN_LANES)
    b, x = np.full(20, np.inf), np.ones(19)
    np.testing.assert_array_equal(kernel(A=STAIRS, x=x, b=b).to_numpy(), np.full(20, np.inf))


def test_the_same_without_the_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = hd.compile(SPMV, {"A": "csr"}, IN_LANES)
    assert kernel.source is not None
    monkeypatch.setattr(cache, "shared_library", kernels_in(build(text_of(), "-mno-avx512f")))
    x = np.arange(19.0)
    np.testing.assert_array_equal(kernel(A=STAIRS, x=x).to_numpy(), STAIRS @ x)


@pytest.mark.parametrize("unit", [AVX512, AVX2])
def test_the_interpreter_is_a_machine_with_masks_or_one_without(
    unit: VectorUnit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreter, "interpret", partial(interpreter.interpret, vectors=unit))
    kernel, x = hd.compile(SPMV, {"A": "csr"}, IN_LANES, "interpreter"), np.arange(19.0)
    np.testing.assert_array_equal(kernel(A=STAIRS, x=x).to_numpy(), STAIRS @ x)


def test_a_range_that_ends_before_it_starts_has_no_steps() -> None:
    """Tiles after the last entry: their bounds are not neighbours in an array of positions."""
    schedule = "pos(j, p, A)\nsplit(p, p0, p1, 16)\nparallelize(p1, CPUVector, ParallelReduction)"
    check(SPMV, {"A": "csr"}, schedule, sizes={"i": 4, "j": 41})


def test_coordinates_of_64_bits_are_not_gathered() -> None:
    packed = hd.pack(STAIRS, "csr")
    levels = [
        LevelArrays(*(None if one is None else one.astype(np.int64) for one in (level.pos, level.crd)))
        for level in packed.levels
    ]
    tensor = hd.Tensor(packed.shape, packed.format, packed.dtype, tuple(levels), packed.vals)
    x = np.arange(19.0)
    kernel = hd.compile(SPMV, {"A": "csr"}, IN_LANES)
    np.testing.assert_array_equal(kernel(A=tensor, x=x).to_numpy(), STAIRS @ x)
