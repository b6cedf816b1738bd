"""``unroll`` of a reduction: one partial sum per step, the same result to the last rounding of a stated order."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check

SPMV = "y(i) = A(i,j) * x(j)"


@pytest.mark.combinations(4, "expression", "schedule", "factor")
@pytest.mark.parametrize("factor", [2, 3, 4, 16])
@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        (SPMV, {"A": "csr"}, "unroll(j, {})\nparallelize(i, CPUThread, NoRaces)"),
        (SPMV, {"A": "csr"}, "pos(j, p, A)\nunroll(p, {})"),
        (SPMV, {}, "unroll(j, {})"),
        ("s = a(i) * b(i)", {"a": "sparse"}, "unroll(i, {})"),
        ("A(i,l) = B(i,j,k) * c(j) * D(k,l)", {"B": "csf"}, "reorder(i, l, j, k)\nunroll(k, {})"),
        (SPMV, {"A": "csr"}, "split(i, i0, i1, 3)\nsplit(j, j0, j1, 5)\nunroll(j1, {})"),
    ],
)
def test_right(expression: str, formats: dict[str, str], schedule: str, factor: int) -> None:
    check(expression, formats, schedule.format(factor))


LANES = (
    "precompute(A(i,j) * x(j), i_inner, iw, w)\nunroll(j, {})\nparallelize(iw, CPUVector, NoRaces)\n"
    "parallelize(i_inner, CPUVector, NoRaces)"
)


@pytest.mark.combinations(6, "factor", "height", "rows")
@pytest.mark.parametrize("factor", [2, 3, 4])
@pytest.mark.parametrize("height", [2, 8, 16])
@pytest.mark.parametrize("rows", [3, 16, 37])
def test_lanes_keep_vectors_of_sums(factor: int, height: int, rows: int) -> None:
    check(SPMV, {"A": f"bcsr({height})"}, LANES.format(factor), sizes={"i": rows, "j": 21})


@pytest.mark.parametrize("dtype", ["float32", "complex128", "int32"])
def test_lanes_of_other_numbers(dtype: str) -> None:
    rng = np.random.default_rng(3)
    dense, x = (rng.integers(0, 4, shape).astype(dtype) for shape in ((37, 21), 21))
    for target in ("c", "interpreter"):
        kernel = hd.compile(SPMV, {"A": "bcsr(8)"}, LANES.format(3), target, dtypes=dict.fromkeys("Ax", dtype))
        np.testing.assert_array_equal(kernel(A=dense, x=x).to_numpy(), dense @ x)


def test_vectors_of_sums_are_registers() -> None:
    result = hd.lower(SPMV, {"A": "bcsr(16)"}, LANES.format(3))
    assert result.source is not None
    text = result.source.text
    assert "f64v w_1[16 / VECTOR_LANES];" in text
    assert "EACH_REGISTER(r, 16 / VECTOR_LANES) w[r] += w_1[r] + w_2[r];" in text


def test_a_workspace_that_is_read_in_the_loop_keeps_one_sum() -> None:
    """Each column starts again, and what the lanes stored is read for the result."""
    schedule = "unroll(j, 2)\n" + LANES.replace("unroll(j, {})\n", "")
    check(SPMV, {"A": "bcsr(8)"}, schedule)
    result = hd.lower(SPMV, {"A": "bcsr(8)"}, schedule)
    assert result.source is not None
    assert "w_1" not in result.source.text


def text_of(schedule: str, dtypes: dict[str, str] | None = None) -> str:
    result = hd.lower(SPMV, {"A": "csr"}, schedule, dtypes=dtypes)
    assert result.source is not None, result.diagnostics
    return result.source.text


def test_independent_sums_in_a_stated_order() -> None:
    assert "y_sum += y_sum_1 + (y_sum_2 + y_sum_3);" in text_of("unroll(j, 4)")
    values = np.array([[1.0, 1e16, -1e16, 1.0, 1.0, 3.0]])
    x = np.ones(6)
    tail = values[0, 0] + values[0, 4] + values[0, 5]  # the steps after the last whole trip add to the first sum
    expected = tail + (values[0, 1] + (values[0, 2] + values[0, 3]))
    for target in ("c", "interpreter"):
        found = hd.compile(SPMV, {"A": "csr"}, "unroll(j, 4)", target)(A=values, x=x).to_numpy()
        assert found[0] == expected


def test_integers_and_other_loops_keep_their_text() -> None:
    assert "_sum_1" not in text_of("unroll(j, 4)", {"A": "int32", "x": "int32"})
    assert "_sum_1" not in text_of("unroll(i, 4)")
